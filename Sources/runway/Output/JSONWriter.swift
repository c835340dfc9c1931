/// Writes JSON as it goes: keys in the order given, absent values as `null`, nothing held but the bytes.
///
/// Foundation's encoder drops the keys of absent values, shuffles or sorts the rest, and builds a
/// tree of the whole document first, which for a few hundred thousand alerts takes longer than the
/// query. This writer is the part of JSON that output needs.
struct JSONWriter {
  private(set) var bytes: [UInt8] = []
  private var needsComma = false

  /// Takes what was written so far, and goes on with an empty buffer.
  mutating func takeBytes() -> [UInt8] {
    defer { bytes.removeAll(keepingCapacity: true) }
    return bytes
  }

  // MARK: Containers

  mutating func object(_ body: (inout JSONWriter) throws -> Void) rethrows {
    open("{")
    try body(&self)
    close("}")
  }

  mutating func array<Elements: Sequence>(
    _ elements: Elements, _ body: (inout JSONWriter, Elements.Element) throws -> Void
  ) rethrows {
    open("[")
    for element in elements { try body(&self, element) }
    close("]")
  }

  mutating func beginArray() { open("[") }
  mutating func endArray() { close("]") }
  mutating func beginObject() { open("{") }
  mutating func endObject() { close("}") }

  private mutating func open(_ bracket: Unicode.Scalar) {
    separate()
    bytes.append(UInt8(ascii: bracket))
    needsComma = false
  }

  private mutating func close(_ bracket: Unicode.Scalar) {
    bytes.append(UInt8(ascii: bracket))
    needsComma = true
  }

  private mutating func separate() {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
    needsComma = true
  }

  // MARK: Members

  mutating func key(_ name: StaticString) {
    separate()
    bytes.append(UInt8(ascii: "\""))
    name.withUTF8Buffer { bytes.append(contentsOf: $0) }
    bytes.append(UInt8(ascii: "\""))
    bytes.append(UInt8(ascii: ":"))
    needsComma = false
  }

  mutating func key(_ name: String) {
    string(name)
    bytes.append(UInt8(ascii: ":"))
    needsComma = false
  }

  mutating func member(_ name: StaticString, _ value: String?) {
    key(name)
    if let value { string(value) } else { null() }
  }

  mutating func member(_ name: StaticString, _ value: Double?) {
    key(name)
    if let value { number(value) } else { null() }
  }

  mutating func member(_ name: StaticString, _ value: Int?) {
    key(name)
    if let value { number(value) } else { null() }
  }

  mutating func member(_ name: StaticString, _ value: Bool) {
    key(name)
    separate()
    bytes.append(contentsOf: (value ? "true" : "false").utf8)
  }

  // MARK: Values

  /// Writes a value that another writer has made.
  mutating func raw(_ value: [UInt8]) {
    separate()
    bytes.append(contentsOf: value)
  }

  mutating func null() {
    separate()
    bytes.append(contentsOf: "null".utf8)
  }

  mutating func number(_ value: Int) {
    separate()
    bytes.append(contentsOf: String(value).utf8)
  }

  /// Writes the shortest decimal number that reads back as the same value; `null` where it is not finite.
  mutating func number(_ value: Double) {
    guard value.isFinite else { return null() }
    if let whole = Int(exactly: value), whole.magnitude < 1 << 53 { return number(whole) }
    separate()
    bytes.append(contentsOf: value.description.utf8)
  }

  mutating func string(_ value: String) {
    separate()
    bytes.append(UInt8(ascii: "\""))
    var value = value
    value.withUTF8 { text in
      if text.contains(where: JSONWriter.needsEscape) {
        appendEscaped(text)
      } else {
        bytes.append(contentsOf: text)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private static func needsEscape(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
  }

  private mutating func appendEscaped(_ text: UnsafeBufferPointer<UInt8>) {
    for byte in text {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        bytes.append(contentsOf: [UInt8(ascii: "\\"), byte])
      case UInt8(ascii: "\n"):
        bytes.append(contentsOf: "\\n".utf8)
      case UInt8(ascii: "\t"):
        bytes.append(contentsOf: "\\t".utf8)
      case UInt8(ascii: "\r"):
        bytes.append(contentsOf: "\\r".utf8)
      case 0..<0x20:
        bytes.append(contentsOf: "\\u00".utf8)
        bytes.append(JSONWriter.hexDigits[Int(byte >> 4)])
        bytes.append(JSONWriter.hexDigits[Int(byte & 15)])
      default:
        bytes.append(byte)
      }
    }
  }

  private static let hexDigits = Array("0123456789abcdef".utf8)
}

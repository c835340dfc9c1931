internal import CLibXML2

/// An attribute's value, with the references resolved that libxml2 leaves in it for the tree it would build.
///
/// These are the document's own entities, and `&`, which it leaves as `&#38;`. libxml2 refuses loops and explosive
/// growth, but not a long entity in every point; so the result and the steps to it are bounded here.
struct GPXAttributeText {
  /// Bytes that the result may have.
  static let longest = 4_096
  private static let mostReferences = 256

  private let document: xmlDocPtr?
  private var resolved: [UInt8] = []
  private var referenceCount = 0

  /// Resolves the references in a value.
  ///
  /// - Parameters:
  ///   - value: The value as libxml2 gives it.
  ///   - document: What holds the entities.
  /// - Returns: The text, or `nil` where a reference leads nowhere or too far.
  static func resolve(
    _ value: UnsafeBufferPointer<UInt8>, in document: xmlDocPtr?
  ) -> [UInt8]? {
    var text = GPXAttributeText(document: document)
    return text.append(value) ? text.resolved : nil
  }

  private init(document: xmlDocPtr?) {
    self.document = document
  }

  private mutating func append(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    var rest = text[...]
    while let start = rest.firstIndex(of: UInt8(ascii: "&")) {
      guard let end = rest[start...].firstIndex(of: UInt8(ascii: ";")) else { return false }
      guard appendPlain(rest[..<start]), appendReference(rest[(start + 1)..<end]) else {
        return false
      }
      rest = rest[(end + 1)...]
    }
    return appendPlain(rest)
  }

  private mutating func appendPlain(_ bytes: some Collection<UInt8>) -> Bool {
    guard resolved.count + bytes.count <= Self.longest else { return false }
    resolved += bytes
    return true
  }

  private mutating func appendReference(_ name: some Collection<UInt8>) -> Bool {
    // Loops end here too.
    referenceCount += 1
    guard referenceCount <= Self.mostReferences, name.count <= Self.longest else { return false }
    if name.first == UInt8(ascii: "#") { return appendCharacter(name.dropFirst()) }
    guard let entity = xmlGetDocEntity(document, Array(name) + [0])?.pointee,
      let content = entity.content, Int(entity.length) <= Self.longest
    else { return false }
    let text = UnsafeBufferPointer(start: content, count: Int(entity.length))
    switch entity.etype {
    // The text of `amp` begins no reference.
    case XML_INTERNAL_PREDEFINED_ENTITY: return appendPlain(text)
    case XML_INTERNAL_GENERAL_ENTITY: return append(text)
    default: return false
    }
  }

  private mutating func appendCharacter(_ number: some Collection<UInt8>) -> Bool {
    let isHexadecimal = number.first == UInt8(ascii: "x")
    let digits = String(
      decoding: isHexadecimal ? Array(number.dropFirst()) : Array(number), as: UTF8.self)
    guard let code = UInt32(digits, radix: isHexadecimal ? 16 : 10),
      let scalar = Unicode.Scalar(code)
    else { return false }
    return appendPlain(Array(String(scalar).utf8))
  }
}

extension GPXReader {
  /// Gives the local name and the value of each attribute that has no prefix.
  @inline(__always)
  mutating func forEachAttribute(
    _ attributes: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?, _ count: Int,
    _ body: (inout GPXReader, UnsafePointer<xmlChar>, UnsafeBufferPointer<UInt8>) -> Void
  ) {
    guard let attributes else { return }
    // libxml2 gives five pointers an attribute: local name, prefix, URI, the value's start and end.
    for index in 0..<count {
      let attribute = attributes + index * 5
      guard attribute[1] == nil, let local = attribute[0], let start = attribute[3],
        let end = attribute[4]
      else { continue }
      let value = UnsafeBufferPointer(start: start, count: end - start)
      if value.contains(UInt8(ascii: "&")),
        let text = GPXAttributeText.resolve(value, in: parser.pointee.myDoc)
      {
        text.withUnsafeBufferPointer { body(&self, local, $0) }
      } else {
        body(&self, local, value)
      }
    }
  }
}

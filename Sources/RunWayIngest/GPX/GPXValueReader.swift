internal import CLibXML2
import RunWayModel

/// Makes values of the texts of a GPX document, and notes those that can't be read.
struct GPXValueReader {
  /// Numbers beyond are no measure of a run; sums of them would not stay finite.
  static let largestMeasure = 1e6
  /// Bytes of a name or type that are kept.
  static let longestName = 4_096

  /// The parser, for the line it is at.
  private let parser: xmlParserCtxtPtr
  private var clock = ISO8601Parser()
  /// What of the open track could not be used.
  private(set) var report = IngestReport()
  /// Why the first unusable position of the document is unusable.
  private(set) var firstUnusable: IngestReport.Note?

  init(parser: xmlParserCtxtPtr) {
    self.parser = parser
  }

  /// Begins the report of another track.
  mutating func beginTrack() {
    report = IngestReport()
  }

  /// Notes that a value holds an entity that lies outside of the document.
  mutating func reject(entity name: UnsafePointer<xmlChar>) {
    report.reject("entity", line: parser.line) {
      "the entity “\(String(cString: name))” lies outside of the document, and is not read"
    }
  }

  /// A text without the white space around it; `nil` where nothing is left.
  static func string(_ text: UnsafeBufferPointer<UInt8>) -> String? {
    let trimmed = text.trimmingXMLWhiteSpace()
    return trimmed.isEmpty ? nil : String(decoding: trimmed.prefix(longestName), as: UTF8.self)
  }
}

// MARK: - Numbers and times

extension GPXValueReader {
  @inline(__always)
  mutating func coordinate(
    _ bytes: UnsafeBufferPointer<UInt8>, _ name: StaticString, limit: Double
  ) -> Double {
    guard let value = DecimalParser.parse(bytes) else {
      noteUnusable("\(name) \(Self.quoted(bytes)) is not a number")
      return .nan
    }
    if abs(value) > limit { noteUnusable("\(name) \(Self.quoted(bytes)) is out of range") }
    return value
  }

  @inline(__always)
  mutating func number(
    _ bytes: UnsafeBufferPointer<UInt8>, _ name: StaticString
  ) -> Double? {
    if let value = DecimalParser.parse(bytes), abs(value) <= Self.largestMeasure { return value }
    reject(bytes, name)
    return nil
  }

  /// A number that is absent where it is negative.
  @inline(__always)
  mutating func magnitude(
    _ bytes: UnsafeBufferPointer<UInt8>, _ name: StaticString
  ) -> Double? {
    guard let value = number(bytes, name) else { return nil }
    return value >= 0 ? value : nil
  }

  mutating func direction(_ bytes: UnsafeBufferPointer<UInt8>) -> Double? {
    guard let value = magnitude(bytes, "course") else { return nil }
    return value < 360 ? value : value == 360 ? 0 : nil
  }

  @inline(__always)
  mutating func moment(_ bytes: UnsafeBufferPointer<UInt8>) -> Timestamp? {
    if let moment = clock.parse(bytes) { return moment }
    reject(bytes, "time")
    return nil
  }

  /// Counts a value that can't be read; an empty element is merely absent.
  @inline(never)
  private mutating func reject(_ bytes: UnsafeBufferPointer<UInt8>, _ name: StaticString) {
    if bytes.trimmingXMLWhiteSpace().isEmpty { return }
    report.reject("\(name)", line: parser.line) {
      name.description == "time"
        ? "time \(Self.quoted(bytes)) can't be read" : "\(name) \(Self.quoted(bytes)) is not usable"
    }
  }

  /// Notes why the open point has no usable position; it is counted where flights are measured.
  @inline(never)
  mutating func noteUnusable(_ reason: @autoclosure () -> String) {
    if firstUnusable != nil, report.notes.count >= IngestReport.noteLimit { return }
    let note = IngestReport.Note(line: parser.line, reason: reason())
    firstUnusable = firstUnusable ?? note
    if report.notes.count < IngestReport.noteLimit { report.notes.append(note) }
  }

  private static func quoted(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
    let shown = String(decoding: bytes.trimmingXMLWhiteSpace().prefix(40), as: UTF8.self)
    return "“\(shown)\(bytes.count > 40 ? "…" : "")”"
  }
}

import RunWayModel

/// What the first bytes of a source show.
enum ContentKind: Equatable {
  /// XML; whether it is GPX is for its decoder to say.
  case xml
  /// Anything else that NMEA sentences may stand in.
  case text
  /// UTF-16, NMEA or what is no XML.
  case text16(isBigEndian: Bool)
  /// What surely is no track, as a noun.
  case foreign(String)
}

/// Tells formats apart by content.
///
/// Only what stands first is looked at: XML begins with `<`, known foreign formats with their signatures, and
/// everything else may be noise before an NMEA sentence, for which its decoder searches.
enum FormatDetector {
  /// With so many bytes every source can be told.
  static let prefixLength = 512

  /// Tells what a source is by its first bytes.
  ///
  /// - Parameters:
  ///   - prefix: The first bytes, up to `prefixLength`.
  ///   - isLast: Whether the source has no more.
  /// - Returns: What it is, or `nil` where more bytes are needed.
  static func kind(of prefix: [UInt8], isLast: Bool) -> ContentKind? {
    let isWhole = isLast || prefix.count >= prefixLength
    // Four bytes show UTF-16 without a mark.
    if prefix.count < 4, !isWhole { return nil }
    if let isBigEndian = utf16(prefix) {
      let characters = narrowed(prefix, isBigEndian: isBigEndian)
      // 0xff is what a byte order mark is narrowed to.
      guard let first = characters.first(where: { !isSpace($0) && $0 != 0xff }) else {
        return isWhole ? .text16(isBigEndian: isBigEndian) : nil
      }
      return first == UInt8(ascii: "<") ? .xml : .text16(isBigEndian: isBigEndian)
    }
    let text = prefix.starts(with: [0xef, 0xbb, 0xbf]) ? prefix[3...] : prefix[...]
    guard let start = text.firstIndex(where: { !isSpace($0) }) else {
      return isWhole ? .text : nil
    }
    switch text[start] {
    case UInt8(ascii: "<"):
      return html(text[start...], isWhole: isWhole)
    case UInt8(ascii: "$"), UInt8(ascii: "!"):
      return .text
    default:
      if prefix.count < 16, !isWhole { return nil }
      return signature(of: prefix).map { .foreign($0) } ?? .text
    }
  }

  /// Whether the bytes are UTF-16, by a mark or by every other byte's being 0.
  private static func utf16(_ prefix: [UInt8]) -> Bool? {
    if prefix.starts(with: [0xff, 0xfe]) { return false }
    if prefix.starts(with: [0xfe, 0xff]) { return true }
    guard prefix.count >= 4 else { return nil }
    if prefix[0] != 0, prefix[1] == 0, prefix[2] != 0, prefix[3] == 0 { return false }
    if prefix[0] == 0, prefix[1] != 0, prefix[2] == 0, prefix[3] != 0 { return true }
    return nil
  }

  private static func narrowed(_ bytes: [UInt8], isBigEndian: Bool) -> [UInt8] {
    var narrow = UTF16Narrower(isBigEndian: isBigEndian)
    var text: [UInt8] = []
    bytes.withUnsafeBytes { narrow.append($0, to: &text) }
    return text
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || (0x09...0x0d).contains(byte)
  }

  /// Tells an HTML page from other XML; `nil` where more bytes are needed.
  private static func html(_ text: ArraySlice<UInt8>, isWhole: Bool) -> ContentKind? {
    let lowered = text.prefix(14).map { (65...90).contains($0) ? $0 | 0x20 : $0 }
    for mark in ["<!doctype html", "<html"] {
      let mark = Array(mark.utf8)
      if lowered.starts(with: mark) { return .foreign("an HTML page") }
      if !isWhole, mark.starts(with: lowered) { return nil }
    }
    return .xml
  }

  private static func signature(of prefix: [UInt8]) -> String? {
    for (signature, noun) in signatures where prefix.starts(with: signature) { return noun }
    if prefix.count >= 12, prefix[8..<12].elementsEqual(".FIT".utf8) { return "a FIT file" }
    return nil
  }

  private static let signatures: [([UInt8], String)] = [
    ([0x50, 0x4b, 0x03, 0x04], "a zip archive"),
    ([0x50, 0x4b, 0x05, 0x06], "an empty zip archive"),
    (Array("BZh".utf8), "a bzip2 archive"),
    ([0xfd, 0x37, 0x7a, 0x58, 0x5a], "an xz archive"),
    ([0x28, 0xb5, 0x2f, 0xfd], "a zstd archive"),
    ([0x37, 0x7a, 0xbc, 0xaf], "a 7-Zip archive"),
    (Array("%PDF".utf8), "a PDF document"),
    (Array("SQLite format 3".utf8), "an SQLite database"),
    ([0x89, 0x50, 0x4e, 0x47], "a PNG image"),
    ([0xff, 0xd8, 0xff], "a JPEG image"),
    (Array("{".utf8), "a JSON document"),
  ]
}

/// Turns UTF-16 into bytes, for NMEA, which is ASCII; every other character becomes 0xff.
struct UTF16Narrower {
  private let isBigEndian: Bool
  /// The first byte of a character that a chunk's end has cut.
  private var half: UInt8?

  init(isBigEndian: Bool) {
    self.isBigEndian = isBigEndian
  }

  /// Narrows the next bytes.
  mutating func append(_ bytes: UnsafeRawBufferPointer, to text: inout [UInt8]) {
    for byte in bytes {
      guard let first = half else {
        half = byte
        continue
      }
      half = nil
      let (high, low) = isBigEndian ? (first, byte) : (byte, first)
      text.append(high == 0 ? low : 0xff)
    }
  }
}

/// What the first bytes of a source show.
enum ContentKind: Equatable {
  /// XML; whether it is GPX is for its decoder to say.
  case xml
  /// Bytes that NMEA sentences may stand in; where none does, the source is what the noun says.
  case text(otherwise: String?)
  /// The same in UTF-16.
  case text16(isBigEndian: Bool)
  /// White space, so many bytes with a byte order mark; what follows them has to tell.
  case blank(Int)
  /// The same in UTF-16.
  case blank16(Int, isBigEndian: Bool)
  /// What surely is no track, as a noun.
  case foreign(String)
}

/// Tells formats apart by content.
///
/// NMEA may stand behind anything: half a sentence, a timestamp, binary noise. So no source is NMEA by how it begins, but by
/// a sentence in it that does not come about by chance (`NMEADecoder.isCertain`). The first bytes tell what need not be
/// searched for one, and how to search the rest:
///
/// 1. XML begins with `<` and what may follow it there, `?`, `!` or a name, behind white space and a byte order mark. It is
///    recognised in ASCII and what extends it, in UTF-16, in big-endian UTF-32 and in EBCDIC, as libxml2 does.
/// 2. A known foreign format has a signature of three bytes or more, which noise does not make. The brace of JSON is too
///    little, and stands before sentences too; it only names a source without any.
/// 3. All else is searched: as UTF-16 where in the whole prefix nearly every second byte is 0, else as bytes.
///
/// Where the first bytes are all white space, what follows it tells XML from text, however long it is.
///
/// The answer depends on the bytes alone, not on how many were there when it was first asked for.
enum FormatDetector {
  /// With so many bytes every source can be told.
  static let prefixLength = 512
  /// With so many bytes behind white space, all that may stand there can be told.
  static let openingLength = 14
  /// So many bytes show every signature, and whether UTF-16 is possible.
  private static let signatureLength = 16

  /// Tells what a source is by its first bytes.
  ///
  /// - Parameters:
  ///   - prefix: The first bytes, up to `prefixLength`.
  ///   - isLast: Whether the source has no more.
  /// - Returns: What it is, or `nil` where more bytes are needed.
  static func kind(of prefix: [UInt8], isLast: Bool) -> ContentKind? {
    let isWhole = isLast || prefix.count >= prefixLength
    if prefix.count < signatureLength, !isWhole { return nil }
    if unmarkedXML.contains(where: prefix.starts) { return .xml }
    if let noun = signature(of: prefix) { return .foreign(noun) }
    if mayBeUTF16(prefix) {
      if beginsMarkedXML16(prefix) { return .xml }
      guard isWhole else { return nil }
      let opening = prefix.dropFirst(2).drop(while: isSpace16)
      if let isBigEndian = byteOrder(of: prefix), opening.count < 4 {
        return .blank16(prefix.count - opening.count, isBigEndian: isBigEndian)
      }
      if let isBigEndian = [false, true].first(where: { isMostlyLatin(prefix, isBigEndian: $0) }) {
        return .text16(isBigEndian: isBigEndian)
      }
    }
    let text = prefix.starts(with: [0xef, 0xbb, 0xbf]) ? prefix[3...] : prefix[...]
    let opening = text.drop(while: isSpace)
    if let kind = kind(ofOpening: opening, isLast: isLast) { return kind }
    return isWhole ? .blank(prefix.count - opening.count) : nil
  }

  /// Tells XML from text by its first bytes behind white space.
  ///
  /// - Parameters:
  ///   - opening: The bytes, `openingLength` of them if there are so many.
  ///   - isLast: Whether the source has no more.
  /// - Returns: What it is, or `nil` where more bytes are needed.
  static func kind(ofOpening opening: ArraySlice<UInt8>, isLast: Bool) -> ContentKind? {
    if opening.count < 2, !isLast { return nil }
    if beginsXML(opening) { return html(opening, isWhole: isLast) }
    return .text(otherwise: opening.first == UInt8(ascii: "{") ? "a JSON document" : nil)
  }

  static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || (0x09...0x0d).contains(byte)
  }

  /// Whether a byte belongs to white space in UTF-16, or is the first one of a big-endian Latin letter.
  static func isSpace16(_ byte: UInt8) -> Bool { byte == 0 || isSpace(byte) }
}

// MARK: - XML

extension FormatDetector {
  /// What libxml2 takes for XML without a mark: `<?xm` in EBCDIC, `<` in big-endian UTF-32, `<?` in UTF-16.
  private static let unmarkedXML: [[UInt8]] = [
    [0x4c, 0x6f, 0xa7, 0x94], [0x00, 0x00, 0x00, 0x3c], [0x3c, 0x00, 0x3f, 0x00],
    [0x00, 0x3c, 0x00, 0x3f],
  ]

  /// Whether the bytes are a `<` and what may follow it where a document begins.
  private static func beginsXML(_ opening: ArraySlice<UInt8>) -> Bool {
    guard opening.first == UInt8(ascii: "<"), let next = opening.dropFirst().first else {
      return false
    }
    let isLetter = (next | 0x20) &- UInt8(ascii: "a") < 26
    return isLetter || next >= 0x80 || "?!_:".utf8.contains(next)
  }

  private static func beginsMarkedXML16(_ prefix: [UInt8]) -> Bool {
    guard let isBigEndian = byteOrder(of: prefix) else { return false }
    let text = narrowed(prefix, isBigEndian: isBigEndian).dropFirst()
    return beginsXML(text.drop(while: isSpace))
  }

  /// Tells an HTML page from other XML; `nil` where more bytes are needed.
  private static func html(_ opening: ArraySlice<UInt8>, isWhole: Bool) -> ContentKind? {
    let lowered = opening.prefix(openingLength).map { (65...90).contains($0) ? $0 | 0x20 : $0 }
    for mark in ["<!doctype html", "<html"] {
      let mark = Array(mark.utf8)
      if lowered.starts(with: mark) { return .foreign("an HTML page") }
      if !isWhole, mark.starts(with: lowered) { return nil }
    }
    return .xml
  }
}

// MARK: - UTF-16

extension FormatDetector {
  /// The byte order that a mark names, as whether it is big-endian.
  private static func byteOrder(of prefix: [UInt8]) -> Bool? {
    if prefix.starts(with: [0xff, 0xfe]) { return false }
    return prefix.starts(with: [0xfe, 0xff]) ? true : nil
  }

  /// Whether there is a mark, or a byte 0 among the first, so that the whole prefix has to decide.
  private static func mayBeUTF16(_ prefix: [UInt8]) -> Bool {
    byteOrder(of: prefix) != nil || prefix.prefix(signatureLength).contains(0)
  }

  /// Whether three of four characters are ones that ASCII has, or Latin-1.
  private static func isMostlyLatin(_ prefix: [UInt8], isBigEndian: Bool) -> Bool {
    let characters = narrowed(prefix, isBigEndian: isBigEndian)
    return characters.count { $0 != 0 && $0 != 0xff } * 4 > characters.count * 3
  }

  private static func narrowed(_ bytes: [UInt8], isBigEndian: Bool) -> [UInt8] {
    var narrow = UTF16Narrower(isBigEndian: isBigEndian)
    var text: [UInt8] = []
    bytes.withUnsafeBytes { narrow.append($0, to: &text) }
    return text
  }
}

// MARK: - Foreign formats

extension FormatDetector {
  private static func signature(of prefix: [UInt8]) -> String? {
    signatures.first { prefix.dropFirst($0.offset).starts(with: $0.bytes) }?.noun
      // The marker that follows the first one of a JPEG image is one of many.
      ?? (prefix.starts(with: [0xff, 0xd8, 0xff]) && prefix.count > 3 && prefix[3] >= 0xc0
        ? "a JPEG image" : nil)
  }

  private static let utf32 = "UTF-32, which is read only big-endian and without a mark"

  private static let signatures: [(offset: Int, bytes: [UInt8], noun: String)] = [
    (0, [0x50, 0x4b, 0x03, 0x04], "a zip archive"),
    (0, [0x50, 0x4b, 0x05, 0x06], "an empty zip archive"),
    // Behind the digit of its level.
    (4, [0x31, 0x41, 0x59, 0x26, 0x53, 0x59], "a bzip2 archive"),
    (0, [0xfd, 0x37, 0x7a, 0x58, 0x5a], "an xz archive"),
    // One that is no archive's content has been undone.
    (0, [0x1f, 0x8b, 0x08], "a gzip archive again"),
    (0, [0x28, 0xb5, 0x2f, 0xfd], "a zstd archive"),
    (0, [0x37, 0x7a, 0xbc, 0xaf], "a 7-Zip archive"),
    (0, Array("%PDF".utf8), "a PDF document"),
    (0, Array("SQLite format 3".utf8), "an SQLite database"),
    (0, [0x89, 0x50, 0x4e, 0x47], "a PNG image"),
    (8, Array(".FIT".utf8), "a FIT file"),
    (0, [0x3c, 0x00, 0x00, 0x00], utf32),
    (0, [0xff, 0xfe, 0x00, 0x00], utf32),
    (0, [0x00, 0x00, 0xfe, 0xff], utf32),
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

import RunWayModel
import Testing

@testable import RunWayIngest

@Suite struct `Track decoder` {
  static let sizes = [1, 2, 3, 5, 7, 64, 4_096, Int.max]

  static let run = log(
    "GPRMC,063000,A,5551.6000,N,00415.0000,W,5.8,40.0,180524,,,A",
    "GPRMC,063001,A,5551.6037,N,00414.9945,W,5.8,40.0,180524,,,A")
  static let document = Array(
    gpx(
      track: """
        <trkseg><trkpt lat="55.86" lon="-4.25"><time>2024-05-18T06:30:00Z</time></trkpt></trkseg>
        """
    ).utf8)

  func decoded(_ bytes: [UInt8], _ options: TrackDecoder.Options = .init()) -> Decoded {
    let whole = decode(bytes, with: TrackDecoder(options))
    // Of what is long, small chunks would take long.
    for size in Self.sizes where bytes.count / size < 3_000 {
      #expect(same(decode(bytes, chunk: size, with: TrackDecoder(options)), whole), "\(size)")
    }
    return whole
  }

  /// The same random bytes each time.
  func noise(_ count: Int) -> [UInt8] {
    var state: UInt32 = 1
    return (0..<count).map { _ in
      state = state &* 1_664_525 &+ 1_013_904_223
      return UInt8(state >> 24)
    }
  }

  func utf16(_ bytes: [UInt8], isBigEndian: Bool, mark: Bool) -> [UInt8] {
    let units: [UInt16] = (mark ? [0xfeff] : []) + bytes.map { UInt16($0) }
    return units.flatMap { unit -> [UInt8] in
      let (high, low) = (UInt8(unit >> 8), UInt8(unit & 255))
      return isBigEndian ? [high, low] : [low, high]
    }
  }

  @Test func `tells GPX and NMEA by their content`() {
    #expect(decoded(Self.run).locations.count == 2)
    #expect(decoded(Self.document).locations.count == 1)
    #expect(decoded([0xef, 0xbb, 0xbf] + Self.run).locations.count == 2)
    #expect(decoded(Array("\r\n \t".utf8) + Self.run).locations.count == 2)
    #expect(decoded(Array("2024-05-18T06:30:00.123Z > ".utf8) + Self.run).locations.count == 2)
  }

  @Test func `reads NMEA behind a long binary prefix`() {
    #expect(
      decode([0xb5, 0x62] + noise(100_000) + Self.run, with: TrackDecoder()).locations.count == 2)
  }

  @Test(arguments: [true, false], [true, false])
  func `reads NMEA in UTF-16, with and without a mark`(isBigEndian: Bool, mark: Bool) {
    let bytes = utf16(Self.run, isBigEndian: isBigEndian, mark: mark)
    #expect(decoded(bytes).tracks == decoded(Self.run).tracks)
  }

  @Test(arguments: [true, false])
  func `reads GPX in UTF-16 with a mark`(isBigEndian: Bool) {
    // Declared as what it is, or libxml2 would be right to complain.
    let document = Array(
      String(decoding: Self.document, as: UTF8.self)
        .replacing("UTF-8", with: "UTF-16").utf8)
    let found = decoded(utf16(document, isBigEndian: isBigEndian, mark: true))
    #expect(found.tracks == decoded(Self.document).tracks)
  }

  /// Around the 512 bytes that show most other formats, and beyond libxml2's longest piece.
  @Test(arguments: [1, 498, 508, 509, 510, 511, 512, 513, 1_023, 70_000], [true, false])
  func `any amount of white space may stand before a track`(count: Int, mark: Bool) throws {
    let blanks = (mark ? [0xef, 0xbb, 0xbf] : []) + [UInt8](repeating: 0x0a, count: count)
    let declaration = try #require(Self.document.firstRange(of: Array("<gpx".utf8))).lowerBound
    #expect(
      decoded(blanks + Self.document[declaration...]).tracks == decoded(Self.document).tracks)
    #expect(decoded(blanks + Self.run).tracks == decoded(Self.run).tracks)
    // As xmllint says, and on the same line.
    #expect(
      decoded(blanks + Self.document).error
        == IngestError(
          .malformed, line: count + 1,
          reason: "XML declaration allowed only at the start of the document"))
    for (text, noun) in [("<!DOCTYPE html>", "an HTML page"), ("{ \n}", "a JSON document")] {
      #expect(
        decoded(blanks + Array(text.utf8)).error
          == IngestError(
            .unknownFormat, reason: "neither GPX nor NMEA: the source is \(noun)"))
    }
    #expect(
      decoded(blanks).error == IngestError(.unknownFormat, reason: "neither GPX nor NMEA"))
  }

  /// Around the 512 bytes, two a character and two of the mark, that show most other formats.
  @Test(arguments: [1, 248, 253, 254, 255, 256, 257, 5_000, 40_000], [true, false])
  func `any amount of white space may stand before a track in UTF-16`(
    count: Int, isBigEndian: Bool
  ) throws {
    let blanks = [UInt8](repeating: 0x0a, count: count)
    let declaration = try #require(Self.document.firstRange(of: Array("<gpx".utf8))).lowerBound
    func wide(_ bytes: [UInt8]) -> [UInt8] {
      utf16(blanks + bytes, isBigEndian: isBigEndian, mark: true)
    }
    #expect(
      decoded(wide(Array(Self.document[declaration...]))).tracks == decoded(Self.document).tracks)
    #expect(decoded(wide(Self.run)).tracks == decoded(Self.run).tracks)
    #expect(decoded(wide(Self.run), .init(format: .nmea)).tracks == decoded(Self.run).tracks)
    #expect(
      decoded(wide([])).error == IngestError(.unknownFormat, reason: "neither GPX nor NMEA"))
    #expect(
      decoded(wide(Array("<!d\0\0\0\0\0\0\0\0\0\0\0\0\0\0".utf8))).error != nil)
  }

  /// A form feed is none of XML's white space.
  @Test func `a log may stand behind any amount of form feeds`() {
    let feeds = [UInt8](repeating: 0x0c, count: 70_000)
    #expect(decoded(feeds + Self.run).tracks == decoded(Self.run).tracks)
    let error = decoded(feeds + Self.document).error
    #expect(error != nil && error == decoded(feeds + Self.document, .init(format: .gpx)).error)
  }

  @Test(arguments: ["IBM037", "IBM500", "IBM1140", "UTF-32BE", "UTF-16LE", "UTF-16BE"])
  func `reads GPX without a mark in what is no ASCII`(encoding: String) throws {
    let document = String(decoding: Self.document, as: UTF8.self)
      .replacing("?>", with: " encoding=\"\(encoding)\"?>")
    let found = decoded(try #require(encoded(document, as: encoding)))
    #expect(found.error == nil)
    #expect(found.tracks == decoded(Self.document).tracks)
  }

  /// xmllint reads neither of them.
  @Test(arguments: [("", "UTF-32LE"), ("\u{feff}", "UTF-32LE"), ("\u{feff}", "UTF-32BE")])
  func `says of other UTF-32 that it is not read`(mark: String, encoding: String) throws {
    let document = mark + String(decoding: Self.document, as: UTF8.self)
    #expect(
      decoded(try #require(encoded(document, as: encoding))).error
        == IngestError(
          .unknownFormat,
          reason: "neither GPX nor NMEA: "
            + "the source is UTF-32, which is read only big-endian and without a mark"))
  }

  @Test func `says what else a source is`() {
    let cases: [(String, String)] = [
      ("", "the source is empty"),
      ("<!DOCTYPE HTML>\n<html>", "neither GPX nor NMEA: the source is an HTML page"),
      ("\n<html lang=en>", "neither GPX nor NMEA: the source is an HTML page"),
      ("PK\u{3}\u{4}..............", "neither GPX nor NMEA: the source is a zip archive"),
      ("PK\u{3}\u{4}", "neither GPX nor NMEA: the source is a zip archive"),
      ("BZh91AY&SY......", "neither GPX nor NMEA: the source is a bzip2 archive"),
      ("{\"type\": \"FeatureCollection\"}", "neither GPX nor NMEA: the source is a JSON document"),
      (" {\n}\n", "neither GPX nor NMEA: the source is a JSON document"),
      ("Dear diary, I ran.\n", "neither GPX nor NMEA"),
      (" \n", "neither GPX nor NMEA"),
    ]
    for (text, reason) in cases {
      #expect(decoded(Array(text.utf8)).error == IngestError(.unknownFormat, reason: reason))
    }
  }

  /// None of these has a sentence with the right checksum, or of a used type.
  @Test(arguments: [
    "cost $100\nrent $950,5\n", "#!/bin/sh\necho $HOME\ncd $PATH,$LINES\n", "$ABC,1\n", "!WARN*\n",
    "<", "< 3 km today >\n", "$GPGSV,1,1,00\n",
  ])
  func `takes no money and no variable for a sentence`(text: String) {
    #expect(
      decoded(Array(text.utf8)).error
        == IngestError(.unknownFormat, reason: "neither GPX nor NMEA"))
    #expect(
      decoded(Array(text.utf8), .init(format: .nmea)).error
        == IngestError(.unknownFormat, reason: "no NMEA sentence found"))
  }

  @Test func `takes no random bytes for a sentence`() {
    #expect(
      decode(noise(12_000_000), with: TrackDecoder()).error
        == IngestError(.unknownFormat, reason: "neither GPX nor NMEA"))
  }

  @Test(arguments: [
    // What `gpspipe -r` prints first.
    #"{"class":"VERSION","release":"3.22","proto_major":3,"proto_minor":14}"# + "\r\n",
    #"{"n":""#, "<13>Jun  9 12:00:00 host gps: ", "< 2026/06/09 12:00:00.123456  length=70\n",
    "\u{1}\0\u{2}\0\u{5}\u{6}", "3C\0\0",
  ])
  func `finds sentences behind what begins like another format`(text: String) {
    #expect(decoded(Array(text.utf8) + Self.run).tracks == decoded(Self.run).tracks)
  }

  /// Half a binary packet, as it may stand where a recording begins.
  @Test(
    arguments: [
      [0xff, 0xfe, 0xf8, 0x80], [0xfe, 0xff, 0xfe], [0x00, 0x80, 0x00, 0xf8, 0x00],
      [0xff, 0xd8, 0xff], [0x3c, 0x00, 0x07], [0xfe, 0xff, 0x00, 0x0a],
    ] as [[UInt8]], [TrackFormat.nmea, nil])
  func `finds sentences behind noise that looks like a mark`(noise: [UInt8], format: TrackFormat?) {
    let bytes = noise + Self.run
    #expect(decoded(bytes, .init(format: format)).locations == decoded(Self.run).locations)
  }

  @Test func `counts damaged sentences of a used type as NMEA`() {
    for text in ["$GPRMC,063000,V,,,,,,,180524,,,N*00\r\n", "$GPRMC,0630$GPGGA,0630\u{7}"] {
      #expect(decoded(Array(text.utf8)).error?.code == .notARecording)
    }
  }

  @Test func `gives up on endless noise`() {
    let noise = [UInt8](repeating: 0x41, count: TrackDecoder.longestNoise)
    let expected = IngestError(
      .unknownFormat, reason: "neither GPX nor NMEA in the first 16 MiB")
    #expect(decode(noise + Self.run, with: TrackDecoder()).error == expected)
    #expect(decode(noise + Self.run, chunk: 65_537, with: TrackDecoder()).error == expected)
    #expect(decode(noise.dropLast(100) + Self.run, with: TrackDecoder()).locations.count == 2)
    let blanks = [UInt8](repeating: 0x20, count: TrackDecoder.longestNoise)
    #expect(decode(blanks + Self.document, chunk: 65_537, with: TrackDecoder()).error == expected)
  }

  @Test func `takes the format it is told`() {
    #expect(decoded(Self.run, .init(format: .gpx)).error != nil)
    #expect(
      decoded(Self.document, .init(format: .nmea)).error
        == IngestError(.unknownFormat, reason: "no NMEA sentence found"))
  }

  @Test func `reports the format once it is known`() throws {
    var decoder = TrackDecoder()
    var elements: [TrackElement] = []
    #expect(decoder.format == nil)
    try Array("noise before anything\n".utf8).withUnsafeBytes {
      try decoder.consume($0, into: &elements)
    }
    #expect(decoder.format == nil)
    try Self.run.withUnsafeBytes { try decoder.consume($0, into: &elements) }
    #expect(decoder.format == .nmea)
  }

  @Test func `says the same again after a fault`() throws {
    var decoder = TrackDecoder()
    var elements: [TrackElement] = []
    for _ in 0..<2 {
      #expect(throws: IngestError(.unknownFormat, reason: "the source is empty")) {
        try decoder.finish(into: &elements)
      }
    }
  }
}

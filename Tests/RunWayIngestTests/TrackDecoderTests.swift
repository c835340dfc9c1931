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
    for size in Self.sizes {
      #expect(same(decode(bytes, chunk: size, with: TrackDecoder(options)), whole), "\(size)")
    }
    return whole
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
    var state: UInt32 = 1
    let noise = (0..<100_000).map { _ -> UInt8 in
      state = state &* 1_664_525 &+ 1_013_904_223
      return UInt8(state >> 24)
    }
    #expect(decode([0xb5, 0x62] + noise + Self.run, with: TrackDecoder()).locations.count == 2)
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

  @Test func `says what else a source is`() {
    let cases: [(String, String)] = [
      ("", "the source is empty"),
      ("<!DOCTYPE HTML>\n<html>", "neither GPX nor NMEA: the source is an HTML page"),
      ("\n<html lang=en>", "neither GPX nor NMEA: the source is an HTML page"),
      ("PK\u{3}\u{4}..............", "neither GPX nor NMEA: the source is a zip archive"),
      ("PK\u{3}\u{4}", "neither GPX nor NMEA: the source is a zip archive"),
      ("{\"type\": \"FeatureCollection\"}", "neither GPX nor NMEA: the source is a JSON document"),
      ("Dear diary, I ran.\n", "neither GPX nor NMEA"),
      (" \n", "neither GPX nor NMEA"),
    ]
    for (text, reason) in cases {
      #expect(decoded(Array(text.utf8)).error == IngestError(.unknownFormat, reason: reason))
    }
  }

  @Test func `gives up on endless noise`() {
    let noise = [UInt8](repeating: 0x41, count: TrackDecoder.longestNoise)
    let expected = IngestError(
      .unknownFormat, reason: "neither GPX nor NMEA in the first 16 MiB")
    #expect(decode(noise + Self.run, with: TrackDecoder()).error == expected)
    #expect(decode(noise + Self.run, chunk: 65_537, with: TrackDecoder()).error == expected)
    #expect(decode(noise.dropLast(100) + Self.run, with: TrackDecoder()).locations.count == 2)
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

import RunWayModel
import Testing

@testable import RunWayIngest

/// What nobody should feed to a decoder, and somebody will.
@Suite(.timeLimit(.minutes(10)))
struct `Hostile input` {
  /// A fixture, and how many mutations of it are tried.
  struct Victim: Sendable, CustomTestStringConvertible {
    var file: String
    var rounds: Int
    var testDescription: String { file }
  }

  /// Together more than 20,000 mutations.
  static let victims = [
    Victim(file: "ten-kilometres.gpx", rounds: 1_300),
    Victim(file: "stops.gpx", rounds: 1_000),
    Victim(file: "gpx-1.0.gpx", rounds: 1_300),
    Victim(file: "multi-track.gpx", rounds: 1_000),
    Victim(file: "stray-points.gpx", rounds: 1_000),
    Victim(file: "latin-1.gpx", rounds: 1_000),
    Victim(file: "utf-16.gpx", rounds: 1_300),
    Victim(file: "route-only.gpx", rounds: 600),
    Victim(file: "waypoints-only.gpx", rounds: 600),
    Victim(file: "damaged/decimal-comma.gpx", rounds: 1_000),
    Victim(file: "ten-kilometres.nmea", rounds: 2_000),
    Victim(file: "gga-only.nmea", rounds: 1_500),
    Victim(file: "late-date.nmea", rounds: 2_000),
    Victim(file: "utf-16.nmea", rounds: 1_500),
    Victim(file: "damaged/bad-checksums.nmea", rounds: 1_000),
    Victim(file: "damaged/binary-between.nmea", rounds: 1_000),
    Victim(file: "damaged/noise.bin", rounds: 500),
    Victim(file: "gzip.nmea.gz", rounds: 500),
    Victim(file: "words.txt", rounds: 500),
  ]

  @Test func `there are enough mutations`() {
    #expect(Self.victims.reduce(0) { $0 + $1.rounds } >= 20_000)
  }

  @Test(arguments: victims)
  func `mutated files neither trap nor give what is out of range`(victim: Victim) throws {
    let original = excerpt(try #require(fixture(victim.file)), of: victim.file)
    var random = SplitMix(
      state: victim.file.utf8.reduce(2_026) { $0 &* 31 &+ UInt64($1) })
    for round in 0..<victim.rounds {
      let bytes = mutated(original, &random)
      let size =
        Int.random(in: 1...bytes.count, using: &random)
        >> Int.random(
          in: 0...8, using: &random)
      let options = TrackDecoder.Options(
        join: round % 2 == 0, date: round % 3 == 0 ? Timestamp.latest : nil)
      let whole = decode(bytes, with: TrackDecoder(options), salvaging: true)
      let cut = decode(bytes, chunk: max(1, size), with: TrackDecoder(options), salvaging: true)
      let isSame = same(cut, whole)
      #expect(isSame, "round \(round), chunks of \(size)")
      let isSound = whole.locations.allSatisfy(\.isSound)
      #expect(isSound, "round \(round)")
      // No location is made of fewer than 8 bytes, `<trkpt/>`; deflate gives at most 1,032 for one.
      let growth = victim.file.hasSuffix(".gz") ? 1_032 : 1
      #expect(whole.locations.count <= bytes.count * growth / 8)
    }
  }

  /// The beginning and the end: small enough for many rounds, and still a whole document.
  private func excerpt(_ bytes: [UInt8], of file: String) -> [UInt8] {
    if file.hasSuffix(".gz") || bytes.count <= 2_600 { return bytes }
    // Even lengths, for UTF-16.
    return Array(bytes[..<2_200]) + Array(bytes[(bytes.count / 2 * 2 - 200)...])
  }

  private func mutated(_ original: [UInt8], _ random: inout SplitMix) -> [UInt8] {
    let spice = Array("<>&\"'/! \n\r\t$*,0123456789.-+eE:TZNSWEAV\u{0}é]".utf8) + [0xff, 0xfe]
    var bytes = original
    for _ in 0...Int.random(in: 0...4, using: &random) {
      let place = Int.random(in: bytes.indices, using: &random)
      let end = min(bytes.count, place + Int.random(in: 1...200, using: &random))
      switch Int.random(in: 0..<8, using: &random) {
      case 0: bytes[place] = spice.randomElement(using: &random) ?? 0
      case 1: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      case 2: bytes.insert(spice.randomElement(using: &random) ?? 0, at: place)
      case 3: bytes.remove(at: place)
      case 4:
        let target = Int.random(in: bytes.indices, using: &random)
        bytes.insert(contentsOf: bytes[place..<end], at: target)
      case 5: bytes.removeSubrange(place..<end)
      case 6:
        // Digits, for these are what numbers and times are made of.
        for index in place..<end where bytes[index] &- 48 <= 9 {
          bytes[index] = UInt8.random(in: 48...57, using: &random)
        }
      default:
        if Int.random(in: 0..<8, using: &random) == 0 { bytes.removeSubrange(place...) }
      }
      if bytes.isEmpty { bytes = [UInt8(ascii: "<")] }
    }
    return bytes
  }
}

/// The fast path over all fixtures, held against libxml2 alone.
struct `GPX fixtures` {
  static let files = [
    "ten-kilometres.gpx", "stops.gpx", "midnight.gpx", "date-line.gpx", "watch-noise.gpx",
    "gpx-1.0.gpx", "multi-track.gpx", "smart-recording.gpx", "stray-points.gpx", "untimed.gpx",
    "route-only.gpx", "waypoints-only.gpx", "empty.gpx", "words.txt", "utf-16.gpx", "latin-1.gpx",
    "damaged/truncated.gpx", "damaged/mismatched-tag.gpx", "damaged/decimal-comma.gpx",
  ]

  @Test(arguments: files)
  func `are read alike with and without templates, in any chunks`(file: String) throws {
    let bytes = try #require(fixture(file))
    // Equal errors have equal lines.
    let expected = decodeGPX(bytes, salvaging: true, usesTemplates: false)
    for size in chunkSizes {
      let isSame = same(decodeGPX(bytes, chunk: size, salvaging: true), expected)
      #expect(isSame, "chunks of \(size)")
    }
  }
}

/// A file of the folder `Fixtures`.
private func fixture(_ file: String) -> [UInt8]? {
  let folder = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
  return readFile("/\(folder)/Fixtures/\(file)")
}

extension Location {
  /// Whether every value is finite and within its range; positions only where the location is valid.
  fileprivate var isSound: Bool {
    let magnitudes = [speed, hdop, heartRate, cadence, power]
    return (!isValid || ((-90...90).contains(latitude) && (-180...180).contains(longitude)))
      && altitude.map(\.isFinite) ?? true
      && magnitudes.allSatisfy { $0.map { $0.isFinite && $0 >= 0 } ?? true }
      && course.map { (0..<360).contains($0) } ?? true
      && time.map { $0 >= .earliest && $0 <= .latest } ?? true
      && segment >= 0
  }
}

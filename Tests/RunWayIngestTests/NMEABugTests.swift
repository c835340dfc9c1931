import RunWayModel
import Testing

@testable import RunWayIngest

/// One outcome a file: what its manifest calls the right one.
@Suite(.enabled(if: corpusFolder != nil, "RUNWAY_CORPUS names no folder"))
struct `NMEA bug reports` {
  struct Outcome: Sendable, CustomTestStringConvertible {
    var file: String
    var times: [String] = []
    var count: Int
    var rejected: [String: Int] = [:]
    var hasDate = true
    var testDescription: String { file }
  }

  static let outcomes = [
    Outcome(
      file: "09-midnight-gga-then-rmc",
      times: [
        "2024-02-29T23:58:40Z", "2024-02-29T23:59:20Z", "2024-03-01T00:00:00Z",
        "2024-03-01T00:00:40Z", "2024-03-01T00:01:20Z", "2024-03-01T00:02:00Z",
      ], count: 6),
    Outcome(
      file: "11-late-gll-after-date-change",
      times: [
        "2027-06-30T23:59:57Z", "2027-06-30T23:59:58Z", "2027-07-01T00:00:00Z",
        "2027-06-30T23:59:59Z", "2027-07-01T00:00:01Z",
      ], count: 5),
    Outcome(
      file: "13-four-digit-year",
      times: ["10", "15", "20", "25", "30"].map { "2022-03-08T18:47:\($0)Z" }, count: 5),
    Outcome(file: "15-nav-status-V-but-fix-A", count: 5),
    Outcome(file: "17-lowercase-checksum", count: 5),
    // The damaged RMC is the third of six.
    Outcome(
      file: "19-two-sentences-glued",
      times: [30, 31, 33, 34, 35].map { "2021-06-05T08:17:\($0)Z" }, count: 5,
      rejected: ["cut": 1]),
    Outcome(file: "21-empty-position-fields", count: 4),
    Outcome(file: "23-lines-over-82-characters", count: 4, hasDate: false),
    Outcome(file: "25-other-talkers", count: 6),
    Outcome(file: "27-latitude-with-extra-zero", count: 4, hasDate: false),
    Outcome(
      file: "55-void-start-date-050180",
      times: [10, 11, 12, 13].map { "2022-08-16T05:12:\($0)Z" }, count: 4),
  ]

  @Test(arguments: outcomes)
  func `each has the right outcome`(outcome: Outcome) throws {
    let folder = try #require(corpusFolder)
    let bytes = try #require(readFile("\(folder)/bugs/\(outcome.file).nmea"))
    let whole = decode(bytes, with: TrackDecoder())
    for size in `Track decoder`.sizes {
      #expect(decode(bytes, chunk: size, with: TrackDecoder()) == whole)
    }
    #expect(whole.locations.count == outcome.count)
    #expect(whole.locations.allSatisfy { $0.isValid && ($0.latitude, $0.longitude) != (0, 0) })
    #expect((whole.error?.code == .noDate) == !outcome.hasDate)
    if !outcome.times.isEmpty {
      #expect(whole.locations.map { $0.time?.iso8601 ?? "" } == outcome.times)
    }
    let dated = decode(
      bytes, with: TrackDecoder(.init(date: Timestamp(microseconds: 1_780_000_000_000_000))))
    #expect(dated.error == nil)
    #expect(dated.tracks.first?.report.rejected == outcome.rejected)
  }

  @Test func `a latitude with a superfluous zero is read from its point leftwards`() throws {
    let folder = try #require(corpusFolder)
    let bytes = try #require(readFile("\(folder)/bugs/27-latitude-with-extra-zero.nmea"))
    let first = try #require(decodeNMEA(bytes).locations.first)
    // 008° 40.8′ S
    #expect(first.latitude == -(8 + 40.8 / 60))
    #expect(first.longitude == 115.25)
  }
}

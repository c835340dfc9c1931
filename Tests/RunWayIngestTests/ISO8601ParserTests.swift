import RunWayModel
import Testing

@testable import RunWayIngest

struct `ISO 8601 parser` {
  private func parse(_ text: String) -> Timestamp? {
    var parser = ISO8601Parser()
    return Array(text.utf8).withUnsafeBufferPointer { parser.parse($0) }
  }

  // `date -u -d '2026-06-09 06:30:00' +%s` says 1780986600.
  @Test(arguments: [
    ("2026-06-09T06:30:00Z", 0),
    ("2026-06-09T06:30:00", 0),
    ("2026-06-09t06:30:00z", 0),
    ("2026-06-09 06:30:00", 0),
    ("2026-06-09 06:30:00 UTC", 0),
    ("2026-06-09T06:30Z", 0),
    (" \n2026-06-09T06:30:00Z\t", 0),
    ("2026-06-09T15:30:00+09:00", 0),
    ("2026-06-09T15:30:00+0900", 0),
    ("2026-06-09T15:30:00+09", 0),
    ("2026-06-09T01:00:00-05:30", 0),
    ("2026-06-08T23:30:00-07:00", 0),
    ("2026-06-09T08:30:00+02:00[Europe/Berlin]", 0),
    ("2026-06-09T06:30:00Z[UTC]", 0),
    ("2026-06-09T06:30:00.5Z", 500_000),
    ("2026-06-09T06:30:00,5Z", 500_000),
    ("2026-06-09T06:30:00.000001", 1),
    ("2026-06-09T06:30:00.1234567Z", 123_456),
    ("2026-06-09T06:30:00.999999999999999999999Z", 999_999),
    ("2026-06-09T08:30:00.25+02:00", 250_000),
    ("2026-06-09T06:29:60Z", 0),
    ("2026-06-09T06:29:60.5Z", 500_000),
  ])
  func `one moment is written in many ways`(text: String, microseconds: Int64) {
    #expect(
      parse(text) == Timestamp(microseconds: 1_780_986_600_000_000 + microseconds), "\(text)")
  }

  // Seconds by `date -u -d … +%s`.
  @Test(arguments: [
    ("1970-01-01T00:00:00Z", 0),
    ("1969-12-31T23:59:59Z", -1),
    ("2000-02-29T12:00:00Z", 951_825_600),
    ("2024-02-29T00:00:00Z", 1_709_164_800),
    ("2026-06-08T24:00:00Z", 1_780_963_200),
    ("2016-12-31T23:59:60Z", 1_483_228_800),
    ("1901-12-13T20:45:52Z", -2_147_483_648),
    ("0001-01-01T00:00:00Z", -62_135_596_800),
    ("9999-12-31T23:59:59Z", 253_402_300_799),
  ])
  func `the calendar is the proleptic Gregorian one`(text: String, seconds: Int64) {
    #expect(parse(text) == Timestamp(microseconds: seconds * 1_000_000))
  }

  @Test(arguments: [
    "", "Z", "2026-06-09", "2026-06-09T", "2026-06-09T06", "06:30:00Z", "0000-01-01T00:00:00Z",
    "2026-02-29T00:00:00Z", "1900-02-29T00:00:00Z", "2026-04-31T00:00:00Z", "2026-13-01T00:00:00Z",
    "2026-00-10T00:00:00Z", "2026-06-00T00:00:00Z", "2026-06-09T24:00:01Z",
    "2026-06-09T24:00:00.1Z",
    "2026-06-09T25:00:00Z", "2026-06-09T06:60:00Z", "2026-06-09T06:30:61Z", "2026-06-09T06:30:00.Z",
    "2026-06-09T06:30:00X", "2026-06-09T06:30:00+9", "2026-06-09T06:30:00+09:60",
    "2026-06-09T06:30:00+24:00", "2026-06-09T06:30:00[Europe/Berlin]", "2026-06-09T06:30:00ZZ",
    "2026-6-9T06:30:00Z", "+2026-06-09T06:30:00Z", "12026-06-09T06:30:00Z", "2026/06/09T06:30:00Z",
    "2026-06-09T06:30:0٣Z", "0001-01-01T00:00:00+01:00", "9999-12-31T23:59:59-01:00",
    "9999-12-31T24:00:00Z", "2026-06-09T-6:30:00Z", "undefined, undefined, und",
  ])
  func `anything else is no moment`(text: String) {
    #expect(parse(text) == nil)
  }

  @Test
  func `the cached day follows the date`() {
    var parser = ISO8601Parser()
    func seconds(_ text: String) -> Double? {
      Array(text.utf8).withUnsafeBufferPointer { parser.parse($0) }
        .map { $0.seconds(since: Timestamp(microseconds: 0)) }
    }
    #expect(seconds("1970-01-01T00:00:01Z") == 1)
    #expect(seconds("1970-01-01T00:00:02Z") == 2)
    #expect(seconds("1970-01-02T00:00:02Z") == 86_402)
    #expect(seconds("1970-01-32T00:00:02Z") == nil)
    #expect(seconds("1970-01-02T00:00:03Z") == 86_403)
    #expect(seconds("1970-01-01T00:00:01Z") == 1)
  }
}

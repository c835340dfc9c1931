import RunWayModel
import Testing

struct `Timestamps` {
  @Test func `moments any distance apart are subtracted without overflow`() {
    let first = Timestamp(microseconds: .min)
    let last = Timestamp(microseconds: .max)
    // 2^64 µs.
    #expect(last.seconds(since: first) == 18_446_744_073_709.551616)
    #expect(first.seconds(since: last) == -18_446_744_073_709.551616)
    #expect(Timestamp(microseconds: 3).seconds(since: Timestamp(microseconds: 1)) == 2e-6)
    // 3,652,059 days of 86,400 s.
    #expect(Timestamp.latest.seconds(since: .earliest).rounded() == 315_537_897_600)
  }

  // By `date -u -d … +%s`.
  @Test(arguments: [
    (0, "1970-01-01T00:00:00Z"), (-1, "1969-12-31T23:59:59.999999Z"),
    (1_780_986_600_250_000, "2026-06-09T06:30:00.25Z"),
    (1_709_209_805_000_007, "2024-02-29T12:30:05.000007Z"),
    (-62_135_596_799_900_000, "0001-01-01T00:00:00.1Z"),
  ])
  func `a moment is written with the digits that it has`(microseconds: Int64, text: String) {
    #expect(Timestamp(microseconds: microseconds).iso8601 == text)
  }

  @Test func `no moment is too far off to be written`() {
    // 2⁶³ µs are 292,277 years.
    #expect(Timestamp(microseconds: .max).iso8601.hasPrefix("294247-01-10T"))
    #expect(Timestamp(microseconds: .min).iso8601.hasPrefix("-290308-12-21T"))
  }

  @Test func `shifts end at the calendar's ends`() {
    for moment in [Timestamp.earliest, .latest, Timestamp(microseconds: 0)] {
      #expect(moment.shifted(byMicroseconds: .max) == .latest)
      #expect(moment.shifted(byMicroseconds: .min) == .earliest)
    }
    #expect(Timestamp.earliest.iso8601 == "0001-01-01T00:00:00Z")
    #expect(Timestamp.latest.iso8601 == "9999-12-31T23:59:59.999999Z")
  }
}

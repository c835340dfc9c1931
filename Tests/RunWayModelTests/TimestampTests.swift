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

  @Test func `shifts end at the calendar's ends`() {
    for moment in [Timestamp.earliest, .latest, Timestamp(microseconds: 0)] {
      #expect(moment.shifted(byMicroseconds: .max) == .latest)
      #expect(moment.shifted(byMicroseconds: .min) == .earliest)
    }
    #expect(Timestamp.earliest.iso8601 == "0001-01-01T00:00:00Z")
    #expect(Timestamp.latest.iso8601 == "9999-12-31T23:59:59.999999Z")
  }
}

import Foundation
import RunWayModel
import Testing

@testable import runway

@Suite struct `The arguments of options` {
  static let paces: [(String, Double?)] = [
    ("5:30", 330), ("330", nil), ("4:45.5", 285.5), ("1:00:00", 3_600), ("5:30/km", 330),
    ("5:60", nil), ("0:00", nil), ("-5:30", nil), ("5:", nil), (":30", nil), ("", nil),
    ("five", nil), ("nan", nil), ("inf", nil), ("1e3", nil), ("5.5:30", nil), ("0x10", nil),
    ("99999999", nil), ("3", nil), ("5.5", nil), ("330/km", nil),
  ]

  @Test(arguments: paces)
  func `a pace is minutes and seconds`(text: String, seconds: Double?) {
    #expect(ValueParsing.pace(text, units: .metric)?.secondsPerKilometer == seconds)
  }

  @Test func `a pace with imperial units is per mile unless it says otherwise`() throws {
    // 8:00 a mile = 480 / 1.609344 = 298.258 s/km.
    let pace = try #require(ValueParsing.pace("8:00", units: .imperial))
    #expect(abs(pace.secondsPerKilometer - 298.2581) < 0.001)
    #expect(ValueParsing.pace("5:00/km", units: .imperial)?.secondsPerKilometer == 300)
  }

  static let distances: [(String, Double?)] = [
    ("10km", 10_000), ("10", 10_000), ("10k", 10_000), ("7.5K", 7_500), ("5000m", 5_000),
    ("3mi", 4_828.032), ("0.4km", 400),
    ("10 km", 10_000), ("half", 21_097.5), ("Marathon", 42_195), ("0", nil), ("-3km", nil),
    ("km", nil), ("10 parsecs", nil), ("1e9", nil), ("999999999km", nil),
  ]

  @Test(arguments: distances)
  func `a distance is a number with a unit`(text: String, meters: Double?) {
    #expect(ValueParsing.distance(text, units: .metric)?.meters == meters)
  }

  static func clock(_ zone: String) throws -> TimeZoneClock {
    TimeZoneClock(try #require(ClockZone(name: zone)))
  }

  // Derived by `date -u -d '2026-06-09 06:30 +0900' +%s` = 1780954200 and the like.
  static let moments: [(String, Int64)] = [
    ("2026-06-09T06:30+09:00", 1_780_954_200), ("2026-06-08T21:30Z", 1_780_954_200),
    ("2026-06-08T23:30", 1_780_954_200), ("2026-06-08 23:30:00", 1_780_954_200),
    ("2026-06-09T06:30:00+0900", 1_780_954_200),
  ]

  @Test(arguments: moments)
  func `a moment may name its offset, else it is local`(text: String, seconds: Int64) throws {
    let clock = try Self.clock("Europe/Berlin")
    let when = ValueParsing.when(text, clock: clock, now: Timestamp(microseconds: 0))
    #expect(when == .moment(Timestamp(microseconds: seconds * 1_000_000)))
  }

  @Test(arguments: [
    "2026-02-30", "2026-13-01", "2026-6-9", "tomorrowish", "2026-06-09T25:00", "0000-01-01", "",
  ])
  func `what is no date is refused`(text: String) throws {
    #expect(
      ValueParsing.when(text, clock: try Self.clock("UTC"), now: Timestamp(microseconds: 0)) == nil)
  }

  @Test(arguments: [
    ("2026-06", "2026-06-01", "2026-06-30"), ("2028-02", "2028-02-01", "2028-02-29"),
    ("2026", "2026-01-01", "2026-12-31"),
  ])
  func `a month and a year are all their days`(text: String, first: String, last: String) {
    let days = ValueParsing.period(text)
    #expect(days.map { DateText.date(dayNumber: $0.lowerBound) } == first)
    #expect(days.map { DateText.date(dayNumber: $0.upperBound) } == last)
  }

  @Test(arguments: ["2026-13", "2026-00", "2026-6", "2026-", "26", "0000", "20260", ""])
  func `what is no month and no year is refused`(text: String) {
    #expect(ValueParsing.period(text) == nil)
  }

  @Test func `a day begins where its zone says, also on the day the clocks change`() throws {
    // Berlin goes from UTC+1 to UTC+2 on 2026-03-29 at 02:00: the day begins at 23:00 UTC of the 28th,
    // and the next one at 22:00 UTC. 2026-03-29T00:00Z is 1774742400.
    let clock = try Self.clock("Europe/Berlin")
    let day = Timestamp.days(year: 2026, month: 3, day: 29)
    #expect(clock.startOfDay(day).microseconds == (1_774_742_400 - 3_600) * 1_000_000)
    #expect(clock.startOfDay(day + 1).microseconds == (1_774_742_400 + 86_400 - 7_200) * 1_000_000)
  }

  @Test func `a day of a zone far from UTC is the right one`() throws {
    // Kiritimati is UTC+14: its 2026-06-09 begins at 2026-06-08T10:00Z = 1780912800.
    let clock = try Self.clock("Pacific/Kiritimati")
    let day = Timestamp.days(year: 2026, month: 6, day: 9)
    #expect(clock.startOfDay(day).microseconds == 1_780_912_800_000_000)
  }

  @Test(arguments: zip(["2026-11-30", "1970-01-01", "1969-12-28"], [1, 4, 7]))
  func `weekdays are those of the calendar`(date: String, weekday: Int) throws {
    guard
      case .day(let day)? = ValueParsing.when(
        date, clock: try Self.clock("UTC"), now: Timestamp(microseconds: 0))
    else { return #expect(Bool(false)) }
    #expect(DateText.weekday(dayNumber: day) == weekday)
    #expect(DateText.date(dayNumber: day) == date)
  }
}

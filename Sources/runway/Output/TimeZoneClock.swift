internal import Foundation
internal import RunWayModel

/// Turns moments into a time zone's dates, and dates into moments.
struct TimeZoneClock: Sendable {
  let zone: TimeZone
  private var cachedQuarter: Int64 = .min
  private var cachedOffset: Int64 = 0

  init(_ zone: TimeZone) {
    self.zone = zone
  }

  /// Offsets change on a whole quarter of an hour of UTC everywhere since 1972, so one look-up
  /// serves all moments of a quarter.
  private static let quarter: Int64 = 900_000_000

  /// The zone's offset from UTC in microseconds.
  mutating func offset(at moment: Timestamp) -> Int64 {
    let quarter = moment.microseconds / TimeZoneClock.quarter
    if quarter != cachedQuarter {
      let date = Date(timeIntervalSince1970: Double(moment.microseconds) / 1_000_000)
      cachedOffset = Int64(zone.secondsFromGMT(for: date)) * 1_000_000
      cachedQuarter = quarter
    }
    return cachedOffset
  }

  /// The date and time of day that the zone's clocks show.
  mutating func components(of moment: Timestamp) -> Timestamp.Components {
    moment.shifted(byMicroseconds: offset(at: moment)).components
  }

  /// The day, counted from 1970-01-01, on the zone's calendars.
  mutating func dayNumber(of moment: Timestamp) -> Int {
    let parts = components(of: moment)
    return Timestamp.days(year: parts.year, month: parts.month, day: parts.day)
  }

  /// The moment at which a day begins in the zone, which is not midnight where the clocks skip it.
  func startOfDay(_ dayNumber: Int) -> Timestamp {
    let utc = Int64(dayNumber) * Timestamp.microsecondsPerDay
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = zone
    // Noon by the offset of UTC noon is on the right day in every zone but
    // those 12 hours and more away, whose day the second look settles.
    var clock = self
    var noon = Timestamp(microseconds: utc + Timestamp.microsecondsPerDay / 2)
    for _ in 0..<2 {
      noon = Timestamp(
        microseconds: utc + Timestamp.microsecondsPerDay / 2 - clock.offset(at: noon))
    }
    let start = calendar.startOfDay(
      for: Date(timeIntervalSince1970: Double(noon.microseconds) / 1_000_000))
    return Timestamp(microseconds: Int64((start.timeIntervalSince1970 * 1_000_000).rounded()))
  }

  /// The moment at which the zone's clocks show a date and time of day.
  func moment(of local: Timestamp.Components) -> Timestamp {
    let day = Timestamp.days(year: local.year, month: local.month, day: local.day)
    let seconds = Int64(local.hour * 3_600 + local.minute * 60 + local.second)
    let wall =
      Int64(day) * Timestamp.microsecondsPerDay + seconds * 1_000_000 + Int64(local.microsecond)
    var clock = self
    var moment = Timestamp(microseconds: wall)
    // Twice, for the first offset may be that of the other side of a change.
    for _ in 0..<2 {
      moment = Timestamp(microseconds: wall - clock.offset(at: moment))
    }
    return moment
  }

  // MARK: Text

  /// `2026-06-09`.
  mutating func date(_ moment: Timestamp) -> String {
    DateText.date(components(of: moment))
  }

  /// `06:30`.
  mutating func time(_ moment: Timestamp) -> String {
    let parts = components(of: moment)
    return "\(DateText.twoDigits(parts.hour)):\(DateText.twoDigits(parts.minute))"
  }

  /// `06:30:05`.
  mutating func timeWithSeconds(_ moment: Timestamp) -> String {
    "\(time(moment)):\(DateText.twoDigits(components(of: moment).second))"
  }
}

/// Dates as text.
enum DateText {
  static func twoDigits(_ value: Int) -> String {
    value < 10 ? "0\(value)" : "\(value)"
  }

  static func date(_ parts: Timestamp.Components) -> String {
    let year = String(repeating: "0", count: max(0, 4 - "\(parts.year)".count)) + "\(parts.year)"
    return "\(year)-\(twoDigits(parts.month))-\(twoDigits(parts.day))"
  }

  static func date(dayNumber: Int) -> String {
    date(Timestamp(microseconds: Int64(dayNumber) * Timestamp.microsecondsPerDay).components)
  }

  /// 1 is Monday, 7 is Sunday.
  static func weekday(dayNumber: Int) -> Int {
    // 1970-01-01 was a Thursday.
    (dayNumber % 7 + 7 + 3) % 7 + 1
  }
}

/// A moment on the UTC time line, exact to the microsecond.
///
/// Stored as a whole number of microseconds, so that what a file says to six
/// digits is kept, compared and written back without rounding.
@frozen public struct Timestamp: Sendable, Hashable, Comparable {
  /// Microseconds since 1970-01-01T00:00:00Z, negative before it.
  public var microseconds: Int64

  /// Makes the moment that many microseconds after 1970-01-01T00:00:00Z.
  @inlinable public init(microseconds: Int64) {
    self.microseconds = microseconds
  }

  /// The first moment that can be written with a four-digit year: 0001-01-01T00:00:00Z.
  public static let earliest = Timestamp(microseconds: -62_135_596_800_000_000)

  /// The last moment that can be written with a four-digit year: 9999-12-31T23:59:59.999999Z.
  public static let latest = Timestamp(microseconds: 253_402_300_799_999_999)

  @inlinable public static func < (left: Timestamp, right: Timestamp) -> Bool {
    left.microseconds < right.microseconds
  }

  /// The seconds from an earlier moment to this one, negative if it is later.
  @inlinable public func seconds(since other: Timestamp) -> Double {
    let (difference, overflow) = microseconds.subtractingReportingOverflow(other.microseconds)
    // Only moments far outside of the calendar are so far apart that rounding before the subtraction is right.
    if overflow { return (Double(microseconds) - Double(other.microseconds)) / 1_000_000 }
    return Double(difference) / 1_000_000
  }

  /// This moment moved by whole microseconds, kept within `earliest ... latest`.
  @inlinable public func shifted(byMicroseconds shift: Int64) -> Timestamp {
    let (moved, overflow) = microseconds.addingReportingOverflow(shift)
    let bound = shift < 0 ? Timestamp.earliest : Timestamp.latest
    if overflow { return bound }
    return min(max(Timestamp(microseconds: moved), .earliest), .latest)
  }
}

// MARK: - The proleptic Gregorian calendar

extension Timestamp {
  /// The number of microseconds in a day of UTC, which has no leap seconds here.
  public static let microsecondsPerDay: Int64 = 86_400_000_000

  /// Counts the days from 1970-01-01 to a date of the proleptic Gregorian calendar.
  ///
  /// The month and day are taken as they are; whether the date exists is for the caller to check.
  /// The formula counts whole 400-year eras of years that begin in March, so that the leap day
  /// is a year's last: Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms".
  ///
  /// - Parameters:
  ///   - year: The year, 1 … 9999.
  ///   - month: The month, 1 … 12.
  ///   - day: The day of the month, 1 … 31.
  /// - Returns: The days since 1970-01-01, negative before it.
  @inlinable public static func days(year: Int, month: Int, day: Int) -> Int {
    let year = month <= 2 ? year - 1 : year
    let era = (year >= 0 ? year : year - 399) / 400
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  /// Counts the days of a month of the proleptic Gregorian calendar.
  @inlinable public static func daysInMonth(_ month: Int, year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// The date and time of day in UTC, as the calendar writes them.
  public struct Components: Sendable, Hashable {
    /// 1 … 9999 between `earliest` and `latest`.
    public var year: Int
    /// 1 … 12.
    public var month: Int
    /// The day of the month, 1 … 31.
    public var day: Int
    /// 0 … 23.
    public var hour: Int
    /// 0 … 59.
    public var minute: Int
    /// 0 … 59; there are no leap seconds.
    public var second: Int
    /// 0 … 999,999.
    public var microsecond: Int

    /// Makes components; whether they name a moment is for the caller to check.
    public init(
      year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0,
      microsecond: Int = 0
    ) {
      self.year = year
      self.month = month
      self.day = day
      self.hour = hour
      self.minute = minute
      self.second = second
      self.microsecond = microsecond
    }
  }

  /// The date and time of day in UTC.
  public var components: Components {
    let (quotient, remainder) = microseconds.quotientAndRemainder(
      dividingBy: Timestamp.microsecondsPerDay)
    let dayNumber = Int(remainder < 0 ? quotient - 1 : quotient)
    let microsecondOfDay = Int(remainder < 0 ? remainder + Timestamp.microsecondsPerDay : remainder)

    let shifted = dayNumber + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let marchMonth = (5 * dayOfYear + 2) / 153
    let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
    let secondOfDay = microsecondOfDay / 1_000_000
    return Components(
      year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0),
      month: month,
      day: dayOfYear - (153 * marchMonth + 2) / 5 + 1,
      hour: secondOfDay / 3_600,
      minute: secondOfDay / 60 % 60,
      second: secondOfDay % 60,
      microsecond: microsecondOfDay % 1_000_000)
  }
}

// MARK: - ISO 8601

extension Timestamp: CustomStringConvertible {
  /// The moment by ISO 8601 in UTC, with as many digits of the fraction as it has: `2026-06-09T06:30:00.25Z`.
  public var iso8601: String {
    let parts = components
    // Written byte by byte: a list of all alerts holds hundreds of thousands of these.
    return String(unsafeUninitializedCapacity: 32) { text in
      var count = 0
      func put(_ mark: Unicode.Scalar) {
        text[count] = UInt8(ascii: mark)
        count += 1
      }
      func put(_ value: Int, digits: Int) {
        var rest = value.magnitude
        for place in (count..<count + digits).reversed() {
          text[place] = UInt8(ascii: "0") + UInt8(rest % 10)
          rest /= 10
        }
        count += digits
      }
      if parts.year < 0 { put("-") }
      // Beyond the calendar's own notation, which `earliest` and `latest` bound, a year has up to six digits.
      put(parts.year, digits: parts.year.magnitude > 9_999 ? 6 : 4)
      put("-")
      put(parts.month, digits: 2)
      put("-")
      put(parts.day, digits: 2)
      put("T")
      put(parts.hour, digits: 2)
      put(":")
      put(parts.minute, digits: 2)
      put(":")
      put(parts.second, digits: 2)
      if parts.microsecond > 0 {
        put(".")
        put(parts.microsecond, digits: 6)
        while text[count - 1] == UInt8(ascii: "0") { count -= 1 }
      }
      put("Z")
      return count
    }
  }

  /// The moment by ISO 8601 in UTC.
  public var description: String { iso8601 }
}

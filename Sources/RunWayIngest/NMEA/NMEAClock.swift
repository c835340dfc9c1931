import RunWayModel

/// Puts times of day on the time line.
///
/// Days are counted from 1970-01-01. Until the source names a date they run from a provisional day.
struct NMEAClock {
  /// The day of the newest time, provisional while not dated.
  private(set) var day = 0
  /// The newest time, microseconds of the day; `nil` before the first.
  private(set) var timeOfDay: Int64?
  /// Whether the source named a date.
  private(set) var isDated = false

  private static let hour: Int64 = 3_600_000_000
  private static let minute: Int64 = 60_000_000

  /// The time on the time line, in microseconds.
  static func microseconds(day: Int, timeOfDay: Int64) -> Int64 {
    Int64(day) &* Timestamp.microsecondsPerDay &+ timeOfDay
  }

  /// Chooses the provisional day that puts a time nearest to a moment.
  mutating func anchor(_ time: Int64, near moment: Timestamp) {
    let half = Timestamp.microsecondsPerDay / 2
    let start = moment.microseconds &- time &+ half
    let (quotient, remainder) = start.quotientAndRemainder(
      dividingBy: Timestamp.microsecondsPerDay)
    day = Int(remainder < 0 ? quotient - 1 : quotient)
  }

  /// The day of a time that comes without a date.
  ///
  /// A time more than 12 h back has passed midnight. One more than 23 h ahead is a late one from before the
  /// midnight that has passed, and does not turn the clock back.
  ///
  /// - Parameter time: Microseconds of the day.
  /// - Returns: Its day.
  mutating func day(of time: Int64) -> Int {
    guard let newest = timeOfDay else {
      timeOfDay = time
      return day
    }
    if time &- newest > 23 * Self.hour { return day - 1 }
    if time &- newest < -12 * Self.hour { day += 1 }
    timeOfDay = time
    return day
  }

  /// Takes a time that comes with its date.
  ///
  /// - Parameters:
  ///   - time: Microseconds of the day.
  ///   - date: The date that the source gives.
  /// - Returns: The day to believe, and by how many days everything before moves: 0 but for the first date.
  mutating func settle(_ time: Int64, on date: Int) -> (day: Int, shift: Int) {
    if !isDated {
      isDated = true
      let shift = date - day(of: time)
      day += shift
      return (date, shift)
    }
    let newest = Self.microseconds(day: day, timeOfDay: timeOfDay ?? 0)
    let behind = newest &- Self.microseconds(day: date, timeOfDay: time)
    // A sentence that was overtaken at midnight.
    if behind > 0, behind < Self.hour { return (date, 0) }
    // A receiver that turns its date some time after its clock does, or, by GPS time, seconds before: the clock runs on.
    if time < Self.hour, abs(behind &- Timestamp.microsecondsPerDay) < Self.minute {
      day = date + 1
    } else if time >= Timestamp.microsecondsPerDay &- Self.minute,
      (1...Self.minute).contains(0 &- Timestamp.microsecondsPerDay &- behind)
    {
      day = date - 1
    } else {
      day = date
    }
    timeOfDay = time
    return (day, 0)
  }
}

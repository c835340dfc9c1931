internal import RunWayModel

/// Recognises that a runner stands still.
///
/// Readings of the rule:
/// - A location without a receiver speed is judged by the receiver as long as the last speed is less than 8 s old
///   (receivers that report position more often than speed), else by positions.
/// - A stop ends with its last stationary location: the step that leads away from there is run.
/// - A single slow step of 8 s or more is a stop of its own, and is over at its end: the look back from later locations
///   does not reach across it. (Otherwise a runner who goes on after a gap would stand for another 8 s.)
/// - A step that locations without a time interrupt has no speed of its own, and is run.
struct StopDetector: Sendable {
  /// Metres per second.
  private static let slowest = 0.5
  /// Microseconds below that speed, by the receiver.
  private static let receiverSpan: Int64 = 2_000_000
  /// Microseconds of a slow step, and the age at which a receiver's speed is too old to judge by.
  private static let positionSpan: Int64 = 8_000_000
  /// The first microseconds of a flight, in which no step is stationary.
  private static let grace: Int64 = 5_000_000

  /// The first location of those that the receiver called slow.
  private var slowSince: Mark?
  /// When the receiver last gave a speed.
  private var receiverTime: Timestamp?
  /// Stops are never backdated to before this: the end of the last stop, or of the last step of the flight's first seconds.
  private var earliest: Mark?
  private var takeoff: Timestamp?

  private(set) var isStationary = false

  /// Begins a new segment.
  mutating func restart() {
    slowSince = nil
    receiverTime = nil
    earliest = nil
    isStationary = false
  }

  /// Judges the step to a paced location.
  ///
  /// - Parameters:
  ///   - location: The location.
  ///   - time: Its time.
  ///   - previous: The last paced location of the segment.
  ///   - step: Metres from there; `nil` where locations without a time lie between.
  ///   - recent: The locations before it.
  /// - Returns: The moment the stop is backdated to; `nil` where the step was run.
  @inline(__always)
  mutating func judge(
    _ location: Location, at time: Timestamp, after previous: Mark, step: Double?,
    recent: inout RecentLocations
  ) -> Mark? {
    if let speed = location.receiverSpeed {
      receiverTime = time
      if speed >= StopDetector.slowest { slowSince = nil }
    }
    isStationary = false
    let sinceTakeoff = previous.time.microseconds &- (takeoff ?? previous.time).microseconds
    if sinceTakeoff >= 0, sinceTakeoff < StopDetector.grace {
      // Not stationary, but a gap that no look back may reach across all the same.
      if isSlowGap(to: time, after: previous, step: step) { recent.raiseFloor() }
      return nil
    }
    guard
      let start = stopStart(location, at: time, after: previous, step: step, recent: &recent)
    else { return nil }
    isStationary = true
    guard let earliest, earliest.time > start.time else { return start }
    return earliest
  }

  /// Takes note of a location, once the sums up to it are known.
  @inline(__always)
  mutating func finish(_ location: Location, at now: Mark, after previous: Timestamp?) {
    let takeoff = self.takeoff ?? now.time
    self.takeoff = takeoff
    if slowSince == nil, let speed = location.receiverSpeed, speed < StopDetector.slowest {
      slowSince = now
    }
    if isStationary {
      earliest = now
    } else if let previous {
      let sinceTakeoff = previous.microseconds &- takeoff.microseconds
      if sinceTakeoff >= 0, sinceTakeoff < StopDetector.grace { earliest = now }
    }
  }

  @inline(__always)
  private func stopStart(
    _ location: Location, at time: Timestamp, after previous: Mark, step: Double?,
    recent: inout RecentLocations
  ) -> Mark? {
    guard let step else { return receiverStop(at: time) }
    if isSlowGap(to: time, after: previous, step: step) {
      recent.raiseFloor()
      // The stop may have begun before this step, by the receiver.
      guard isJudgedByReceiver(at: time), let start = receiverStop(at: time),
        start.time < previous.time
      else { return previous }
      return start
    }
    if isJudgedByReceiver(at: time) { return receiverStop(at: time) }
    return recent.standstill(
      at: time, latitude: location.latitude, longitude: location.longitude,
      slowest: StopDetector.slowest)
  }

  /// Whether a step is one of 8 s or more below the slowest speed.
  @inline(__always)
  private func isSlowGap(to time: Timestamp, after previous: Mark, step: Double?) -> Bool {
    guard let step else { return false }
    let interval = time.microseconds &- previous.time.microseconds
    return interval >= StopDetector.positionSpan
      && step * 1_000_000 < StopDetector.slowest * Double(interval)
  }

  @inline(__always)
  private func isJudgedByReceiver(at time: Timestamp) -> Bool {
    guard let receiverTime else { return false }
    return time.microseconds &- receiverTime.microseconds < StopDetector.positionSpan
  }

  private func receiverStop(at time: Timestamp) -> Mark? {
    guard let slowSince,
      time.microseconds &- slowSince.time.microseconds >= StopDetector.receiverSpan
    else { return nil }
    return slowSince
  }
}

extension Location {
  /// The receiver's speed, if it is one.
  @inline(__always)
  var receiverSpeed: Double? {
    guard let speed, speed >= 0, speed.isFinite else { return nil }
    return speed
  }
}

internal import Glibc
public import RunWayModel

/// Smooths speed, and gives the pace.
///
/// An exponential average applied twice, with β = 1 − exp(−Δt / 8 s), so that the answer does not depend on how
/// often the receiver reports.
public struct SpeedSmoother: Sendable {
  /// Seconds.
  private static let timeConstant = 8.0
  /// Microseconds; after a longer gap the average starts anew.
  private static let longestGap: Int64 = 30_000_000
  /// Metres per second; nobody who is slower has a pace.
  static let slowest = 0.5

  private var once = 0.0
  private var twice = 0.0
  private var hasStarted = false
  private var lastTime: Timestamp?
  // Receivers report at a steady rate: the exponential is needed anew only when the interval changes.
  private var interval: Int64 = 0
  private var share = 0.0

  /// Makes a smoother that has seen nothing.
  public init() {}

  /// Forgets everything, as a segment break demands.
  public mutating func restart() {
    hasStarted = false
    lastTime = nil
  }

  /// Takes the next speed; there is no average before the first one above 0.
  ///
  /// - Parameters:
  ///   - speed: Metres per second, finite, 0 or more; `nil` where unknown, which changes nothing.
  ///   - time: Later than the last one's.
  public mutating func add(speed: Double?, at time: Timestamp) {
    let elapsed = lastTime.map { time.microseconds &- $0.microseconds } ?? 0
    lastTime = time
    if elapsed > SpeedSmoother.longestGap { hasStarted = false }
    guard let speed else { return }
    guard hasStarted else {
      hasStarted = speed > 0
      once = speed
      twice = speed
      return
    }
    if elapsed != interval {
      interval = elapsed
      share = 1 - exp(-Double(elapsed) / 1_000_000 / SpeedSmoother.timeConstant)
    }
    once += share * (speed - once)
    twice += share * (once - twice)
  }

  /// The pace of the smoothed speed; `nil` below 0.5 m/s and before the average has started.
  public var pace: Pace? {
    guard hasStarted, twice >= SpeedSmoother.slowest else { return nil }
    return Pace(metersPerSecond: twice)
  }
}

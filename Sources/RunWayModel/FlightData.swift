/// What the ground-proximity warning system says of the pace.
///
/// In free flight there is no state at all.
public enum GPWSState: String, Sendable, Hashable, CaseIterable, Codable {
  /// On the target, or not judged.
  case normal
  /// Slower than the target allows.
  case sinkRate
  /// Faster than the target allows.
  case overspeed
  /// Close to the finish.
  case minimums

  /// The words that are called out when this state is entered.
  public var callout: String {
    switch self {
    case .normal: "GLIDE PATH"
    case .sinkRate: "SINK RATE"
    case .overspeed: "OVERSPEED"
    case .minimums: "MINIMUMS"
    }
  }
}

/// The part of a flight that a runner is in.
public enum FlightPhase: String, Sendable, Hashable, CaseIterable, Codable {
  /// Before takeoff.
  case preflight
  /// The first 5 seconds.
  case takeoff
  /// Under way.
  case cruise
  /// Under way, and the state is `minimums`.
  case approach
  /// Ended.
  case touchdown
}

/// The live snapshot of a flight, as of the last location that counts.
public struct FlightData: Sendable, Hashable {
  /// The time of that location.
  public var timestamp: Timestamp?
  /// The distance run so far.
  public var distance: Distance = .zero
  /// The smoothed pace; `nil` while standing or unknown.
  public var pace: Pace?
  /// Seconds from the earliest location to the latest.
  public var elapsedTime: Double = 0
  /// Seconds of it that count as running.
  public var movingTime: Double = 0
  /// Metres.
  public var altitude: Double?
  /// Degrees clockwise from true north, 0 ..< 360.
  public var heading: Double?
  /// Degrees north.
  public var latitude: Double?
  /// Degrees east.
  public var longitude: Double?
  /// `nil` in free flight.
  public var gpwsState: GPWSState?
  /// The part of the flight that the location lies in.
  public var phase: FlightPhase = .preflight

  /// Makes the snapshot of a flight that has not begun.
  public init() {}
}

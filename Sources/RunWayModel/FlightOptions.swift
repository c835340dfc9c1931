/// How a flight is judged, apart from its mission.
public struct FlightOptions: Sendable, Hashable {
  /// Metres per second above which steps into and out of a location make it a spike, finite and above 0.
  public var maxSpeed: Double

  /// The speed limit of a flight that names none: 12.5 m/s.
  public static let defaultMaxSpeed: Double = 12.5

  /// Makes options.
  public init(maxSpeed: Double = FlightOptions.defaultMaxSpeed) {
    self.maxSpeed = maxSpeed
  }
}

/// What a runner sets out to do: Mode A.
///
/// A flight without a mission is a free flight, Mode B.
public struct Mission: Sendable, Hashable {
  /// The target pace.
  public var pace: Pace
  /// How far the pace may stray to either side, seconds per kilometre, above 0.
  public var tolerance: Double
  /// The distance to run, if there is a finish.
  public var distance: Distance?

  /// The tolerance of a mission that names none: 10 seconds per kilometre.
  public static let defaultTolerance: Double = 10

  /// Makes a mission.
  public init(
    pace: Pace, tolerance: Double = Mission.defaultTolerance, distance: Distance? = nil
  ) {
    self.pace = pace
    self.tolerance = tolerance
    self.distance = distance
  }
}

/// Whether a flight follows a mission.
public enum FlightMode: String, Sendable, Hashable, CaseIterable, Codable {
  /// With a mission.
  case modeA
  /// Free flight.
  case modeB
}

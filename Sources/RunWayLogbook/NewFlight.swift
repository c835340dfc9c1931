public import RunWayModel

/// What is known of a flight before its first location.
public struct NewFlight: Sendable, Hashable {
  public var id: FlightID
  public var source: FlightSource
  /// `nil` for free flight.
  public var mission: Mission?
  /// The name of the saved mission it is flown with.
  public var missionName: String?
  public var options: FlightOptions

  /// Makes what is known of a flight before its first location.
  public init(
    id: FlightID = FlightID(), source: FlightSource = FlightSource(), mission: Mission? = nil,
    missionName: String? = nil, options: FlightOptions = FlightOptions()
  ) {
    self.id = id
    self.source = source
    self.mission = mission
    self.missionName = missionName
    self.options = options
  }
}

/// What became of a flight that was to be stored.
public enum StoreOutcome: Sendable, Hashable {
  case stored(FlightID)
  /// The same recording is there already, and nothing was stored.
  case duplicate(of: FlightID)
}

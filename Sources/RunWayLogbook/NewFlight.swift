public import RunWayModel

/// What is known of a flight before its first location.
public struct NewFlight: Sendable, Hashable {
  /// The identity it is to have.
  public var id: FlightID
  /// What its source has called it so far.
  public var name: String?
  /// What kind of activity its source has said it is so far.
  public var type: String?
  /// Where it comes from.
  public var source: FlightSource
  /// `nil` for free flight.
  public var mission: Mission?
  /// The name of the saved mission it is flown with.
  public var missionName: String?
  /// How it is judged, apart from the mission.
  public var options: FlightOptions
  /// The energy its source has said was spent, kcal.
  public var calories: Double?
  /// When it begins where its source bears no times.
  public var date: Timestamp?

  /// Makes what is known of a flight before its first location.
  public init(
    id: FlightID = FlightID(), name: String? = nil, type: String? = nil,
    source: FlightSource = FlightSource(), mission: Mission? = nil,
    missionName: String? = nil, options: FlightOptions = FlightOptions(), calories: Double? = nil,
    date: Timestamp? = nil
  ) {
    self.id = id
    self.name = name
    self.type = type
    self.source = source
    self.mission = mission
    self.missionName = missionName
    self.options = options
    self.calories = calories
    self.date = date
  }
}

/// What became of a flight that was to be stored.
public enum StoreOutcome: Sendable, Hashable {
  /// It is stored, under this identity.
  case stored(FlightID)
  /// The same recording is there already, and nothing was stored.
  case duplicate(of: FlightID)
}

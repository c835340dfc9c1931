/// One stored episode of `sinkRate`, `overspeed` or `minimums`.
public struct Alert: Sendable, Hashable {
  /// The alert's number within its flight, counted from 0 in the order of opening.
  public var number: Int
  /// What was called out; never `normal`.
  public var state: GPWSState
  /// The time of the location that began the episode, never the clock's.
  public var timestamp: Timestamp
  /// The time of the location where the state ended; `nil` while it lasts.
  public var endedAt: Timestamp?
  /// The pace at the location that began the episode.
  public var pace: Pace?
  /// The pace of the episode that lies farthest from the target.
  public var peakPace: Pace?
  /// The distance run when the episode began.
  public var distance: Distance
  /// Degrees north.
  public var latitude: Double
  /// Degrees east.
  public var longitude: Double

  /// Makes an alert.
  public init(
    number: Int, state: GPWSState, timestamp: Timestamp, endedAt: Timestamp? = nil,
    pace: Pace? = nil, peakPace: Pace? = nil, distance: Distance, latitude: Double,
    longitude: Double
  ) {
    self.number = number
    self.state = state
    self.timestamp = timestamp
    self.endedAt = endedAt
    self.pace = pace
    self.peakPace = peakPace
    self.distance = distance
    self.latitude = latitude
    self.longitude = longitude
  }
}

/// A change of the warning system's state, announced as it happens.
public struct Callout: Sendable, Hashable {
  /// The state entered.
  public var state: GPWSState
  /// The time of the location at which the state changed.
  public var timestamp: Timestamp?
  /// The pace at that location.
  public var pace: Pace?
  /// The distance run by then.
  public var distance: Distance

  /// Makes a callout.
  public init(state: GPWSState, timestamp: Timestamp?, pace: Pace?, distance: Distance) {
    self.state = state
    self.timestamp = timestamp
    self.pace = pace
    self.distance = distance
  }
}

public import RunWayModel

/// What one batch of locations brought about.
public struct FlightUpdate: Sendable, Hashable {
  /// The verdicts reached with this batch on valid locations that do not count, of this batch or held from an earlier one.
  public var discards: [Discard] = []
  /// What happened, in the order of the locations.
  public var events: [FlightEvent] = []

  /// Makes an update that says nothing.
  public init() {}
}

/// One thing that happens in flight.
public enum FlightEvent: Sendable, Hashable {
  /// The first location that counts was seen.
  case takeoff(FlightData)
  /// A second of track time has passed; only where snapshots were asked for.
  case snapshot(FlightData)
  /// The warning system's state changed.
  case callout(Callout)
  /// An alert is to be stored; its end is still open.
  case alertOpened(Alert)
  /// A stored alert is complete.
  case alertEnded(Alert)
}

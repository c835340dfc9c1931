public import RunWayModel

/// Tracks one flight, synchronously: the filter, the measures and the warning system in a row.
///
/// A value without a clock or any input of its own. `RunningCenter` serialises one; a stored flight can be
/// flown again with another. Memory does not grow with the flight, apart from alerts and splits.
public struct FlightComputer: Sendable {
  /// Makes the computer of a flight that has not begun.
  ///
  /// - Parameters:
  ///   - mission: What the runner sets out to do; `nil` for a free flight.
  ///   - options: How the flight is judged.
  ///   - snapshots: Whether updates carry a snapshot for each second of track time.
  public init(
    mission: Mission? = nil, options: FlightOptions = FlightOptions(), snapshots: Bool = false
  ) {
  }

  /// The snapshot as of the last location that counts.
  public var data: FlightData { FlightData() }

  /// Takes the next locations of the flight.
  ///
  /// - Parameters:
  ///   - locations: Valid ones are numbered in their order, the others counted.
  ///   - update: The verdicts reached and the events are appended here.
  /// - Complexity: Linear in the number of locations, without a heap object for any.
  public mutating func process(_ locations: [Location], into update: inout FlightUpdate) {
  }

  /// Moves every time of the flight so far, its alerts included.
  ///
  /// - Parameter shift: The microseconds to add.
  public mutating func redate(byMicroseconds shift: Int64) {
  }

  /// Ends the flight; it takes no more locations.
  ///
  /// - Parameter update: The verdicts and events that were still open are appended here.
  /// - Returns: Everything that is known of the flight.
  public mutating func finish(into update: inout FlightUpdate) -> FlightReport {
    FlightReport(totals: FlightTotals(), fingerprint: RecordingFingerprinter().fingerprint)
  }
}

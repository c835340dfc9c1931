public import RunWayModel

/// What became of one flight of a logbook that was merged into another.
public enum MergeOutcome: Sendable, Hashable {
  /// It was taken in, under this identity; also where it goes on behind what was there of it.
  case stored(FlightID)
  /// It was there already.
  case duplicate(MergeReport.Duplicate)
  /// It was not taken in.
  case refused(MergeReport.Refusal)
}

/// What became of the flights of a logbook that was merged into another.
public struct MergeReport: Sendable, Hashable {
  /// A flight that was there already.
  public struct Duplicate: Sendable, Hashable {
    /// Its identity in the logbook merged.
    public var id: FlightID
    /// The flight that holds the same recording.
    public var existing: FlightID
  }

  /// A flight that can't be taken in.
  public struct Refusal: Sendable, Hashable {
    /// Its identity in the logbook merged.
    public var id: FlightID
    /// A clause that says what is wrong with it.
    public var reason: String
  }

  /// The flights taken in, by their identities here.
  public var stored: [FlightID] = []
  /// The flights that were here already.
  public var duplicates: [Duplicate] = []
  /// The flights that were not taken in.
  public var refused: [Refusal] = []

  /// Makes the report of nothing merged.
  public init() {}

  /// Counts a flight in.
  public mutating func add(_ outcome: MergeOutcome) {
    switch outcome {
    case .stored(let id): stored.append(id)
    case .duplicate(let duplicate): duplicates.append(duplicate)
    case .refused(let refusal): refused.append(refusal)
    }
  }
}

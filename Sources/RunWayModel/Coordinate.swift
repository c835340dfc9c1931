/// Why a location does not count.
public enum DiscardReason: String, Sendable, Hashable, CaseIterable, Codable {
  /// Latitude or longitude missing, not finite or out of range.
  case invalid
  /// The same time and position as the last location that counts.
  case duplicate
  /// Inside a time span that is already covered, or far ahead of what follows.
  case backwards
  /// Reached and left faster than anybody runs.
  case spike
}

/// How many locations of a flight were discarded, by reason.
public struct DiscardCounts: Sendable, Hashable {
  /// Locations without a usable position.
  public var invalid = 0
  /// Locations that repeat the last one that counts.
  public var duplicate = 0
  /// Locations inside a covered time span, or far ahead of what follows.
  public var backwards = 0
  /// Locations reached and left faster than anybody runs.
  public var spike = 0

  /// Makes counts of zero.
  public init() {}

  /// The count of one reason.
  public subscript(reason: DiscardReason) -> Int {
    get {
      switch reason {
      case .invalid: invalid
      case .duplicate: duplicate
      case .backwards: backwards
      case .spike: spike
      }
    }
    set {
      switch reason {
      case .invalid: invalid = newValue
      case .duplicate: duplicate = newValue
      case .backwards: backwards = newValue
      case .spike: spike = newValue
      }
    }
  }

  /// The sum over all reasons.
  public var total: Int { invalid + duplicate + backwards + spike }
}

/// One stored location with its place in the flight.
public struct Coordinate: Sendable, Hashable {
  /// 0, 1, 2, … over all valid locations of the flight.
  public var order: Int
  /// The location as read.
  public var location: Location
  /// Why it does not count; `nil` where it counts.
  public var discarded: DiscardReason?

  /// Makes a coordinate.
  public init(order: Int, location: Location, discarded: DiscardReason? = nil) {
    self.order = order
    self.location = location
    self.discarded = discarded
  }
}

/// The verdict on one stored location that does not count.
public struct Discard: Sendable, Hashable {
  /// The coordinate's order in its flight.
  public var order: Int
  /// Why it does not count.
  public var reason: DiscardReason

  /// Makes a verdict.
  public init(order: Int, reason: DiscardReason) {
    self.order = order
    self.reason = reason
  }
}

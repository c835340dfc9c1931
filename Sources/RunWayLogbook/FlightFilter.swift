public import RunWayModel

/// Which flights are meant; what is left out does not narrow the choice.
public struct FlightFilter: Sendable, Hashable {
  /// Started at this moment or later.
  public var since: Timestamp?
  /// Started before this moment.
  public var until: Timestamp?
  /// At least so long.
  public var minimumDistance: Distance?
  /// At most so long.
  public var maximumDistance: Distance?
  /// At this pace or a faster one.
  public var slowestPace: Pace?
  /// At this pace or a slower one.
  public var fastestPace: Pace?
  /// Bears a tag of this name, whatever the case of its letters.
  public var tag: String?
  /// Flown with a mission, or without one.
  public var mode: FlightMode?
  /// Flown with the saved mission of this name, whatever the case of its letters.
  public var mission: String?
  /// Has this in its name, whatever the case of its letters.
  public var name: String?
  /// Whether it has touched down.
  public var touchedDown: Bool?

  /// Means all flights.
  public init() {}
}

/// The order in which flights are given.
public struct FlightSort: Sendable, Hashable {
  /// What flights are compared by.
  public enum Key: String, Sendable, Hashable, CaseIterable {
    /// The earliest time.
    case startedAt
    /// The distance run.
    case distance
    /// The average pace; the fastest comes first when ascending.
    case pace
    /// The name, whatever the case of its letters.
    case name
    /// The order in which they were stored.
    case stored = "key"
  }

  /// What flights are compared by.
  public var key: Key
  /// Whether the least comes first.
  public var ascending: Bool

  /// Makes an order.
  public init(_ key: Key, ascending: Bool = true) {
    self.key = key
    self.ascending = ascending
  }

  /// The same the other way round; what is unknown comes last still.
  public var reversed: FlightSort { FlightSort(key, ascending: !ascending) }

  /// By the time they started, the latest first.
  public static let newestFirst = FlightSort(.startedAt, ascending: false)
  /// By the time they started, the earliest first.
  public static let oldestFirst = FlightSort(.startedAt)
  /// By distance, the greatest first.
  public static let longestFirst = FlightSort(.distance, ascending: false)
  /// By average pace, the fastest first.
  public static let fastestFirst = FlightSort(.pace)
}

/// Which alerts are meant; what is left out does not narrow the choice.
public struct AlertFilter: Sendable, Hashable {
  /// Began at this moment or later.
  public var since: Timestamp?
  /// Began before this moment.
  public var until: Timestamp?
  /// Called this out.
  public var state: GPWSState?
  /// Belongs to this flight.
  public var flight: FlightID?

  /// Means all alerts.
  public init(
    since: Timestamp? = nil, until: Timestamp? = nil, state: GPWSState? = nil,
    flight: FlightID? = nil
  ) {
    self.since = since
    self.until = until
    self.state = state
    self.flight = flight
  }
}

// MARK: - SQL

/// A condition with the values of its parameters.
struct Condition {
  private(set) var clauses: [String] = []
  private(set) var values: [(any Bindable)?] = []

  /// Adds a clause where its value is given; the clause holds one `?`.
  mutating func add(_ clause: String, _ value: (any Bindable)?) {
    guard let value else { return }
    clauses.append(clause)
    values.append(value)
  }

  mutating func add(_ clause: String) {
    clauses.append(clause)
  }

  /// Adds all of another condition.
  mutating func add(_ other: Condition) {
    clauses += other.clauses
    values += other.values
  }

  /// `WHERE …`, or nothing.
  var sql: String { clauses.isEmpty ? "" : "WHERE " + clauses.joined(separator: " AND ") }
}

extension FlightFilter {
  var condition: Condition {
    var condition = Condition()
    condition.add("flight.startedAt >= ?", since?.microseconds)
    condition.add("flight.startedAt < ?", until?.microseconds)
    condition.add("flight.distance >= ?", minimumDistance?.meters)
    condition.add("flight.distance <= ?", maximumDistance?.meters)
    condition.add("flight.pace <= ?", slowestPace?.secondsPerKilometer)
    // A distance that took no time has a pace of 0 by the table, and none for a runner.
    if slowestPace != nil { condition.add("flight.pace > 0") }
    condition.add("flight.pace >= ?", fastestPace?.secondsPerKilometer)
    condition.add(
      """
      flight.key IN (SELECT flightTag.flight FROM flightTag WHERE flightTag.tag IN \
      (SELECT tag.key FROM tag WHERE sameName(tag.name, ?)))
      """, tag)
    condition.add(
      "flight.mission IN (SELECT mission.key FROM mission WHERE sameName(mission.name, ?))", mission
    )
    condition.add("nameHas(flight.name, ?)", name)
    condition.add("flight.touchedDown = ?", touchedDown)
    switch mode {
    case .modeA: condition.add("flight.targetPace IS NOT NULL")
    case .modeB: condition.add("flight.targetPace IS NULL")
    case nil: break
    }
    return condition
  }
}

extension FlightSort {
  var sql: String {
    let direction = ascending ? "ASC" : "DESC"
    let column = "flight.\(key.rawValue)"
    let value = key == .name ? NameComparison.key(of: column) : column
    // What is unknown comes last either way; SQLite sorts NULL first when ascending.
    let nulls = ascending && key != .stored ? " NULLS LAST" : ""
    let tie = key == .stored ? "" : ", flight.key \(direction)"
    return "ORDER BY \(value) \(direction)\(nulls)\(tie)"
  }
}

extension AlertFilter {
  var condition: Condition {
    var condition = Condition()
    condition.add("alert.timestamp >= ?", since?.microseconds)
    condition.add("alert.timestamp < ?", until?.microseconds)
    condition.add("alert.state = ?", state?.rawValue)
    condition.add("alert.flight = (SELECT key FROM flight WHERE id = ?)", flight?.rawValue)
    return condition
  }
}

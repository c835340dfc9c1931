public import RunWayModel

/// A stored alert with the flight it belongs to.
public struct LoggedAlert: Sendable, Hashable, Identifiable {
  /// The flight it belongs to.
  public var flightID: FlightID
  /// The alert as it is stored.
  public var alert: Alert

  /// The alert's identity: its flight's, and its number there.
  public var id: String { "\(flightID.rawValue)/\(alert.number)" }

  /// Makes an alert of a flight.
  public init(flightID: FlightID, alert: Alert) {
    self.flightID = flightID
    self.alert = alert
  }
}

// MARK: - Reading alerts

extension Logbook {
  /// Calls a closure for each alert that a filter means, newest first.
  ///
  /// No array of them is made.
  ///
  /// - Parameters:
  ///   - filter: Which ones; all where left out.
  ///   - limit: How many at most.
  ///   - body: Takes an alert.
  /// - Throws: A `LogbookError`, or what the closure throws.
  public func forEachAlert(
    where filter: AlertFilter = AlertFilter(), limit: Int? = nil,
    _ body: (LoggedAlert) throws -> Void
  ) throws {
    let condition = filter.condition
    // The closure's own error must not pass for the logbook's.
    var failure: (any Error)?
    do {
      try connection.forEachRow(
        AlertQuery.list(condition), condition.values + [limit ?? -1]
      ) { row in
        let alert = LoggedAlert(flightID: try id(of: row.integer(0)), alert: AlertQuery.alert(row))
        do { try body(alert) } catch {
          failure = error
          throw error
        }
      }
    } catch {
      throw failure ?? report(error)
    }
  }

  /// The alerts that a filter means, newest first.
  ///
  /// - Parameters:
  ///   - filter: Which ones; all where left out.
  ///   - limit: How many at most.
  /// - Returns: The alerts.
  /// - Throws: A `LogbookError` where the logbook cannot be read.
  public func alerts(
    where filter: AlertFilter = AlertFilter(), limit: Int? = nil
  ) throws(LogbookError) -> [LoggedAlert] {
    try reporting {
      var alerts: [LoggedAlert] = []
      try forEachAlert(where: filter, limit: limit) { alerts.append($0) }
      return alerts
    }
  }

  /// A flight's alerts, in the order in which they began.
  ///
  /// An episode that was recognised late may have begun before one of a lower number.
  ///
  /// - Throws: A `LogbookError` where the logbook cannot be read.
  public func alerts(of id: FlightID) throws(LogbookError) -> [Alert] {
    try reporting {
      try connection.rows(AlertQuery.ofFlight, id.rawValue) { AlertQuery.alert($0) }
    }
  }

  /// How many alerts of each state a filter means; states without any are left out.
  ///
  /// - Parameter filter: Which ones; all where left out.
  /// - Returns: The counts.
  /// - Throws: A `LogbookError` where the logbook cannot be read.
  public func alertCounts(
    where filter: AlertFilter = AlertFilter()
  ) throws(LogbookError) -> [GPWSState: Int] {
    try reporting {
      var counts: [GPWSState: Int] = [:]
      try connection.forEachRow(AlertQuery.counts(filter), filter.condition.values) { row in
        if let state = GPWSState(rawValue: row.text(0)) { counts[state] = row.int(1) }
      }
      return counts
    }
  }

  /// The flight that an alert belongs to.
  ///
  /// - Parameter alert: The alert.
  /// - Returns: The flight; `nil` where it has been deleted since.
  /// - Throws: A `LogbookError` where the logbook cannot be read.
  public func flight(of alert: LoggedAlert) throws(LogbookError) -> Flight? {
    try flight(alert.flightID)
  }

  /// The identity of a flight by its key.
  private func id(of key: Int64) throws -> FlightID {
    if let id = knownIDs[key] { return id }
    let id = try connection.first("SELECT id FROM flight WHERE key = ?", key) {
      FlightID(rawValue: $0.text(0))
    }
    knownIDs[key] = id
    return id ?? FlightID(rawValue: "")
  }
}

/// The queries for alerts, and how their rows are read.
enum AlertQuery {
  private static let columns = """
    alert.flight, alert.number, alert.state, alert.timestamp, alert.endedAt, alert.pace,
      alert.peakPace, alert.distance, alert.latitude, alert.longitude
    """

  static func list(_ condition: Condition) -> String {
    """
    SELECT \(columns) FROM alert \(condition.sql)
    ORDER BY alert.timestamp DESC, alert.flight DESC, alert.number DESC LIMIT ?
    """
  }

  static let ofFlight = """
    SELECT \(columns) FROM alert WHERE flight = (SELECT key FROM flight WHERE id = ?)
    ORDER BY timestamp, number
    """

  static func counts(_ filter: AlertFilter) -> String {
    var condition = filter.condition
    // By naming the states, each becomes one stretch of the index on state and time.
    if filter.flight == nil {
      condition.add("alert.state IN ('sinkRate', 'overspeed', 'minimums')")
    }
    return "SELECT alert.state, count(*) FROM alert \(condition.sql) GROUP BY alert.state"
  }

  static func alert(_ row: Statement) -> Alert {
    Alert(
      number: row.int(1), state: GPWSState(rawValue: row.text(2)) ?? .normal,
      timestamp: Timestamp(microseconds: row.integer(3)),
      endedAt: row.optionalInteger(4).map { Timestamp(microseconds: $0) },
      pace: row.optionalDouble(5).map { Pace(secondsPerKilometer: $0) },
      peakPace: row.optionalDouble(6).map { Pace(secondsPerKilometer: $0) },
      distance: .meters(row.double(7)), latitude: row.double(8), longitude: row.double(9))
  }
}

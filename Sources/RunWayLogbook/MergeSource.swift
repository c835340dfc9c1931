internal import CSQLite
internal import RunWayModel

/// A logbook that flights are taken from.
///
/// Anyone may have written it, so nothing in it is believed.
struct MergeSource {
  /// A fault of this logbook, and not of the one that is written to.
  struct Fault: Error {
    var error: SQLiteError

    /// A clause that says what is wrong.
    var reason: String { "it cannot be read: \(error.message)" }
  }

  /// What identifies a flight, and the saved mission it was flown with.
  struct Row {
    var key: Int64
    var id: FlightID
    var fingerprint: [UInt8]?
    var mission: SavedMission?
  }

  /// A saved mission's name and numbers.
  struct SavedMission {
    var name: String
    var pace: Double
    var tolerance: Double
    var distance: Double?

    init(_ row: Statement, from column: Int32 = 0) {
      name = row.text(column)
      pace = row.double(column + 1)
      tolerance = row.double(column + 2)
      distance = row.optionalDouble(column + 3)
    }

    /// Whether its numbers can be flown by.
    var isSound: Bool {
      [pace, tolerance, distance ?? 1].allSatisfy { $0 > 0 && $0.isFinite }
    }
  }

  let connection: Connection

  // MARK: Reading

  /// Runs a closure as of one moment of this logbook, all of whose flights it may read.
  func snapshot<Value>(_ body: () throws -> Value) throws -> Value {
    if connection.isInTransaction { return try body() }
    try reading { _ = try connection.run("BEGIN") }
    defer { connection.rollback() }
    return try body()
  }

  /// Runs a closure that reads from this logbook alone; its faults are this logbook's.
  func reading<Value>(_ body: () throws -> Value) throws -> Value {
    do { return try body() } catch let error as SQLiteError { throw Fault(error: error) }
  }

  /// The keys of all flights, the first stored first.
  func keys() throws -> [Int64] {
    try reading { try connection.rows("SELECT key FROM flight ORDER BY key") { $0.integer(0) } }
  }

  /// The key of a flight; `nil` where there is none of that identity.
  func key(of id: FlightID) throws -> Int64? {
    try reading {
      try connection.first("SELECT key FROM flight WHERE id = ?", id.rawValue) { $0.integer(0) }
    }
  }

  /// What identifies a flight; `nil` where it is gone.
  func row(_ key: Int64) throws -> Row? {
    try reading {
      try connection.first(
        """
        SELECT flight.id, fingerprint, mission.name, mission.pace, mission.tolerance,
          mission.distance
        FROM flight LEFT JOIN mission ON mission.key = flight.mission WHERE flight.key = ?
        """, key
      ) {
        Row(
          key: key, id: FlightID(rawValue: $0.text(0)),
          fingerprint: $0.isNull(1) ? nil : $0.blob(1),
          mission: $0.isNull(2) ? nil : SavedMission($0, from: 2))
      }
    }
  }

  /// The names of a flight's tags.
  func tags(of key: Int64) throws -> [String] {
    try reading {
      try connection.rows(
        """
        SELECT tag.name FROM flightTag JOIN tag ON tag.key = flightTag.tag WHERE flightTag.flight = ?
        """, key
      ) { $0.text(0) }
    }
  }

  /// Calls a closure for a flight's locations in order, until it returns `false`.
  func forEachLocation(of key: Int64, _ body: (Location) -> Bool) throws {
    struct Enough: Error {}
    let origin = try reading {
      try connection.integer("SELECT timeOrigin FROM flight WHERE key = ?", key)
    }
    do {
      try reading {
        try connection.forEachRow(FlightQuery.coordinatesByKey, [key]) { row in
          let coordinate = FlightQuery.coordinate(
            from: row, timeOrigin: Timestamp(microseconds: origin))
          guard body(coordinate.location) else { throw Enough() }
        }
      }
    } catch is Enough {}
  }

  // MARK: Judging

  /// What keeps a flight from being taken in; `nil` where nothing does.
  func flaw(of key: Int64) throws -> String? {
    try reading {
      for (sql, reason) in MergeSource.rules
      where try connection.integer(sql, key) != 0 { return reason }
      return nil
    } ?? fingerprintFlaw(of: key)
  }

  private func fingerprintFlaw(of key: Int64) throws -> String? {
    let stored = try reading {
      try connection.first(
        "SELECT fingerprint FROM flight WHERE key = ? AND fingerprint IS NOT NULL", key
      ) { $0.blob(0) }
    }
    guard let stored else { return nil }
    var fingerprinter = RecordingFingerprinter()
    try forEachLocation(of: key) {
      fingerprinter.update(with: $0)
      return true
    }
    return fingerprinter.fingerprint.bytes == stored
      ? nil : "its coordinates are not those that were recorded"
  }

  /// Queries that find something where a flight, whose key they take, breaks a rule; and what is to be said of it.
  private static let rules: [(sql: String, reason: String)] = [
    flight("length(id) BETWEEN 1 AND 100 AND id NOT GLOB '*[^-0-9a-z]*'", "its identity is none"),
    flight(
      "touchedDown IN (0, 1) AND maxSpeed > 0 AND maxSpeed < 9e999", "its options make no sense"),
    flight(
      positive("targetPace") + " AND " + positive("tolerance") + " AND "
        + positive("targetDistance"), "its mission makes no sense"),
    flight(
      moment("timeOrigin") + " AND " + moment("startedAt") + " AND " + moment("endedAt"),
      "its times are outside of the calendar"),
    flight(
      ["distance", "rawDistance", "elapsedTime", "movingTime"].map(measure)
        .joined(separator: " AND ")
        + " AND coordinateCount >= 0 AND segmentCount >= 0 AND invalidCount >= 0"
        + " AND duplicateCount >= 0 AND backwardsCount >= 0 AND spikeCount >= 0",
      "its totals make no sense"),
    children(
      "coordinate", "latitude BETWEEN -90 AND 90 AND longitude BETWEEN -180 AND 180",
      "a latitude or longitude is out of range"),
    (
      """
      SELECT min("order") <> 0 OR max("order") <> count(*) - 1 FROM coordinate WHERE flight = ?
      """, "its coordinates are not numbered one after the other"
    ),
    children(
      "coordinate", "segment BETWEEN 0 AND 2147483647", "a segment's number is out of range"),
    children(
      "coordinate",
      """
      time IS NULL OR time + (SELECT coalesce(timeOrigin, 0) FROM flight WHERE key = ?1)
        BETWEEN \(Timestamp.earliest.microseconds) AND \(Timestamp.latest.microseconds)
      """, "its times are outside of the calendar"),
    children(
      "alert",
      """
      number BETWEEN 0 AND 1000000000 AND latitude BETWEEN -90 AND 90
        AND longitude BETWEEN -180 AND 180 AND \(moment("timestamp")) AND \(moment("endedAt"))
        AND \(measure("distance")) AND \(positive("pace")) AND \(positive("peakPace"))
      """, "an alert makes no sense"),
    children(
      "split",
      """
      "index" BETWEEN 1 AND 1000000000 AND \(measure("distance")) AND \(measure("elapsedTime"))
        AND \(measure("movingTime"))
      """, "a split makes no sense"),
    children(
      "bestEffort", "\(measure("elapsedTime")) AND \(measure("startDistance"))",
      "a best effort makes no sense"),
    children("rejected", "count >= 0", "a count makes no sense"),
    ("SELECT count(*) < 0 FROM flightTag WHERE flight = ?", "its tags make no sense"),
  ]

  private static func flight(_ rule: String, _ reason: String) -> (String, String) {
    ("SELECT EXISTS (SELECT 1 FROM flight WHERE key = ?1 AND NOT (\(rule)))", reason)
  }

  private static func children(
    _ table: String, _ rule: String, _ reason: String
  ) -> (String, String) {
    ("SELECT EXISTS (SELECT 1 FROM \(table) WHERE flight = ?1 AND NOT (\(rule)))", reason)
  }

  // What is unknown breaks no rule. Sums may lie a rounding below 0.
  private static func measure(_ column: String) -> String {
    "(\(column) IS NULL OR \(column) BETWEEN -1 AND 1e12)"
  }

  private static func positive(_ column: String) -> String {
    "(\(column) IS NULL OR (\(column) > 0 AND \(column) < 9e999))"
  }

  private static func moment(_ column: String) -> String {
    """
    (\(column) IS NULL OR \(column) BETWEEN \(Timestamp.earliest.microseconds)
      AND \(Timestamp.latest.microseconds))
    """
  }
}

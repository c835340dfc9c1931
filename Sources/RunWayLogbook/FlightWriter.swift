internal import RunWayModel

/// The rows of a flight besides its coordinates.
struct FlightWriter {
  let connection: Connection

  /// Stores a flight that has not touched down.
  ///
  /// - Returns: Its key.
  func insert(_ flight: NewFlight) throws -> Int64 {
    let mission = try flight.missionName.flatMap { try connection.key(of: .mission, named: $0) }
    try connection.run(
      """
      INSERT INTO flight (id, name, type, sourcePath, sourceFormat, creator, mission, targetPace,
        tolerance, targetDistance, maxSpeed, calories, startedAt, touchedDown)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0)
      """,
      flight.id.rawValue, flight.name, flight.type, flight.source.path,
      flight.source.format?.rawValue,
      flight.source.creator, mission, flight.mission?.pace.secondsPerKilometer,
      flight.mission?.tolerance, flight.mission?.distance?.meters, flight.options.maxSpeed,
      flight.calories, flight.date?.microseconds)
    return connection.lastInsertedRow
  }

  /// Finds the flight of a recording.
  ///
  /// - Parameters:
  ///   - fingerprint: The recording's identity.
  ///   - key: A flight that is not meant.
  /// - Returns: The first that was stored.
  /// - Throws: A `SQLiteError`.
  func flight(of fingerprint: RecordingFingerprint, besides key: Int64? = nil) throws -> FlightID? {
    try connection.first(
      "SELECT id FROM flight WHERE fingerprint = ? AND key IS NOT ? ORDER BY key LIMIT 1",
      fingerprint.bytes, key
    ) { FlightID(rawValue: $0.text(0)) }
  }

  /// Whether there is a flight that begins at a moment.
  func isAnyStarted(at time: Timestamp) throws -> Bool {
    try connection.integer(
      "SELECT EXISTS (SELECT 1 FROM flight WHERE startedAt = ?)", time.microseconds) == 1
  }

  /// Writes all that is known of a flight once it has touched down.
  func finish(
    _ key: Int64, report: FlightReport, info: TrackInfo, rejected: [String: Int],
    timeOrigin: Timestamp?
  ) throws {
    try connection.run(
      """
      UPDATE flight SET name = coalesce(name, ?2), type = coalesce(type, ?3),
        creator = coalesce(?4, creator), calories = coalesce(?5, calories), timeOrigin = ?6,
        fingerprint = ?7, touchedDown = 1
      WHERE key = ?1
      """,
      key, info.name, info.type, info.creator, info.calories, timeOrigin?.microseconds,
      report.fingerprint.bytes)
    try writeTotals(report.totals, of: key)
    try writeRejected(rejected, of: key)
    try replaceJudgement(report, of: key)
  }

  /// Writes what of a flight's source could not be used; reasons that are not given keep their counts.
  func writeRejected(_ rejected: [String: Int], of key: Int64) throws {
    for (reason, count) in rejected.sorted(by: { $0.key < $1.key }) {
      try connection.run(
        "INSERT OR REPLACE INTO rejected (flight, reason, count) VALUES (?, ?, ?)",
        key, reason, count)
    }
  }

  /// Writes a flight's totals.
  func writeTotals(_ totals: FlightTotals, of key: Int64) throws {
    try connection.run(
      """
      UPDATE flight SET startedAt = ?2, endedAt = ?3, distance = ?4, rawDistance = ?5,
        elapsedTime = ?6, movingTime = ?7, elevationGain = ?8, elevationLoss = ?9, heartRate = ?10,
        cadence = ?11, coordinateCount = ?12, segmentCount = ?13, invalidCount = ?14,
        duplicateCount = ?15, backwardsCount = ?16, spikeCount = ?17
      WHERE key = ?1
      """,
      key, totals.startedAt?.microseconds, totals.endedAt?.microseconds, totals.distance.meters,
      totals.rawDistance.meters, totals.elapsedTime, totals.movingTime, totals.elevationGain,
      totals.elevationLoss, totals.heartRate, totals.cadence, totals.coordinateCount,
      totals.segmentCount, totals.discarded.invalid, totals.discarded.duplicate,
      totals.discarded.backwards, totals.discarded.spike)
  }

  /// Writes totals, verdicts and judgement in place of those a flight has that has touched down.
  func rejudge(_ key: Int64, report: FlightReport, discards: [Discard]) throws {
    try connection.run(
      "UPDATE coordinate SET discarded = NULL WHERE flight = ? AND discarded IS NOT NULL", key)
    try CoordinateWriter(connection: connection, flight: key).discard(discards)
    try writeTotals(report.totals, of: key)
    try replaceJudgement(report, of: key)
  }

  /// Writes a flight's alerts, splits and best efforts in place of those it has.
  func replaceJudgement(_ report: FlightReport, of key: Int64) throws {
    try replaceAlerts(report.alerts, of: key)
    try connection.run("DELETE FROM split WHERE flight = ?", key)
    try insert(report.kilometerSplits, unit: .kilometer, of: key)
    try insert(report.mileSplits, unit: .mile, of: key)
    try connection.run("DELETE FROM bestEffort WHERE flight = ?", key)
    for effort in report.bestEfforts {
      try connection.run(
        "INSERT INTO bestEffort (flight, name, elapsedTime, startDistance) VALUES (?, ?, ?, ?)",
        key, effort.kind.rawValue, effort.elapsedTime, effort.startDistance.meters)
    }
  }

  /// Writes a flight's alerts in place of those it has.
  func replaceAlerts(_ alerts: [Alert], of key: Int64) throws {
    try connection.run("DELETE FROM alert WHERE flight = ?", key)
    for alert in alerts { try insert(alert, of: key) }
  }

  /// Writes an alert in place of the one with its number.
  func upsert(_ alert: Alert, of key: Int64) throws {
    try connection.run(
      "DELETE FROM alert WHERE flight = ? AND number = ?", key, alert.number)
    try insert(alert, of: key)
  }

  private func insert(_ alert: Alert, of key: Int64) throws {
    try connection.run(
      """
      INSERT INTO alert (flight, number, state, timestamp, endedAt, pace, peakPace, distance,
        latitude, longitude)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      key, alert.number, alert.state.rawValue, alert.timestamp.microseconds,
      alert.endedAt?.microseconds, alert.pace?.secondsPerKilometer,
      alert.peakPace?.secondsPerKilometer, alert.distance.meters, alert.latitude,
      alert.longitude)
  }

  private func insert(_ splits: [Split], unit: SplitUnit, of key: Int64) throws {
    for split in splits {
      try connection.run(
        """
        INSERT INTO split (flight, unit, "index", distance, elapsedTime, movingTime, elevationGain,
          elevationLoss, heartRate)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
        """,
        key, unit.rawValue, split.index, split.distance.meters, split.elapsedTime,
        split.movingTime, split.elevationGain, split.elevationLoss, split.heartRate)
    }
  }
}

extension RecordingFingerprint {
  /// The fingerprint as it is stored: 16 bytes, the first half first, the highest byte first.
  var bytes: [UInt8] {
    [high, low].flatMap { half in (0..<8).map { UInt8(truncatingIfNeeded: half >> (56 - 8 * $0)) } }
  }

  /// The fingerprint that was stored as 16 bytes; `nil` for any other number of them.
  init?(bytes: [UInt8]) {
    guard bytes.count == 16 else { return nil }
    func half(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
    self.init(high: half(bytes[..<8]), low: half(bytes[8...]))
  }
}

public import RunWayModel

/// A flight that is being flown, stored as it goes.
///
/// Each call commits before it returns, and what was committed outlives a crash and a power cut. A call
/// that finds the logbook busy throws at once: the caller keeps what it gave and calls again later.
/// While this object lives, its flight counts as flown; let go of without `finish` or `discard`, the
/// flight is interrupted.
@MainActor public final class LiveFlight {
  /// The flight's identity.
  public let id: FlightID
  private let logbook: Logbook
  private let key: Int64
  private var writer: CoordinateWriter
  private var flying = true

  init(logbook: Logbook, id: FlightID, key: Int64, writer: CoordinateWriter) {
    self.logbook = logbook
    self.id = id
    self.key = key
    self.writer = writer
  }

  isolated deinit {
    if flying { logbook.locks.release(key) }
  }

  /// The order of the next valid location.
  public var nextOrder: Int { writer.nextOrder }

  /// Stores the next locations, and what the flight amounts to so far.
  ///
  /// - Parameters:
  ///   - locations: Those that are not valid are passed over, the others numbered and stored.
  ///   - discards: Verdicts on locations given so far, these included.
  ///   - data: The snapshot after them, shown while the flight lasts.
  ///   - unusable: How many locations that are not valid stood before these and are not among them.
  ///   - rejected: What of the source could not be used so far, by reason; `nil` where nothing new was rejected.
  /// - Throws: A `LogbookError`; `busy` where another process is writing, and then nothing was stored and
  ///   the same call can be made again.
  public func append(
    _ locations: [Location], discards: [Discard] = [], data: FlightData? = nil,
    unusable: Int = 0, rejected: [String: Int]? = nil
  ) throws(LogbookError) {
    var next = writer
    try logbook.writeLive {
      try next.append(locations)
      try next.discard(discards)
      let valid = next.nextOrder &- writer.nextOrder
      try logbook.connection.run(
        """
        UPDATE flight SET timeOrigin = ?2, coordinateCount = coordinateCount + ?3,
          invalidCount = invalidCount + ?4
        WHERE key = ?1
        """,
        key, next.timeOrigin?.microseconds, valid - discards.count,
        locations.count - valid + unusable)
      if let data { try show(data) }
      if let rejected {
        try FlightWriter(connection: logbook.connection).writeRejected(rejected, of: key)
      }
    }
    writer = next
  }

  private func show(_ data: FlightData) throws {
    let time = data.timestamp
    let start = time?.shifted(byMicroseconds: -clampedMicroseconds(data.elapsedTime))
    try logbook.connection.run(
      """
      UPDATE flight SET startedAt = coalesce(?2, startedAt), endedAt = ?3, distance = ?4,
        elapsedTime = ?5, movingTime = ?6
      WHERE key = ?1
      """,
      key, start?.microseconds, time?.microseconds, data.distance.meters,
      time.map { _ in data.elapsedTime }, time.map { _ in data.movingTime })
  }

  /// Moves all times given so far, as the flight's date has become known.
  ///
  /// - Throws: As `append`.
  public func redate(byMicroseconds shift: Int64) throws(LogbookError) {
    var next = writer
    next.redate(byMicroseconds: shift)
    try logbook.writeLive {
      try logbook.connection.run(
        """
        UPDATE flight SET timeOrigin = ?2, startedAt = startedAt + ?3, endedAt = endedAt + ?3
        WHERE key = ?1
        """,
        key, next.timeOrigin?.microseconds, shift)
      try logbook.connection.run(
        """
        UPDATE alert SET timestamp = timestamp + ?2, endedAt = endedAt + ?2 WHERE flight = ?1
        """, key, shift)
    }
    writer = next
  }

  /// Stores an alert in place of the one with its number.
  ///
  /// - Throws: As `append`.
  public func upsert(_ alert: Alert) throws(LogbookError) {
    try logbook.writeLive {
      try FlightWriter(connection: logbook.connection).upsert(alert, of: key)
    }
  }

  /// Touches down: stores what the flight amounts to, unless the same recording is there already.
  ///
  /// - Parameters:
  ///   - report: What it amounts to.
  ///   - discards: Verdicts that were not given yet.
  ///   - info: What its source says of it.
  ///   - rejected: What of the source could not be used, by reason, in place of what was told so far.
  ///   - force: Whether to store it even if the same recording is there.
  /// - Returns: What became of it; a duplicate is gone from the logbook, and its tags and notes are the other's.
  /// - Throws: A `LogbookError`; `busy` after 5 s of waiting for another writer.
  public func finish(
    report: FlightReport, discards: [Discard] = [], info: TrackInfo = TrackInfo(),
    rejected: [String: Int] = [:], force: Bool = false
  ) throws(LogbookError) -> StoreOutcome {
    let outcome: StoreOutcome = try logbook.write {
      let rows = FlightWriter(connection: logbook.connection)
      if !force, let known = try rows.flight(of: report.fingerprint, besides: key) {
        try handOver(to: known)
        try logbook.connection.run("DELETE FROM flight WHERE key = ?", key)
        return .duplicate(of: known)
      }
      try writer.discard(discards)
      try rows.finish(
        key, report: report, info: info, rejected: rejected, timeOrigin: writer.timeOrigin)
      return .stored(id)
    }
    land()
    return outcome
  }

  /// Gives what was said of the flight while it was flown to another one; notes only where that has none.
  private func handOver(to known: FlightID) throws {
    try logbook.connection.run(
      """
      INSERT OR IGNORE INTO flightTag (flight, tag)
      SELECT (SELECT key FROM flight WHERE id = ?2), tag FROM flightTag WHERE flight = ?1
      """, key, known.rawValue)
    try logbook.connection.run(
      """
      UPDATE flight SET notes = coalesce(notes, (SELECT notes FROM flight WHERE key = ?1))
      WHERE id = ?2
      """, key, known.rawValue)
  }

  /// Removes the flight from the logbook.
  ///
  /// - Throws: A `LogbookError`; `busy` after 5 s of waiting for another writer.
  public func discard() throws(LogbookError) {
    try logbook.write {
      _ = try logbook.connection.run("DELETE FROM flight WHERE key = ?", key)
    }
    land()
  }

  private func land() {
    flying = false
    logbook.locks.release(key)
  }
}

/// Seconds as microseconds, kept within what a flight can last.
private func clampedMicroseconds(_ seconds: Double) -> Int64 {
  let microseconds = (seconds * 1_000_000).rounded()
  return Int64(exactly: min(max(microseconds, 0), 1e18)) ?? 0
}

extension Logbook {
  /// Begins a flight that is stored as it is flown.
  ///
  /// - Parameter header: What is known of it.
  /// - Returns: The flight, which counts as flown as long as the object lives.
  /// - Throws: A `LogbookError`; `busy` where another process is writing, to be tried again later.
  public func beginLiveFlight(_ header: NewFlight) throws(LogbookError) -> LiveFlight {
    try writeLive {
      let key = try FlightWriter(connection: connection).insert(header)
      // Before the row is seen by others, who would take it for interrupted.
      guard try locks.take(key) else {
        throw LogbookError(.busy, "another process is flying flight \(header.id)")
      }
      return LiveFlight(
        logbook: self, id: header.id, key: key,
        writer: CoordinateWriter(connection: connection, flight: key))
    }
  }

  /// Whether there is a flight that has not touched down, of this process or another, or interrupted.
  ///
  /// - Throws: A `LogbookError` where the logbook cannot be read.
  public func hasUnfinishedFlights() throws(LogbookError) -> Bool {
    try reporting {
      try connection.integer("SELECT EXISTS (SELECT 1 FROM flight WHERE touchedDown = 0)") == 1
    }
  }

  /// The flights that were begun and that no process is flying any more, oldest first.
  ///
  /// - Throws: A `LogbookError` where the logbook cannot be read.
  public func interruptedFlights() throws(LogbookError) -> [FlightID] {
    try reporting {
      try connection.rows("SELECT key, id FROM flight WHERE touchedDown = 0 ORDER BY key") {
        (key: $0.integer(0), id: FlightID(rawValue: $0.text(1)))
      }.filter { !locks.isHeld($0.key) }.map(\.id)
    }
  }

  /// Takes over an interrupted flight, to go on with it or to complete it.
  ///
  /// - Parameter id: The flight.
  /// - Returns: The flight; its next location follows the last that is stored.
  /// - Throws: A `LogbookError`: `notFound` where there is no such flight that has not touched down, `busy` where
  ///   a process is flying it.
  public func resume(_ id: FlightID) throws(LogbookError) -> LiveFlight {
    try writeLive {
      let row = try connection.first(
        """
        SELECT key, timeOrigin,
          (SELECT max("order") FROM coordinate WHERE flight = key) FROM flight
        WHERE id = ? AND touchedDown = 0
        """, id.rawValue
      ) {
        (
          key: $0.integer(0),
          origin: $0.optionalInteger(1).map { Timestamp(microseconds: $0) },
          last: $0.optionalInteger(2)
        )
      }
      guard let row else {
        throw LogbookError(.notFound, "there is no flight \(id) that was interrupted")
      }
      guard try locks.take(row.key) else {
        throw LogbookError(.busy, "another process is flying flight \(id)")
      }
      return LiveFlight(
        logbook: self, id: id, key: row.key,
        writer: CoordinateWriter(
          connection: connection, flight: row.key, nextOrder: Int(row.last ?? -1) &+ 1,
          timeOrigin: row.origin))
    }
  }

  /// Runs a closure in one transaction that outlives a power cut, without waiting for other writers.
  func writeLive<Value>(_ body: () throws -> Value) throws(LogbookError) -> Value {
    try reporting {
      if connection.isInTransaction {
        throw LogbookError(.busy, "an import into \(location.name) must finish first")
      }
      // It can't be changed inside a transaction.
      try connection.run("PRAGMA synchronous = FULL")
      connection.busyTimeout = 0
      defer {
        connection.busyTimeout = LogbookFile.writeTimeout
        _ = try? connection.run("PRAGMA synchronous = NORMAL")
      }
      return try write(body)
    }
  }
}

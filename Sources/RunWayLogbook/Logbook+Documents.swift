internal import CSQLite
public import RunWayModel

// MARK: - Logbooks as documents

extension Logbook {
  /// Writes some flights, with all that belongs to them, as a logbook of their own.
  ///
  /// A logbook of that name is replaced once the new one is complete.
  ///
  /// - Parameters:
  ///   - ids: The flights.
  ///   - path: The new file.
  /// - Throws: A `LogbookError`: `notFound` where there is no such flight, `busy` where a process has a logbook
  ///   of that name open, or why the file can't be written.
  public func exportDocument(_ ids: [FlightID], to path: String) throws(LogbookError) {
    try refuseOwnFile(path)
    try FileReplacement(path).run { temporary throws(LogbookError) in
      let document = try Logbook(.file(temporary))
      try reading { try document.copyFlights(ids, from: connection) }
      try document.reporting {
        try document.connection.executeScript("PRAGMA journal_mode = DELETE")
      }
    }
  }

  // MARK: Keeping it

  /// Copies the whole logbook as it stands, while others may be writing to it.
  ///
  /// The copy is one file, and its pages are checked before it takes the place of an earlier one.
  ///
  /// - Parameter path: The copy; a logbook of that name is replaced once the copy is complete.
  /// - Throws: A `LogbookError`: `notFound` where there is no logbook yet, `corrupt` where it is damaged, `busy`
  ///   where a process has a logbook of that name open, or why the copy can't be written.
  public func backup(to path: String) throws(LogbookError) {
    if isMissing { throw LogbookError(.notFound, "there is no logbook \(location.name) to copy") }
    try refuseOwnFile(path)
    try FileReplacement(path).run { temporary throws(LogbookError) in
      do {
        let copy = try Connection(
          LogbookFile.uri(temporary), flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)
        try LogbookFile.copy(connection, into: copy)
        try copy.executeScript("PRAGMA journal_mode = DELETE")
        let faults = try copy.rows("PRAGMA quick_check(1)") { $0.text(0) }
        if let fault = faults.first, fault != "ok" { throw damage(fault) }
      } catch let error as SQLiteError {
        // A page that can't be read, or makes no sense, came from here.
        if error.primaryCode == SQLITE_CORRUPT { throw damage(error.message) }
        // Only a read waits for others, for no one else knows the copy.
        let isOwn = [SQLITE_BUSY, SQLITE_LOCKED].contains(error.primaryCode)
        throw LogbookError(error, logbook: isOwn ? location.name : path)
      } catch {
        throw report(error)
      }
    }
  }

  private func damage(_ fault: String) -> LogbookError {
    let line = fault.split(separator: "\n").last.map(String.init) ?? fault
    return LogbookError(
      .corrupt, "\(location.name) is damaged (\(line)), and no backup is made of it")
  }

  private func refuseOwnFile(_ path: String) throws(LogbookError) {
    if case .file(let own) = location, LogbookFile.isSameFile(own, path) {
      throw LogbookError(.io, "\(path) is the logbook itself")
    }
  }

  // MARK: Looking after it

  /// What a logbook holds, and where.
  public struct Info: Sendable, Hashable {
    /// `nil` in memory.
    public var path: String?
    /// Bytes, with what has not been moved into the file yet; `nil` where there is no file yet.
    public var size: Int64?
    /// The number of the last migration, counted from 1; `nil` where there is no file yet.
    public var schemaVersion: Int?
    /// All flights, those that have not touched down included.
    public var flightCount: Int
    /// All stored alerts.
    public var alertCount: Int
    /// All coordinates, those that don't count included.
    public var coordinateCount: Int
    /// All tags, those that no flight bears included.
    public var tagCount: Int
    /// All saved missions.
    public var missionCount: Int
    /// Kilograms.
    public var weight: Double?
  }

  /// Where the logbook is and what it holds.
  ///
  /// - Throws: A `LogbookError` where the logbook cannot be read.
  public func info() throws(LogbookError) -> Info {
    try reading {
      let count = { [connection] (sql: String) in Int(try connection.integer(sql)) }
      let pages = try connection.integer("PRAGMA page_count")
      let path: String? = if case .file(let path) = location { path } else { nil }
      return Info(
        path: path,
        size: isMissing ? nil : pages &* (try connection.integer("PRAGMA page_size")),
        schemaVersion: isMissing ? nil : try count("PRAGMA user_version"),
        flightCount: try count("SELECT count(*) FROM flight"),
        alertCount: try count("SELECT count(*) FROM alert"),
        coordinateCount: try count(
          """
          SELECT sum(CASE touchedDown
            WHEN 1 THEN coordinateCount + duplicateCount + backwardsCount + spikeCount
            ELSE (SELECT count(*) FROM coordinate WHERE coordinate.flight = flight.key) END)
          FROM flight
          """),
        tagCount: try count("SELECT count(*) FROM tag"),
        missionCount: try count("SELECT count(*) FROM mission"), weight: try setting("weight"))
    }
  }
}

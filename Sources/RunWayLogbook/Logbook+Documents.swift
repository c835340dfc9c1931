internal import CSQLite
internal import Glibc
public import RunWayModel

/// What became of the flights of a logbook that was merged into another.
public struct MergeReport: Sendable, Hashable {
  /// A flight that was there already.
  public struct Duplicate: Sendable, Hashable {
    /// Its identity in the logbook merged.
    public var id: FlightID
    /// The flight that holds the same recording.
    public var existing: FlightID
  }

  public var stored: [FlightID] = []
  public var duplicates: [Duplicate] = []

  /// Makes the report of nothing merged.
  public init() {}
}

// MARK: - Logbooks as documents

extension Logbook {
  /// Writes some flights, with all that belongs to them, as a logbook of their own.
  ///
  /// A file of that name is replaced once the new one is complete.
  ///
  /// - Parameters:
  ///   - ids: The flights.
  ///   - path: The new file.
  /// - Throws: A `LogbookError`: `notFound` where there is no such flight, or why the file can't be written.
  public func exportDocument(_ ids: [FlightID], to path: String) throws(LogbookError) {
    try replaceFile(path) { temporary throws(LogbookError) in
      let document = try Logbook(.file(temporary))
      _ = try document.merge(
        from: connection, onlyFlights: ids, force: false, isFlown: { _ in false })
      try document.becomeSingleFile()
    }
  }

  /// Takes in all flights of another logbook that are not here yet, with their tags and missions.
  ///
  /// A flight is here if one with its identity or of the same recording is. Each flight is wholly taken or
  /// wholly not; flights that are being flown there are left out.
  ///
  /// - Parameters:
  ///   - path: The other logbook, which is not changed.
  ///   - force: Whether to store once more, under an identity of its own, a flight that is here.
  /// - Returns: What became of its flights.
  /// - Throws: A `LogbookError` where either can't be used.
  public func merge(from path: String, force: Bool = false) throws(LogbookError) -> MergeReport {
    let source = try LogbookFile.openForMerging(path)
    let locks = FlightLocks(location: .file(path))
    return try merge(from: source, onlyFlights: nil, force: force, isFlown: { locks.isHeld($0) })
  }

  private func merge(
    from source: Connection, onlyFlights ids: [FlightID]?, force: Bool,
    isFlown: (Int64) -> Bool
  ) throws(LogbookError) -> MergeReport {
    try reporting {
      var report = MergeReport()
      if let ids {
        for id in ids {
          let key = try source.first("SELECT key FROM flight WHERE id = ?", id.rawValue) {
            $0.integer(0)
          }
          guard let key else { throw LogbookError(.notFound, "there is no flight \(id)") }
          try mergeFlight(key, from: source, force: force, into: &report)
        }
      } else {
        try mergeNames(from: source)
        // The keys are read first: no read lock is held on the source while the target waits for a writer.
        for key in try source.rows("SELECT key FROM flight ORDER BY key", map: { $0.integer(0) })
        where !isFlown(key) {
          try mergeFlight(key, from: source, force: force, into: &report)
        }
      }
      return report
    }
  }

  /// Takes in tags, saved missions and settings whose names are not here yet.
  private func mergeNames(from source: Connection) throws {
    try write {
      try source.forEachRow("SELECT name, pace, tolerance, distance FROM mission") {
        try connection.run(
          "INSERT OR IGNORE INTO mission (name, pace, tolerance, distance) VALUES (?, ?, ?, ?)",
          $0.text(0), $0.double(1), $0.double(2), $0.optionalDouble(3))
      }
      try source.forEachRow("SELECT name FROM tag") {
        try connection.run("INSERT OR IGNORE INTO tag (name) VALUES (?)", $0.text(0))
      }
      try source.forEachRow("SELECT name, value FROM setting") {
        try connection.run(
          "INSERT OR IGNORE INTO setting (name, value) VALUES (?, ?)", $0.text(0), $0.double(1))
      }
    }
  }

  private func mergeFlight(
    _ sourceKey: Int64, from source: Connection, force: Bool, into report: inout MergeReport
  ) throws {
    let row = try source.first(
      """
      SELECT flight.id, fingerprint, mission.name, mission.pace, mission.tolerance, mission.distance
      FROM flight LEFT JOIN mission ON mission.key = flight.mission WHERE flight.key = ?
      """, sourceKey
    ) {
      (
        id: FlightID(rawValue: $0.text(0)), fingerprint: $0.isNull(1) ? nil : $0.blob(1),
        mission: $0.optionalText(2), pace: $0.double(3), tolerance: $0.double(4),
        distance: $0.optionalDouble(5)
      )
    }
    guard let row else { return }
    var id = row.id
    let existing: FlightID? = try write {
      let existing = try flight(id, orOf: row.fingerprint)
      if let existing, !force { return existing }
      if existing == id { id = FlightID() }

      if let name = row.mission {
        try connection.run(
          "INSERT OR IGNORE INTO mission (name, pace, tolerance, distance) VALUES (?, ?, ?, ?)",
          name, row.pace, row.tolerance, row.distance)
      }
      let mission = try connection.first("SELECT key FROM mission WHERE name = ?", row.mission) {
        $0.integer(0)
      }
      let key = try nextFlightKey()
      let copier = RowCopier(source: source, target: connection)
      try copier.copy(
        "flight", where: "key", is: sourceKey,
        replacing: ["key": key, "id": id.rawValue, "mission": mission])
      for table in ["coordinate", "alert", "split", "bestEffort", "rejected"] {
        try copier.copy(table, where: "flight", is: sourceKey, replacing: ["flight": key])
      }
      try source.forEachRow(
        """
        SELECT tag.name FROM flightTag JOIN tag ON tag.key = flightTag.tag WHERE flightTag.flight = ?
        """, [sourceKey]
      ) { try addTag($0.text(0), toFlight: key) }
      return nil
    }
    if let existing {
      report.duplicates.append(.init(id: row.id, existing: existing))
    } else {
      report.stored.append(id)
    }
  }

  /// The flight with an identity, else one of the same recording.
  private func flight(_ id: FlightID, orOf fingerprint: [UInt8]?) throws -> FlightID? {
    try connection.first(
      "SELECT id FROM flight WHERE id = ?1 OR fingerprint = ?2 ORDER BY id = ?1 DESC LIMIT 1",
      id.rawValue, fingerprint
    ) { FlightID(rawValue: $0.text(0)) }
  }

  /// What merging another logbook would bring, without doing it.
  ///
  /// - Parameters:
  ///   - path: The other logbook.
  ///   - force: As for `merge`.
  /// - Returns: What would become of its flights, by their identities there.
  /// - Throws: A `LogbookError` where either can't be used.
  public func rehearseMerge(
    from path: String, force: Bool = false
  ) throws(LogbookError) -> MergeReport {
    let source = try LogbookFile.openForMerging(path)
    return try reporting {
      var report = MergeReport()
      let flights = try source.rows("SELECT id, fingerprint FROM flight ORDER BY key") {
        (id: FlightID(rawValue: $0.text(0)), fingerprint: $0.isNull(1) ? nil : $0.blob(1))
      }
      for row in flights {
        if !force, let existing = try flight(row.id, orOf: row.fingerprint) {
          report.duplicates.append(.init(id: row.id, existing: existing))
        } else {
          report.stored.append(row.id)
        }
      }
      return report
    }
  }

  /// A key that no flight has or had.
  private func nextFlightKey() throws -> Int64 {
    try connection.integer(
      "SELECT coalesce(max(seq), 0) + 1 FROM sqlite_sequence WHERE name = 'flight'")
  }

  // MARK: Keeping it

  /// Copies the whole logbook as it stands, while others may be writing to it.
  ///
  /// - Parameter path: The copy; a file of that name is replaced once the copy is complete.
  /// - Throws: A `LogbookError`.
  public func backup(to path: String) throws(LogbookError) {
    try replaceFile(path) { temporary throws(LogbookError) in
      try reporting {
        let copy = try Connection(
          LogbookFile.uri(temporary), flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)
        try LogbookFile.copy(connection, into: copy)
        try copy.executeScript("PRAGMA journal_mode = DELETE")
      }
    }
  }

  /// Leaves nothing of the logbook beside its file.
  private func becomeSingleFile() throws(LogbookError) {
    try reporting { try connection.executeScript("PRAGMA journal_mode = DELETE") }
  }

  /// Makes a file under another name, and gives it its own once it is complete.
  private func replaceFile(
    _ path: String, _ make: (String) throws(LogbookError) -> Void
  ) throws(LogbookError) {
    if case .file(let own) = location, LogbookFile.isSameFile(own, path) {
      throw LogbookError(.io, "\(path) is the logbook itself")
    }
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    guard access(folder, F_OK) == 0 else {
      throw LogbookError(.io, "\(path) cannot be written: there is no folder \(folder)")
    }
    try refuseToReplace(path)
    let temporary = "\(path).\(getpid()).partial"
    unlink(temporary)
    do throws(LogbookError) {
      try make(temporary)
      guard Glibc.rename(temporary, path) == 0 else {
        throw LogbookError(
          .io, "\(path) cannot be written: \(String(cString: strerror(errno)))")
      }
    } catch {
      unlink(temporary)
      throw error
    }
  }

  /// Refuses what is there and is neither empty nor a logbook: it would be lost.
  private func refuseToReplace(_ path: String) throws(LogbookError) {
    var information = stat()
    guard stat(path, &information) == 0 else { return }
    guard information.st_mode & S_IFMT == S_IFREG else {
      throw LogbookError(.io, "\(path) cannot be written: it is no regular file")
    }
    guard information.st_size > 0 else { return }
    do {
      _ = try Logbook(.file(path), readOnly: true)
    } catch {
      throw LogbookError(.io, "\(path) is not replaced: it is there, and no logbook")
    }
  }

  // MARK: Looking after it

  /// What a logbook holds, and where.
  public struct Info: Sendable, Hashable {
    /// `nil` in memory.
    public var path: String?
    /// Bytes, with what has not been moved into the file yet.
    public var size: Int64
    public var schemaVersion: Int
    public var flightCount: Int
    public var alertCount: Int
    /// All coordinates, those that don't count included.
    public var coordinateCount: Int
    public var tagCount: Int
    public var missionCount: Int
    /// Kilograms.
    public var weight: Double?
  }

  /// Where the logbook is and what it holds.
  public func info() throws(LogbookError) -> Info {
    try reporting {
      let count = { [connection] (sql: String) in Int(try connection.integer(sql)) }
      let pages = try connection.integer("PRAGMA page_count")
      let path: String? = if case .file(let path) = location { path } else { nil }
      return Info(
        path: path, size: pages &* (try connection.integer("PRAGMA page_size")),
        schemaVersion: try count("PRAGMA user_version"),
        flightCount: try count("SELECT count(*) FROM flight"),
        alertCount: try count("SELECT count(*) FROM alert"),
        coordinateCount: try count(
          """
          SELECT sum(coordinateCount + duplicateCount + backwardsCount + spikeCount) FROM flight
          """),
        tagCount: try count("SELECT count(*) FROM tag"),
        missionCount: try count("SELECT count(*) FROM mission"), weight: try setting("weight"))
    }
  }
}

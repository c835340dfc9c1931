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

  /// The flights taken in, by their identities here.
  public var stored: [FlightID] = []
  /// The flights that were here already.
  public var duplicates: [Duplicate] = []

  /// Makes the report of nothing merged.
  public init() {}
}

// MARK: - Merging logbooks

extension Logbook {
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

  func merge(
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
    let locks = FlightLocks(location: .file(path))
    return try reporting {
      var report = MergeReport()
      let flights = try source.rows("SELECT key, id, fingerprint FROM flight ORDER BY key") {
        (
          key: $0.integer(0), id: FlightID(rawValue: $0.text(1)),
          fingerprint: $0.isNull(2) ? nil : $0.blob(2)
        )
      }
      for row in flights where !locks.isHeld(row.key) {
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
}

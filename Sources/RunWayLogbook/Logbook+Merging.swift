internal import CSQLite
public import RunWayModel

// MARK: - Merging logbooks

extension Logbook {
  /// Takes in all flights of another logbook that are not here yet, with their tags and missions.
  ///
  /// A flight is here if one with its identity or of the same recording is; it gets the tags that it bears there.
  /// One that goes on behind what is here of it takes its place. Each flight is wholly taken or wholly not; flights
  /// that are being flown there are left out, and those whose rows make no sense refused.
  ///
  /// - Parameters:
  ///   - path: The other logbook, which is not changed.
  ///   - force: Whether to store once more, under an identity of its own, a flight that is here.
  ///   - body: Takes what became of each flight, once that is permanent.
  /// - Throws: A `LogbookError` where either can't be used, or what the closure throws; the flights told of stay.
  public func merge(
    from path: String, force: Bool = false, _ body: (MergeOutcome) throws -> Void
  ) throws {
    let (source, keys) = try openSource(path)
    for key in keys {
      if let outcome = try mergeFlight(key, from: source, force: force) { try body(outcome) }
    }
    do { try mergeNames(from: source) } catch let fault as MergeSource.Fault {
      throw LogbookError(fault.error, logbook: path)
    }
  }

  /// Takes in all flights of another logbook that are not here yet, with their tags and missions.
  ///
  /// - Parameters:
  ///   - path: The other logbook, which is not changed.
  ///   - force: Whether to store once more, under an identity of its own, a flight that is here.
  /// - Returns: What became of its flights.
  /// - Throws: A `LogbookError` where either can't be used.
  public func merge(from path: String, force: Bool = false) throws(LogbookError) -> MergeReport {
    try reporting {
      var report = MergeReport()
      try merge(from: path, force: force) { report.add($0) }
      return report
    }
  }

  /// What merging another logbook would bring, without doing it.
  ///
  /// - Parameters:
  ///   - path: The other logbook.
  ///   - force: As for `merge`.
  ///   - known: The recordings to take for stored besides; those that would be are added.
  /// - Returns: What would become of its flights, by their identities there.
  /// - Throws: A `LogbookError` where either can't be used.
  public func rehearseMerge(
    from path: String, force: Bool = false, besides known: inout Set<RecordingFingerprint>
  ) throws(LogbookError) -> MergeReport {
    var added = known
    defer { known = added }
    return try reading {
      var report = MergeReport()
      let (source, keys) = try openSource(path)
      for key in keys {
        guard let (row, plan) = try plan(key, of: source, force: force) else { continue }
        let recording = row.fingerprint.flatMap { RecordingFingerprint(bytes: $0) }
        switch plan {
        case .settled(let outcome): report.add(outcome)
        case .store, .replace:
          if !force, let recording, !added.insert(recording).inserted {
            report.add(.duplicate(.init(id: row.id, existing: row.id)))
          } else {
            report.add(.stored(row.id))
          }
        }
      }
      return report
    }
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
    var known: Set<RecordingFingerprint> = []
    return try rehearseMerge(from: path, force: force, besides: &known)
  }

  /// Copies flights as they are.
  ///
  /// - Throws: A `LogbookError` (`notFound`) where one is not there, or a fault of either logbook.
  func copyFlights(_ ids: [FlightID], from connection: Connection) throws {
    let source = MergeSource(connection: connection)
    do {
      try exclusively {
        for id in ids {
          guard let key = try source.key(of: id), let row = try source.row(key) else {
            throw LogbookError(.notFound, "there is no flight \(id)")
          }
          // Named twice, it is copied once.
          if try self.key(of: id) == nil { try copy(row, from: source, as: id) }
        }
      }
    } catch let error as SQLiteError {
      throw report(error)
    }
  }

  // MARK: The source

  /// Opens another logbook.
  ///
  /// - Returns: The logbook, and the keys of its flights besides those that are being flown.
  private func openSource(
    _ path: String
  ) throws(LogbookError) -> (source: MergeSource, keys: [Int64]) {
    let source = MergeSource(connection: try LogbookFile.openForMerging(path))
    let locks = FlightLocks(location: .file(path))
    do {
      // No flight has this key: it only shows whether all tables are there.
      do { _ = try source.flaw(of: -1) } catch let fault as MergeSource.Fault {
        if fault.error.primaryCode == SQLITE_ERROR {
          throw LogbookError(.corrupt, "\(path) is damaged (\(fault.error.message))")
        }
      }
      return (source, try source.keys().filter { !locks.isHeld($0) })
    } catch let fault as MergeSource.Fault {
      throw LogbookError(fault.error, logbook: path)
    } catch {
      throw report(error)
    }
  }

  // MARK: One flight

  private func mergeFlight(
    _ key: Int64, from source: MergeSource, force: Bool
  ) throws -> MergeOutcome? {
    var id: FlightID?
    do {
      return try exclusively {
        // Only now, so that no lock is held on the source while this logbook waits for a writer.
        try source.snapshot { () -> MergeOutcome? in
          guard let (row, plan) = try plan(key, of: source, force: force) else { return nil }
          id = row.id
          switch plan {
          case .settled(let outcome):
            if case .duplicate(let duplicate) = outcome,
              let existing = try self.key(of: duplicate.existing)
            {
              for tag in try source.tags(of: key) { try addTag(tag, toFlight: existing) }
            }
            return outcome
          case .store(let id):
            try copy(row, from: source, as: id)
            return .stored(id)
          case .replace(let own):
            try replace(own, with: row, from: source)
            return .stored(row.id)
          }
        }
      }
    } catch let fault as MergeSource.Fault {
      return .refused(.init(id: id ?? FlightID(rawValue: "\(key)"), reason: fault.reason))
    } catch let error as SQLiteError {
      // It holds what this logbook's tables don't take.
      guard let id, [SQLITE_CONSTRAINT, SQLITE_MISMATCH].contains(error.primaryCode) else {
        throw report(error)
      }
      return .refused(.init(id: id, reason: "its rows break a rule: \(error.message)"))
    }
  }

  /// Stores a flight with all that belongs to it.
  private func copy(
    _ row: MergeSource.Row, from source: MergeSource, as id: FlightID, key: Int64? = nil
  ) throws {
    let key = try key ?? nextFlightKey()
    var missionKey: Int64?
    if let mission = row.mission {
      try save(mission)
      // One of the same name and other numbers is another mission: the flight keeps its numbers without a name.
      missionKey = try connection.first(
        "SELECT key FROM mission WHERE key = ? AND pace = ? AND tolerance = ? AND distance IS ?",
        connection.key(of: .mission, named: mission.name), mission.pace, mission.tolerance,
        mission.distance
      ) { $0.integer(0) }
    }
    let copier = RowCopier(source: source, target: connection)
    try copier.copy(
      "flight", where: "key", is: row.key,
      replacing: ["key": key, "id": id.rawValue, "mission": missionKey])
    for table in ["coordinate", "alert", "split", "bestEffort", "rejected"] {
      try copier.copy(table, where: "flight", is: row.key, replacing: ["flight": key])
    }
    for tag in try source.tags(of: row.key) { try addTag(tag, toFlight: key) }
  }

  /// Stores a flight in place of the beginning of it, whose texts and tags stay.
  private func replace(
    _ key: Int64, with row: MergeSource.Row, from source: MergeSource
  ) throws {
    let texts = try connection.first("SELECT name, type, notes FROM flight WHERE key = ?", key) {
      [$0.optionalText(0), $0.optionalText(1), $0.optionalText(2)]
    }
    let tags = try MergeSource(connection: connection).tags(of: key)
    try connection.run("DELETE FROM flight WHERE key = ?", key)
    try copy(row, from: source, as: row.id, key: key)
    if let texts {
      try connection.run(
        """
        UPDATE flight SET name = coalesce(?2, name), type = coalesce(?3, type),
          notes = coalesce(?4, notes)
        WHERE key = ?1
        """, key, texts[0], texts[1], texts[2])
    }
    for tag in tags { try addTag(tag, toFlight: key) }
  }

  /// A key that no flight has or had.
  private func nextFlightKey() throws -> Int64 {
    try connection.integer(
      "SELECT coalesce(max(seq), 0) + 1 FROM sqlite_sequence WHERE name = 'flight'")
  }

  // MARK: Names

  /// Takes in tags, saved missions and settings whose names are not here yet.
  private func mergeNames(from source: MergeSource) throws {
    let reader = source.connection
    let (missions, tags, settings) = try source.reading {
      (
        try reader.rows("SELECT name, pace, tolerance, distance FROM mission") {
          MergeSource.SavedMission($0)
        },
        try reader.rows("SELECT name FROM tag") { $0.text(0) },
        try reader.rows("SELECT name, value FROM setting") { ($0.text(0), $0.double(1)) }
      )
    }
    try write {
      for mission in missions { try save(mission) }
      for tag in tags { _ = try keyOfTag(tag) }
      for (name, value) in settings where value > 0 && value.isFinite {
        try connection.run(
          "INSERT OR IGNORE INTO setting (name, value) VALUES (?, ?)", name, value)
      }
    }
  }

  private func save(_ mission: MergeSource.SavedMission) throws {
    guard mission.isSound, try connection.key(of: .mission, named: mission.name) == nil else {
      return
    }
    try connection.run(
      "INSERT INTO mission (name, pace, tolerance, distance) VALUES (?, ?, ?, ?)",
      mission.name, mission.pace, mission.tolerance, mission.distance)
  }
}

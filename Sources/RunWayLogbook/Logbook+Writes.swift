public import RunWayModel

// MARK: - Editing flights

extension Logbook {
  /// What a runner may write about a flight.
  public enum FlightText: String, Sendable, Hashable, CaseIterable {
    /// What the runner calls it.
    case name
    /// Anything the runner notes on it.
    case notes
    /// What kind of activity it was.
    case type
  }

  /// Changes what is written about a flight, all or nothing.
  ///
  /// - Parameters:
  ///   - id: The flight.
  ///   - texts: The new texts, `nil` for none; what is not among them stays.
  /// - Throws: A `LogbookError`: `notFound` where there is no such flight.
  public func edit(_ id: FlightID, _ texts: [FlightText: String?]) throws(LogbookError) {
    try write {
      guard let key = try key(of: id) else {
        throw LogbookError(.notFound, "there is no flight \(id)")
      }
      for (column, text) in texts {
        try connection.run("UPDATE flight SET \(column.rawValue) = ?2 WHERE key = ?1", key, text)
      }
    }
  }

  /// Gives a flight another name, or none.
  ///
  /// - Throws: A `LogbookError`: `notFound` where there is no such flight.
  public func rename(_ id: FlightID, to name: String?) throws(LogbookError) {
    try edit(id, [.name: name])
  }

  /// Writes notes on a flight, or removes them.
  ///
  /// - Throws: A `LogbookError`: `notFound` where there is no such flight.
  public func setNotes(_ notes: String?, of id: FlightID) throws(LogbookError) {
    try edit(id, [.notes: notes])
  }

  /// Corrects what kind of activity a flight was.
  ///
  /// - Throws: A `LogbookError`: `notFound` where there is no such flight.
  public func setType(_ type: String?, of id: FlightID) throws(LogbookError) {
    try edit(id, [.type: type])
  }

  /// Deletes flights with all that belongs to them, all or none.
  ///
  /// - Throws: A `LogbookError`: `notFound` where one does not exist, `busy` where one is being flown.
  public func delete(_ ids: [FlightID]) throws(LogbookError) {
    try write {
      for id in ids {
        guard let key = try key(of: id) else {
          throw LogbookError(.notFound, "there is no flight \(id)")
        }
        if locks.isHeld(key) {
          throw LogbookError(
            .busy, "flight \(id) is being flown and can only be deleted afterwards")
        }
        try connection.run("DELETE FROM flight WHERE key = ?", key)
      }
    }
  }

  /// Replaces a flight's mission, options, and all that was judged by another flight over its coordinates.
  ///
  /// Its coordinates, name and notes stay. Where other processes may be changing the flight, it is read and judged
  /// inside the same `exclusively` as this.
  ///
  /// - Parameters:
  ///   - id: The flight.
  ///   - mission: What it is judged by; `nil` for a free flight.
  ///   - missionName: The name of the saved mission that this is, if it is one.
  ///   - options: The options it is judged by.
  ///   - report: What the flight amounts to by them.
  ///   - discards: The verdicts on coordinates that don't count, in place of those stored.
  /// - Throws: A `LogbookError`: `notFound` where there is no such flight, `busy` where it is being flown.
  public func rejudge(
    _ id: FlightID, mission: Mission?, missionName: String? = nil, options: FlightOptions,
    report: FlightReport, discards: [Discard]
  ) throws(LogbookError) {
    try write {
      guard let key = try key(of: id) else {
        throw LogbookError(.notFound, "there is no flight \(id)")
      }
      if locks.isHeld(key) {
        throw LogbookError(
          .busy, "flight \(id) is being flown and can only be judged anew afterwards")
      }
      let saved = try missionName.flatMap { try connection.key(of: .mission, named: $0) }
      try connection.run(
        """
        UPDATE flight SET mission = ?2, targetPace = ?3, tolerance = ?4, targetDistance = ?5,
          maxSpeed = ?6
        WHERE key = ?1
        """,
        key, saved, mission?.pace.secondsPerKilometer, mission?.tolerance,
        mission?.distance?.meters, options.maxSpeed)
      try FlightWriter(connection: connection).rejudge(key, report: report, discards: discards)
    }
  }

  func key(of id: FlightID) throws -> Int64? {
    try connection.first("SELECT key FROM flight WHERE id = ?", id.rawValue) { $0.integer(0) }
  }

  // MARK: Settings

  /// The runner's weight in kilograms, if it is known.
  ///
  /// - Throws: A `LogbookError` where the logbook cannot be read.
  public func weight() throws(LogbookError) -> Double? {
    try reporting { try setting("weight") }
  }

  /// Notes the runner's weight in kilograms, or forgets it.
  ///
  /// - Throws: A `LogbookError`: `busy` where another process goes on writing for 5 s.
  public func setWeight(_ weight: Double?) throws(LogbookError) {
    try write {
      _ =
        if let weight {
          try connection.run(
            "INSERT OR REPLACE INTO setting (name, value) VALUES ('weight', ?)", weight)
        } else {
          try connection.run("DELETE FROM setting WHERE name = 'weight'")
        }
    }
  }

  func setting(_ name: String) throws -> Double? {
    try connection.first("SELECT value FROM setting WHERE name = ?", name) { $0.double(0) }
  }
}

internal import RunWayModel

// MARK: - Deciding what becomes of a flight

extension Logbook {
  /// What is to be done with a flight of another logbook.
  enum MergePlan {
    case settled(MergeOutcome)
    case store(as: FlightID)
    /// In place of the beginning of its recording.
    case replace(key: Int64)
  }

  /// Decides what is to be done with a flight.
  ///
  /// - Parameters:
  ///   - key: Its key in the other logbook.
  ///   - source: The other logbook.
  ///   - force: As for `merge`.
  /// - Returns: What identifies the flight, and the plan; `nil` where it is gone.
  /// - Throws: A `SQLiteError` where this logbook can't be read.
  func plan(
    _ key: Int64, of source: MergeSource, force: Bool
  ) throws -> (row: MergeSource.Row, plan: MergePlan)? {
    do {
      guard let row = try source.row(key) else { return nil }
      return (row, try plan(row, of: source, force: force))
    } catch let fault as MergeSource.Fault {
      // Its identity, too, may be what can't be read.
      let id = try? source.connection.first("SELECT id FROM flight WHERE key = ?", key) {
        FlightID(rawValue: $0.text(0))
      }
      let row = MergeSource.Row(key: key, id: id ?? FlightID(rawValue: "\(key)"))
      return (row, .settled(.refused(.init(id: row.id, reason: fault.reason))))
    }
  }

  private func plan(
    _ row: MergeSource.Row, of source: MergeSource, force: Bool
  ) throws -> MergePlan {
    func refusal(_ reason: String) -> MergePlan {
      .settled(.refused(.init(id: row.id, reason: reason)))
    }
    func duplicate(_ id: FlightID) -> MergePlan {
      .settled(.duplicate(.init(id: row.id, existing: id)))
    }
    let own = try connection.first(
      "SELECT key, fingerprint FROM flight WHERE id = ?", row.id.rawValue
    ) { (key: $0.integer(0), fingerprint: $0.isNull(1) ? nil : $0.blob(1)) }
    if !force {
      if let own, let fingerprint = row.fingerprint, fingerprint == own.fingerprint {
        return duplicate(row.id)
      }
      if own == nil, let known = try knownFlight(of: row.fingerprint) { return duplicate(known) }
    }
    if let flaw = try source.flaw(of: row.key) { return refusal(flaw) }
    guard let own else { return .store(as: row.id) }
    if force { return .store(as: FlightID()) }
    switch try progress(of: row.key, in: source, beyond: own.key) {
    case .none:
      return refusal("the logbook holds another recording under its identity")
    case .some(false):
      return duplicate(row.id)
    case .some(true):
      return locks.isHeld(own.key) ? duplicate(row.id) : .replace(key: own.key)
    }
  }

  /// The flight of a recording.
  private func knownFlight(of fingerprint: [UInt8]?) throws -> FlightID? {
    try connection.first(
      "SELECT id FROM flight WHERE fingerprint = ? ORDER BY key LIMIT 1", fingerprint
    ) { FlightID(rawValue: $0.text(0)) }
  }

  /// Whether the other logbook's recording goes on behind this one's; `nil` where neither begins with the other.
  private func progress(
    of sourceKey: Int64, in source: MergeSource, beyond key: Int64
  ) throws -> Bool? {
    let ownOrigin = try connection.integer("SELECT timeOrigin FROM flight WHERE key = ?", key)
    let own = try connection.prepare(FlightQuery.coordinatesByKey)
    try own.bind(key, at: 1)
    var hasOwn = try own.step()
    var goesOn = false
    var differs = false
    var failure: (any Error)?
    try source.forEachLocation(of: sourceKey) { location in
      guard hasOwn else {
        goesOn = true
        return false
      }
      let known = FlightQuery.coordinate(
        from: own, timeOrigin: Timestamp(microseconds: ownOrigin)
      ).location
      guard known == location else {
        differs = true
        return false
      }
      do { hasOwn = try own.step() } catch {
        failure = error
        return false
      }
      return true
    }
    if let failure { throw failure }
    return differs ? nil : goesOn
  }
}

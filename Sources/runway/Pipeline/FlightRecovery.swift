internal import RunWayLogbook
internal import RunWayModel
internal import RunWayTracking

/// Flies stored flights again: to complete those that were interrupted, to judge or to check the others.
@MainActor enum FlightRecovery {
  /// What flying a stored flight again found.
  struct Result {
    var report: FlightReport
    var discards: [Discard]
    /// The verdicts that are stored.
    var storedDiscards: [Discard]
    var events: [FlightEvent]
  }

  /// Completes the flights that no process is flying any more.
  ///
  /// - Parameters:
  ///   - logbook: A logbook that can be written.
  ///   - exception: A flight to leave as it is.
  ///   - units: What their distances are told in.
  /// - Throws: A `LogbookError`.
  static func completeInterrupted(
    in logbook: Logbook, besides exception: FlightID?, units: UnitFormat
  ) throws {
    for id in try logbook.interruptedFlights() where id != exception {
      guard let stored = try logbook.flight(id) else { continue }
      guard let flight = try takeOver(id, in: logbook) else { continue }
      let result = try flyAgain(stored, in: logbook, mission: stored.mission)
      let outcome: StoreOutcome
      do {
        if flight.nextOrder == 0 {
          // Killed between its beginning and its first location.
          try flight.discard()
          continue
        }
        outcome = try flight.finish(
          report: result.report, discards: result.discards,
          force: try !repeatsAnother(stored, result.report, in: logbook))
      } catch let error as LogbookError where error.code == .busy {
        // It stays interrupted, and the next writer sees to it.
        continue
      }
      let fate =
        switch outcome {
        case .stored: "is closed at \(units.distanceWithUnit(result.report.totals.distance))"
        case .duplicate(let known): "repeats flight \(known.rawValue.prefix(8)), and is not kept"
        }
      StandardError.print(
        "runway: flight \(id.rawValue.prefix(8)), which was interrupted, \(fate)")
    }
  }

  /// Whether an interrupted flight tells nothing that a stored one does not: it may have been wanted all the same, for
  /// another mission or by `--force`.
  private static func repeatsAnother(
    _ flight: Flight, _ report: FlightReport, in logbook: Logbook
  ) throws -> Bool {
    guard let known = try logbook.flight(of: report.fingerprint),
      let other = try logbook.flight(known)
    else { return false }
    return flight.mission == other.mission && flight.options == other.options
  }

  /// Takes over an interrupted flight; `nil` where another writer was quicker, or is writing, and will see to it.
  private static func takeOver(_ id: FlightID, in logbook: Logbook) throws -> LiveFlight? {
    do {
      return try logbook.resume(id)
    } catch {
      if error.code == .busy || error.code == .notFound { return nil }
      throw error
    }
  }

  /// What an unfinished flight amounts to so far.
  ///
  /// Its totals and splits are written when it touches down, or is completed; until then its coordinates tell them.
  ///
  /// - Parameters:
  ///   - flight: A flight; its totals are brought up to date.
  ///   - logbook: Where its coordinates are.
  /// - Returns: What it amounts to; `nil` for a flight that has touched down, of which all is stored.
  /// - Throws: A `LogbookError`.
  @discardableResult
  static func bringUpToDate(_ flight: inout Flight, in logbook: Logbook) throws -> FlightReport? {
    guard flight.live || flight.interrupted else { return nil }
    let report = try flyAgain(flight, in: logbook, mission: flight.mission).report
    flight.totals = report.totals
    if flight.calories == nil {
      flight.fuel = try logbook.weight().map {
        Flight.fuel(weight: $0, over: report.totals.distance)
      }
    }
    return report
  }

  /// Flies a stored flight again.
  ///
  /// - Parameters:
  ///   - flight: The flight; its options apply.
  ///   - logbook: Where its coordinates are.
  ///   - mission: The mission to judge it by.
  /// - Returns: Everything that is known of it now.
  /// - Throws: A `LogbookError`.
  /// - Complexity: Linear in the coordinates; memory grows with the verdicts on those that do not count, and with the alerts.
  static func flyAgain(
    _ flight: Flight, in logbook: Logbook, mission: Mission?
  ) throws -> Result {
    var computer = FlightComputer(mission: mission, options: flight.options)
    var update = FlightUpdate()
    var storedDiscards: [Discard] = []
    try logbook.forEachCoordinateBatch(of: flight.id) { batch in
      computer.process(batch.map(\.location), into: &update)
      storedDiscards += batch.compactMap { coordinate in
        coordinate.discarded.map { Discard(order: coordinate.order, reason: $0) }
      }
    }
    var report = computer.finish(into: &update)
    // What was not valid was never stored, and a date that was given is not in the coordinates.
    report.totals.discarded.invalid = flight.totals.discarded.invalid
    if report.totals.startedAt == nil { report.totals.startedAt = flight.totals.startedAt }
    return Result(
      report: report, discards: update.discards, storedDiscards: storedDiscards,
      events: update.events)
  }
}

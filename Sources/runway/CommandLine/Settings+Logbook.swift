internal import FoundationEssentials
internal import Glibc
internal import RunWayLogbook
internal import RunWayModel

extension Settings {
  /// Where the logbook is.
  func logbookLocation() throws -> LogbookLocation {
    if let logbookPath { return .file(logbookPath) }
    // Foundation repairs what is not UTF-8, and a repaired path leads to another file.
    for name in ["RUNWAY_LOGBOOK", "XDG_DATA_HOME", "HOME"] {
      guard let value = getenv(name), value.pointee != 0 else { continue }
      if String(validatingCString: value) == nil {
        throw CommandError("the variable \(name) is not UTF-8", status: .inputOutput)
      }
      break
    }
    return try .default(environment: ProcessInfo.processInfo.environment)
  }

  /// Whether a path leads to the logbook's file, or to one that SQLite or RunWay keeps beside it.
  func isPartOfLogbook(_ path: String) throws -> Bool {
    try logbookLocation().includes(path)
  }

  /// The mission that is asked for, and the name of the saved one that it is.
  ///
  /// A saved mission of which a number is overridden is another mission: the flight is not one of the saved one's.
  ///
  /// - Parameters:
  ///   - invocation: What is asked for.
  ///   - logbook: Where missions are saved.
  ///   - flight: The flight whose mission it is where no other is named; numbers override it all the same.
  /// - Returns: The mission, and its name.
  /// - Throws: A `LogbookError` where there is no mission of that name, or a `UsageError`.
  func namedMission(
    _ invocation: Invocation, in logbook: Logbook, of flight: Flight? = nil
  ) throws -> (mission: Mission?, name: String?) {
    let name = invocation.value(.mission)
    let saved = try name.map { try logbook.mission(named: $0) } ?? flight?.mission
    let mission = try mission(invocation, saved: saved)
    return (mission, mission == saved ? name ?? flight?.missionName : nil)
  }

  /// Opens the logbook for reading.
  func openForReading() throws -> Logbook {
    try Logbook(logbookLocation(), readOnly: true)
  }

  /// Opens the logbook to change a flight, which must be there: none is made just to find it empty.
  ///
  /// - Parameter words: Which flights, as on the command line.
  /// - Returns: The logbook.
  /// - Throws: A `LogbookError`.
  func openForChanging(_ words: [String]) throws -> Logbook {
    try openForWriting { reader in
      for word in words { _ = try reader.flightID(matching: word) }
    }
  }

  /// Opens the logbook for writing, once what is to be changed has been found in it.
  ///
  /// - Parameter find: Throws where it is not there.
  /// - Returns: The logbook.
  /// - Throws: A `LogbookError`.
  func openForWriting(finding find: (Logbook) throws -> Void) throws -> Logbook {
    try find(openForReading())
    return try openForWriting()
  }

  /// Opens the logbook for writing, and completes the flights whose process is gone.
  ///
  /// - Parameter interrupted: A flight that is not to be completed, because it goes on.
  /// - Returns: The logbook.
  /// - Throws: A `LogbookError`.
  func openForWriting(besides interrupted: FlightID? = nil) throws -> Logbook {
    let logbook = try Logbook(logbookLocation())
    try FlightRecovery.completeInterrupted(in: logbook, besides: interrupted, units: units)
    return logbook
  }
}

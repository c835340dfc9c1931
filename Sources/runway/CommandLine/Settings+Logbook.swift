internal import FoundationEssentials
internal import RunWayLogbook
internal import RunWayModel

extension Settings {
  /// Where the logbook is.
  func logbookLocation() throws -> LogbookLocation {
    if let logbookPath { return .file(logbookPath) }
    return try .default(environment: ProcessInfo.processInfo.environment)
  }

  /// Opens the logbook for reading.
  func openForReading() throws -> Logbook {
    try Logbook(logbookLocation(), readOnly: true)
  }

  /// Opens the logbook for writing, and completes the flights whose process is gone.
  ///
  /// - Parameter interrupted: A flight that is not to be completed, because it goes on.
  /// - Returns: The logbook.
  /// - Throws: A `LogbookError`.
  func openForWriting(besides interrupted: FlightID? = nil) throws -> Logbook {
    let logbook = try Logbook(logbookLocation())
    try FlightRecovery.completeInterrupted(in: logbook, besides: interrupted)
    return logbook
  }
}

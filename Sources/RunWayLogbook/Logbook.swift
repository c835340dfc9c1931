internal import CSQLite
internal import RunWayModel

/// The main-actor persistence service over one SQLite file.
///
/// Any number of logbooks may be open in one process, and any number of processes may use one
/// logbook: readers never wait, writers wait their turn.
@MainActor public final class Logbook {
  /// Where it is.
  public let location: LogbookLocation
  /// Whether it refuses to write.
  public let isReadOnly: Bool
  private(set) var connection: Connection
  /// Whether this is a reader that found no file yet.
  private var standsIn: Bool
  let locks: FlightLocks
  let observers = ObserverRegistry()
  /// The identities of flights by their keys, which never change.
  var knownIDs: [Int64: FlightID] = [:]

  /// Opens a logbook, making it on first use.
  ///
  /// The file's folder is made as well. A file of an earlier version is brought up to date. A reader
  /// of a file that does not exist finds an empty logbook and makes nothing.
  ///
  /// - Parameters:
  ///   - location: In memory, or a file.
  ///   - readOnly: Whether only to read: no write lock is ever taken.
  /// - Throws: A `LogbookError`: `notADatabase`, `foreign`, `newer`, `busy`, `readOnly`, `diskFull`,
  ///   `corrupt`, `io`. A file that is refused is left as it was.
  public init(_ location: LogbookLocation, readOnly: Bool = false) throws(LogbookError) {
    self.location = location
    isReadOnly = readOnly
    (connection, standsIn) = try LogbookFile.open(location, readOnly: readOnly)
    locks = FlightLocks(location: location)
    connection.onCommit = { [observers] tables in observers.tablesChanged(tables) }
  }

  /// Opens a logbook in memory.
  ///
  /// - Throws: A `LogbookError` where memory does not suffice.
  public convenience init() throws(LogbookError) {
    try self.init(.inMemory)
  }

  /// Opens the file that a reader found missing, if it is there by now.
  ///
  /// - Returns: Whether it was and is.
  func appearIfNeeded() -> Bool {
    guard standsIn, let opened = try? LogbookFile.open(location, readOnly: true), !opened.standsIn
    else { return false }
    (connection, standsIn) = opened
    knownIDs = [:]
    return true
  }

  // MARK: Errors

  /// Runs a closure and says what went wrong in it in a runner's words.
  func reporting<Value>(_ body: () throws -> Value) throws(LogbookError) -> Value {
    do {
      return try body()
    } catch {
      throw report(error)
    }
  }

  /// Puts an error into a runner's words.
  func report(_ error: any Error) -> LogbookError {
    switch error {
    case let error as LogbookError: error
    case let error as SQLiteError: LogbookError(error, logbook: location.name)
    default: LogbookError(.io, "\(location.name) cannot be used: \(error)")
    }
  }

  /// Runs a closure in one transaction, waiting for other writers.
  func write<Value>(_ body: () throws -> Value) throws(LogbookError) -> Value {
    try reporting {
      if isReadOnly {
        throw LogbookError(.readOnly, "\(location.name) was opened for reading only")
      }
      return try connection.transaction(body)
    }
  }
}

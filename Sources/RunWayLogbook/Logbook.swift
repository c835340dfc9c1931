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
  /// Held by those who observe queries.
  private weak var otherProcesses: OtherProcesses?
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
  }

  isolated deinit {
    // What observes it has come to its end.
    connection.noteUnknownChange()
  }

  /// Opens a logbook in memory.
  ///
  /// - Throws: A `LogbookError` where memory does not suffice.
  public convenience init() throws(LogbookError) {
    try self.init(.inMemory)
  }

  /// Whether this is a reader, and there was no file when it last looked.
  public var isMissing: Bool { standsIn }

  /// Opens the file that a reader found missing, if it is there by now.
  ///
  /// - Returns: Whether it was and is.
  func appearIfNeeded() -> Bool {
    guard standsIn, let opened = try? LogbookFile.open(location, readOnly: true), !opened.standsIn
    else { return false }
    let empty = connection
    (connection, standsIn) = opened
    knownIDs = [:]
    empty.noteUnknownChange()
    return true
  }

  /// Notices changes by other processes, for as long as someone holds what is returned.
  func noticingOtherProcesses() -> OtherProcesses {
    if let otherProcesses { return otherProcesses }
    let others = OtherProcesses(of: self)
    otherProcesses = others
    return others
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
    case let fault as MergeSource.Fault: LogbookError(fault.error, logbook: location.name)
    default: LogbookError(.io, "\(location.name) cannot be used: \(error)")
    }
  }

  // MARK: Transactions

  /// Reads the logbook as of one moment: what a closure reads is not changed in between by other processes.
  ///
  /// While the closure runs, no other writer is held up, but the log that they write to can only grow.
  ///
  /// - Parameter body: Any reading calls of this logbook.
  /// - Returns: What the closure returns.
  /// - Throws: What the closure throws, or a `LogbookError`.
  public func snapshot<Value>(_ body: () throws -> Value) throws -> Value {
    if connection.isInTransaction { return try body() }
    try reporting { _ = try connection.run("BEGIN") }
    do {
      let value = try body()
      if connection.hasWritten { try reporting { try connection.commit() } }
      // A commit of nothing may fail where a page is damaged; there is nothing that it could lose.
      connection.rollback()
      return value
    } catch {
      connection.rollback()
      throw error
    }
  }

  /// Reads as of one moment and says what went wrong in a runner's words.
  func reading<Value>(_ body: () throws -> Value) throws(LogbookError) -> Value {
    try reporting { try snapshot(body) }
  }

  /// Reads and writes in one transaction: no other process writes in between, and what a closure wrote is undone
  /// if it throws.
  ///
  /// - Parameter body: Any calls of this logbook that return when they are done.
  /// - Returns: What the closure returns.
  /// - Throws: What the closure throws, or a `LogbookError`: `busy` where another writer does not finish in time.
  public func exclusively<Value>(_ body: () throws -> Value) throws -> Value {
    var failure: (any Error)?
    do {
      return try write {
        do { return try body() } catch {
          failure = error
          throw error
        }
      }
    } catch {
      throw failure ?? error
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

internal import CSQLite
internal import Glibc

/// Why the logbook cannot do what it was asked.
public struct LogbookError: Error, Sendable, Hashable {
  /// The kind of fault.
  public enum Code: Sendable, Hashable {
    /// The file is no SQLite database.
    case notADatabase
    /// The file is a database of another program.
    case foreign
    /// The file was written by a newer version of RunWay.
    case newer
    /// Another process holds the logbook, or the flight; it can be tried again later.
    case busy
    /// The file or its folder cannot be written.
    case readOnly
    /// The disk, or the room allowed, is full.
    case diskFull
    /// The file is damaged.
    case corrupt
    /// The file cannot be opened, read or written.
    case io
    /// There is no such flight, tag or mission.
    case notFound
    /// Several flights answer to a name.
    case ambiguous
    /// The name is already taken, or cannot be one.
    case invalidName
    /// Neither a path nor a home folder says where the logbook is.
    case noLocation
  }

  /// The kind of fault.
  public var code: Code
  /// One complete sentence for the terminal, without a full stop.
  public var message: String

  /// Makes an error.
  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }
}

extension LogbookError: CustomStringConvertible {
  /// The message.
  public var description: String { message }
}

// MARK: - From SQLite

extension LogbookError {
  /// Says in a runner's words what SQLite answered.
  ///
  /// - Parameters:
  ///   - error: SQLite's answer.
  ///   - name: The logbook's path, or words that stand for it.
  init(_ error: SQLiteError, logbook name: String) {
    switch error.primaryCode {
    case SQLITE_NOTADB:
      self.init(.notADatabase, "\(name) is not a logbook, nor any other SQLite database")
    case SQLITE_BUSY, SQLITE_LOCKED:
      let writer = WriterProcess.holding(path: name)
      let who = writer.map { "\($0) is" } ?? "another process is"
      self.init(.busy, "\(who) writing to \(name) and must finish first")
    case SQLITE_READONLY, SQLITE_PERM:
      self.init(.readOnly, "\(name) cannot be written: it or its folder is read-only")
    case SQLITE_FULL:
      self.init(.diskFull, "\(name) cannot grow: the disk is full")
    case SQLITE_CORRUPT where error.code == SQLiteError.corruptIndex:
      self.init(
        .corrupt, "an index of \(name) is damaged; runway check --repair makes it anew")
    case SQLITE_CORRUPT:
      self.init(
        .corrupt, "\(name) is damaged (\(error.message)); restore it from a backup")
    case SQLITE_CANTOPEN where access(name, F_OK) == 0 && access(name, R_OK) != 0:
      self.init(.io, "\(name) cannot be opened: \(String(cString: strerror(errno)))")
    case SQLITE_CANTOPEN where LogbookFile.isWriteProtected(name):
      self.init(.readOnly, "\(name) cannot be written: its folder is read-only")
    case SQLITE_CANTOPEN:
      let reason = error.systemError.map { ": \(String(cString: strerror($0)))" } ?? ""
      self.init(.io, "\(name) cannot be opened\(reason)")
    case SQLITE_IOERR where LogbookFile.isDiskFull(name):
      self.init(.diskFull, "\(name) cannot be read or written: the disk is full")
    case SQLITE_IOERR:
      self.init(.io, "\(name) cannot be read or written: \(error.message)")
    default:
      self.init(.io, "\(name) cannot be used: \(error.message)")
    }
  }
}

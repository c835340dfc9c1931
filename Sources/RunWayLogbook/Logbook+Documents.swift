internal import CSQLite
internal import Glibc
public import RunWayModel

// MARK: - Logbooks as documents

extension Logbook {
  /// Writes some flights, with all that belongs to them, as a logbook of their own.
  ///
  /// A file of that name is replaced once the new one is complete.
  ///
  /// - Parameters:
  ///   - ids: The flights.
  ///   - path: The new file.
  /// - Throws: A `LogbookError`: `notFound` where there is no such flight, or why the file can't be written.
  public func exportDocument(_ ids: [FlightID], to path: String) throws(LogbookError) {
    try replaceFile(path) { temporary throws(LogbookError) in
      let document = try Logbook(.file(temporary))
      _ = try document.merge(
        from: connection, onlyFlights: ids, force: false, isFlown: { _ in false })
      try document.becomeSingleFile()
    }
  }

  // MARK: Keeping it

  /// Copies the whole logbook as it stands, while others may be writing to it.
  ///
  /// - Parameter path: The copy; a file of that name is replaced once the copy is complete.
  /// - Throws: A `LogbookError`.
  public func backup(to path: String) throws(LogbookError) {
    try replaceFile(path) { temporary throws(LogbookError) in
      try reporting {
        let copy = try Connection(
          LogbookFile.uri(temporary), flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)
        try LogbookFile.copy(connection, into: copy)
        try copy.executeScript("PRAGMA journal_mode = DELETE")
      }
    }
  }

  /// Leaves nothing of the logbook beside its file.
  private func becomeSingleFile() throws(LogbookError) {
    try reporting { try connection.executeScript("PRAGMA journal_mode = DELETE") }
  }

  /// Makes a file under another name, and gives it its own once it is complete.
  private func replaceFile(
    _ path: String, _ make: (String) throws(LogbookError) -> Void
  ) throws(LogbookError) {
    if case .file(let own) = location, LogbookFile.isSameFile(own, path) {
      throw LogbookError(.io, "\(path) is the logbook itself")
    }
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    guard access(folder, F_OK) == 0 else {
      throw LogbookError(.io, "\(path) cannot be written: there is no folder \(folder)")
    }
    try refuseToReplace(path)
    let temporary = "\(path).\(getpid()).partial"
    unlink(temporary)
    do throws(LogbookError) {
      try make(temporary)
      guard Glibc.rename(temporary, path) == 0 else {
        throw LogbookError(
          .io, "\(path) cannot be written: \(String(cString: strerror(errno)))")
      }
    } catch {
      unlink(temporary)
      throw error
    }
  }

  /// Refuses what is there and is neither empty nor a logbook: it would be lost.
  private func refuseToReplace(_ path: String) throws(LogbookError) {
    var information = stat()
    guard stat(path, &information) == 0 else { return }
    guard information.st_mode & S_IFMT == S_IFREG else {
      throw LogbookError(.io, "\(path) cannot be written: it is no regular file")
    }
    guard information.st_size > 0 else { return }
    do {
      _ = try Logbook(.file(path), readOnly: true)
    } catch {
      throw LogbookError(.io, "\(path) is not replaced: it is there, and no logbook")
    }
  }

  // MARK: Looking after it

  /// What a logbook holds, and where.
  public struct Info: Sendable, Hashable {
    /// `nil` in memory.
    public var path: String?
    /// Bytes, with what has not been moved into the file yet.
    public var size: Int64
    /// The number of the last migration, counted from 1.
    public var schemaVersion: Int
    /// All flights, those that have not touched down included.
    public var flightCount: Int
    /// All stored alerts.
    public var alertCount: Int
    /// All coordinates, those that don't count included.
    public var coordinateCount: Int
    /// All tags, those that no flight bears included.
    public var tagCount: Int
    /// All saved missions.
    public var missionCount: Int
    /// Kilograms.
    public var weight: Double?
  }

  /// Where the logbook is and what it holds.
  ///
  /// - Throws: A `LogbookError` where the logbook cannot be read.
  public func info() throws(LogbookError) -> Info {
    try reporting {
      let count = { [connection] (sql: String) in Int(try connection.integer(sql)) }
      let pages = try connection.integer("PRAGMA page_count")
      let path: String? = if case .file(let path) = location { path } else { nil }
      return Info(
        path: path, size: pages &* (try connection.integer("PRAGMA page_size")),
        schemaVersion: try count("PRAGMA user_version"),
        flightCount: try count("SELECT count(*) FROM flight"),
        alertCount: try count("SELECT count(*) FROM alert"),
        coordinateCount: try count(
          """
          SELECT sum(coordinateCount + duplicateCount + backwardsCount + spikeCount) FROM flight
          """),
        tagCount: try count("SELECT count(*) FROM tag"),
        missionCount: try count("SELECT count(*) FROM mission"), weight: try setting("weight"))
    }
  }
}

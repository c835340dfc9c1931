internal import CSQLite
internal import Glibc

/// Makes a logbook under another name, and gives it its own once it is complete.
struct FileReplacement {
  private let path: String
  private let temporary: String

  /// Looks at what is there.
  ///
  /// - Parameter path: The file to make.
  /// - Throws: A `LogbookError` where what is there would be lost, or is in use, or nothing can be made.
  init(_ path: String) throws(LogbookError) {
    self.path = path
    temporary = "\(path).\(getpid()).partial"
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    guard access(folder, F_OK) == 0 else {
      throw LogbookError(.io, "\(path) cannot be written: there is no folder \(folder)")
    }
    _ = try seizeOld()
  }

  /// Makes the file, and puts it in place.
  ///
  /// - Parameter make: Makes the file of the name it is given, and closes it.
  /// - Throws: A `LogbookError`; what was there before stays.
  func run(_ make: (String) throws(LogbookError) -> Void) throws(LogbookError) {
    removeTemporary()
    do throws(LogbookError) {
      try make(temporary)
      let old = try seizeOld()
      let code = withExtendedLifetime(old) { Glibc.rename(temporary, path) == 0 ? 0 : errno }
      if code != 0 {
        throw LogbookError(.io, "\(path) cannot be written: \(String(cString: strerror(code)))")
      }
    } catch {
      removeTemporary()
      var error = error
      // The name that it bears meanwhile is no one's concern.
      error.message = error.message.replacing(temporary, with: path)
      throw error
    }
  }

  private func removeTemporary() {
    for suffix in ["", "-wal", "-shm", "-journal", "-live"] { unlink(temporary + suffix) }
  }

  /// Takes the file that is there away from all others.
  ///
  /// Its write-ahead log would be taken for the new file’s, and so would be one that a process made which has it
  /// open: “unlinking or renaming a database file while in use”, https://sqlite.org/howtocorrupt.html
  ///
  /// - Returns: What holds the lock; `nil` where there is nothing, or nothing in it.
  private func seizeOld() throws(LogbookError) -> Connection? {
    var information = stat()
    let exists = stat(path, &information) == 0
    guard exists, information.st_size > 0 || information.st_mode & S_IFMT != S_IFREG else {
      try refuseOrphanedLogs()
      return nil
    }
    guard information.st_mode & S_IFMT == S_IFREG else {
      throw LogbookError(.io, "\(path) cannot be written: it is no regular file")
    }
    guard LogbookFile.isLogbook(path) else {
      throw LogbookError(.io, "\(path) is not replaced: it is there, and no logbook")
    }
    do {
      let old = try Connection(LogbookFile.uri(path), flags: SQLITE_OPEN_READWRITE)
      // Without shared memory, so that the lock is on the file itself. Leaving WAL mode does away with the log.
      try old.executeScript(
        """
        PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = DELETE;
        BEGIN EXCLUSIVE; COMMIT;
        """)
      // What a process that was killed left behind; nobody else has it open.
      unlink("\(path)-shm")
      return old
    } catch {
      if error.primaryCode == SQLITE_BUSY || error.primaryCode == SQLITE_LOCKED {
        throw LogbookError(.busy, "\(path) is not replaced: another process has it open")
      }
      throw LogbookError(error, logbook: path)
    }
  }

  /// Refuses a place where a log has lost its logbook: it would be taken for the new file’s.
  private func refuseOrphanedLogs() throws(LogbookError) {
    for suffix in ["-wal", "-journal"] {
      var information = stat()
      guard stat(path + suffix, &information) == 0, information.st_size > 0 else { continue }
      throw LogbookError(
        .io,
        "\(path) cannot be written: \(path)\(suffix) is there, the log of a logbook that is not")
    }
  }
}

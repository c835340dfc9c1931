internal import CSQLite
internal import Glibc

/// Opens logbook files: tells whose they are, makes new ones, brings old ones up to date.
enum LogbookFile {
  /// How long a writer waits for another one, in milliseconds.
  static let writeTimeout: Int32 = 5_000

  /// Opens a logbook, and makes it where it does not exist and may be written.
  ///
  /// - Returns: The connection, and whether it is an empty stand-in for a file that a reader found missing.
  static func open(
    _ location: LogbookLocation, readOnly: Bool,
    migrations: [String] = LogbookSchema.migrations
  ) throws(LogbookError) -> (connection: Connection, standsIn: Bool) {
    do {
      guard case .file(let path) = location else { return (try openInMemory(migrations), false) }
      let state = try probe(path, version: Int64(migrations.count))
      if state == .missing {
        if readOnly { return (try openInMemory(migrations), true) }
        try makeFolder(of: path)
      }
      return (try openFile(path, readOnly: readOnly, migrations: migrations), false)
    } catch let error as SQLiteError {
      throw LogbookError(error, logbook: location.name)
    } catch let error as LogbookError {
      throw error
    } catch {
      throw LogbookError(.io, "\(location.name) cannot be opened: \(error)")
    }
  }

  private static func openInMemory(_ migrations: [String]) throws -> Connection {
    let connection = try Connection(
      ":memory:", flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)
    try migrate(connection, migrations: migrations)
    try configure(connection, journal: false)
    return connection
  }

  private static func openFile(
    _ path: String, readOnly: Bool, migrations: [String]
  ) throws -> Connection {
    let version = Int64(migrations.count)
    let connection = try connect(path, readOnly: readOnly)
    switch try identify(connection, path: path, version: version) {
    case .current, .unsettled: break
    case .missing, .older:
      if sqlite3_db_readonly(connection.handle, "main") == 1 {
        throw LogbookError(
          .readOnly, "\(path) was written by an older RunWay and must be updated, but is read-only")
      }
      try migrate(connection, migrations: migrations)
    }
    try configure(connection, journal: !readOnly)
    if readOnly { try connection.executeScript("PRAGMA query_only = ON") }
    return connection
  }

  private static func connect(_ path: String, readOnly: Bool) throws -> Connection {
    do {
      let connection = try Connection(
        uri(path), flags: SQLITE_OPEN_READWRITE | (readOnly ? 0 : SQLITE_OPEN_CREATE))
      connection.busyTimeout = writeTimeout
      // The first read: it fails where the side files of WAL mode can't be made.
      _ = try connection.integer("PRAGMA user_version")
      return connection
    } catch {
      // In a folder that can't be written, or where a disk is full, a logbook that nobody has open is read as it stands.
      let found = LogbookLocation.resolved(path)
      let isFull = error.primaryCode == SQLITE_IOERR && isDiskFull(found)
      guard readOnly, isFull || isWriteProtected(found), !hasWriteAheadLog(found) else {
        throw error
      }
      return try Connection(uri(path, "immutable=1"), flags: SQLITE_OPEN_READONLY)
    }
  }

  /// Opens a logbook to read from it, and leaves it as it is, of whatever version.
  static func openForMerging(_ path: String) throws(LogbookError) -> Connection {
    do {
      if try probe(path, version: LogbookSchema.version) == .missing {
        throw LogbookError(.io, "\(path) does not exist, or is empty")
      }
      let found = try connect(path, readOnly: true)
      if try identify(found, path: path, version: LogbookSchema.version) == .current {
        return found
      }
      let copy = try Connection(":memory:", flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)
      try self.copy(found, into: copy)
      try migrate(copy, migrations: LogbookSchema.migrations)
      return copy
    } catch let error as SQLiteError {
      throw LogbookError(error, logbook: path)
    } catch let error as LogbookError {
      throw error
    } catch {
      throw LogbookError(.io, "\(path) cannot be opened: \(error)")
    }
  }

  /// Copies a whole database as it stands.
  ///
  /// See https://sqlite.org/backup.html
  static func copy(_ source: Connection, into target: Connection) throws(SQLiteError) {
    guard let backup = sqlite3_backup_init(target.handle, "main", source.handle, "main") else {
      throw SQLiteError(
        connection: target.handle, code: sqlite3_extended_errcode(target.handle))
    }
    // All pages in one step: a backup that pauses starts anew whenever another process has written meanwhile.
    // Readers hold up no writer in WAL mode.
    var code = sqlite3_backup_step(backup, -1)
    for _ in 0..<50 where code == SQLITE_BUSY || code == SQLITE_LOCKED {
      usleep(100_000)
      code = sqlite3_backup_step(backup, -1)
    }
    sqlite3_backup_finish(backup)
    guard code == SQLITE_DONE else { throw SQLiteError(connection: target.handle, code: code) }
  }

  // MARK: Whose file it is

  enum State { case missing, older, current, unsettled }

  /// Looks at a file without writing to it, nor beside it.
  ///
  /// - Returns: What it is; `unsettled` where its log is being moved into it, or was when a process died, so that only
  ///   one who reads the log too can tell.
  /// - Throws: A `LogbookError` where the file is no logbook of this version or an earlier one.
  private static func probe(_ path: String, version: Int64) throws -> State {
    var status = stat()
    guard stat(path, &status) == 0 else {
      if errno == ENOENT || errno == ENOTDIR { return .missing }
      throw LogbookError(.io, "\(path) cannot be opened: \(String(cString: strerror(errno)))")
    }
    // SQLite would open a device, and make its journal beside it.
    if let noun = nounOfNoFile(status.st_mode) {
      throw LogbookError(.io, "\(path) cannot be opened: it is \(noun)")
    }
    if status.st_size == 0 { return .missing }
    // “immutable=1”: no locks, no side files, no recovery.
    let connection = try Connection(uri(path, "immutable=1"), flags: SQLITE_OPEN_READONLY)
    do {
      return try identify(connection, path: path, version: version)
    } catch let error as SQLiteError where error.primaryCode == SQLITE_CORRUPT {
      return .unsettled
    }
  }

  /// What it is that a logbook cannot be; `nil` for a regular file.
  private static func nounOfNoFile(_ mode: mode_t) -> String? {
    switch mode & S_IFMT {
    case S_IFREG: nil
    case S_IFDIR: "a folder"
    case S_IFIFO: "a pipe"
    case S_IFSOCK: "a socket"
    default: "a device"
    }
  }

  /// Whether a file bears a logbook's mark, of whatever version and in whatever state.
  static func isLogbook(_ path: String) -> Bool {
    let connection = try? Connection(uri(path, "immutable=1"), flags: SQLITE_OPEN_READONLY)
    return (try? connection?.integer("PRAGMA application_id")) == LogbookSchema.applicationID
  }

  /// Tells whose file it is that a connection has opened.
  private static func identify(
    _ connection: Connection, path: String, version: Int64
  ) throws -> State {
    // As of one moment: another process may just be making it.
    try connection.executeScript("BEGIN")
    defer { connection.rollback() }
    let application = try connection.integer("PRAGMA application_id")
    let found = try connection.integer("PRAGMA user_version")
    if application == 0, found == 0, try connection.integer("PRAGMA page_count") == 0 {
      return .missing
    }
    if application == LogbookSchema.applicationID, found <= version {
      return found == version ? .current : .older
    }
    // Nothing is to change in it, not even by moving the log into the file.
    _ = runway_sqlite3_disable_checkpoint_on_close(connection.handle)
    guard application == LogbookSchema.applicationID else {
      throw LogbookError(.foreign, "\(path) is a database of another program, not a logbook")
    }
    throw LogbookError(
      .newer,
      "\(path) was written by a newer RunWay (schema \(found), this one knows \(version)); update RunWay"
    )
  }

  // MARK: Making it

  /// Applies the migrations that a logbook lacks, each in one transaction with its number.
  static func migrate(_ connection: Connection, migrations: [String]) throws {
    // A migration may rebuild tables that others refer to: https://sqlite.org/lang_altertable.html
    try connection.executeScript("PRAGMA foreign_keys = OFF")
    while true {
      try connection.executeScript("BEGIN IMMEDIATE")
      do {
        // Read inside the transaction, for another process may be doing the same.
        let version = Int(try connection.integer("PRAGMA user_version"))
        guard version < migrations.count else {
          try connection.executeScript("COMMIT")
          return
        }
        try connection.executeScript(migrations[version])
        let violations = try connection.rows("PRAGMA foreign_key_check") { $0.text(0) }
        if let table = violations.first {
          throw LogbookError(.corrupt, "migration \(version + 1) breaks a relation of \(table)")
        }
        try connection.executeScript(
          """
          PRAGMA application_id = \(LogbookSchema.applicationID);
          PRAGMA user_version = \(version + 1);
          COMMIT
          """)
      } catch {
        connection.rollback()
        throw error
      }
    }
  }

  /// Sets what a connection needs.
  ///
  /// - Parameters:
  ///   - connection: The connection.
  ///   - journal: Whether to set the journal mode, which changes the file: a reader leaves a single file one.
  /// - Throws: A `SQLiteError`.
  private static func configure(_ connection: Connection, journal: Bool) throws {
    // The journal mode is the file's own and set once. It comes after the tables, so that the file always
    // bears its application_id. Another process may be setting it too, which no busy handler waits for.
    if journal, sqlite3_db_readonly(connection.handle, "main") == 0 {
      let mode = try connection.first("PRAGMA journal_mode") { $0.text(0) }
      if mode == "delete" {
        do {
          try connection.executeScript("PRAGMA journal_mode = WAL")
        } catch {
          // Where it is busy, it stays as it is until the next time.
          if error.primaryCode != SQLITE_BUSY { throw error }
        }
      }
    }
    // Moving the log into the file syncs both, so it is done every 16 MB of a long import and not every 4.
    try connection.executeScript(
      """
      PRAGMA foreign_keys = ON;
      PRAGMA synchronous = NORMAL;
      PRAGMA wal_autocheckpoint = 4096;
      PRAGMA secure_delete = FAST;
      """)
  }

  /// Makes the folder that a file is to lie in, and those above it.
  private static func makeFolder(of path: String) throws(LogbookError) {
    guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return }
    let folder = String(path[..<slash])
    var status = stat()
    if stat(folder, &status) == 0 { return }
    try makeFolder(of: folder)
    // Only for its owner, as the XDG specification asks for.
    guard mkdir(folder, 0o700) == 0 || errno == EEXIST else {
      let readOnly = errno == EACCES || errno == EROFS || errno == EPERM
      throw LogbookError(
        readOnly ? .readOnly : .io,
        "the folder \(folder) cannot be made: \(String(cString: strerror(errno)))")
    }
  }

  // MARK: Paths

  /// A path as the URI that SQLite takes, so that no character of it is mistaken for something else.
  static func uri(_ path: String, _ query: String = "") -> String {
    var text = path.hasPrefix("/") ? "file://" : "file:./"
    for byte in path.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."),
        UInt8(ascii: "-"), UInt8(ascii: "_"):
        text.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        text += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
      }
    }
    return query.isEmpty ? text : text + "?" + query
  }

  /// Whether two paths lead to one file.
  static func isSameFile(_ left: String, _ right: String) -> Bool {
    var one = stat()
    var other = stat()
    return stat(left, &one) == 0 && stat(right, &other) == 0
      && one.st_dev == other.st_dev && one.st_ino == other.st_ino
  }

  /// Whether nothing can be made beside a file.
  static func isWriteProtected(_ path: String) -> Bool {
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    return access(folder, W_OK) != 0 && errno != ENOENT && errno != ENOTDIR
  }

  /// Whether the disk that a file is on has no room for the 32 KiB of a logbook's shared memory.
  static func isDiskFull(_ path: String) -> Bool {
    var status = statvfs()
    return statvfs(path, &status) == 0 && status.f_bavail * status.f_frsize < 65_536
  }

  private static func hasWriteAheadLog(_ path: String) -> Bool {
    var status = stat()
    return stat("\(path)-wal", &status) == 0 && status.st_size > 0
  }
}

internal import CSQLite

/// What SQLite answered where it could not do as it was told.
struct SQLiteError: Error, Sendable, Hashable {
  /// The extended result code.
  ///
  /// See https://sqlite.org/rescode.html
  var code: Int32
  /// SQLite's own words.
  var message: String
  /// The statement that failed, if there was one.
  var sql: String?
  /// The system's reason, a number of `errno`, where a file could not be opened.
  var systemError: Int32?

  /// `SQLITE_CORRUPT_INDEX`, a macro that Swift does not import.
  static let corruptIndex = SQLITE_CORRUPT | 3 << 8

  /// The code without what extends it.
  var primaryCode: Int32 { code & 0xff }

  /// Takes the error of a connection's last call.
  init(connection: OpaquePointer?, code: Int32, sql: String? = nil) {
    self.init(code: code, sql: sql)
    // A connection that could not even be allocated has no words of its own, and those of one that
    // has may belong to another call.
    guard let connection, sqlite3_errcode(connection) & 0xff == code & 0xff else { return }
    self.code = sqlite3_extended_errcode(connection)
    if let text = sqlite3_errmsg(connection) { message = String(cString: text) }
    let number = sqlite3_system_errno(connection)
    if primaryCode == SQLITE_CANTOPEN, number != 0 { systemError = number }
  }

  /// Makes an error from a result code alone.
  init(code: Int32, sql: String? = nil) {
    self.code = code
    message = sqlite3_errstr(code).map { String(cString: $0) } ?? "error \(code)"
    self.sql = sql
  }
}

extension SQLiteError: CustomStringConvertible {
  var description: String { "SQLite error \(code): \(message)" }
}

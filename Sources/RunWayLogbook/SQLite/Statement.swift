internal import CSQLite

/// A value that can be bound to a parameter of a statement; `nil` binds NULL.
protocol Bindable {
  func bind(to statement: Statement, at index: Int32) throws(SQLiteError)
}

/// Owns one prepared statement.
final class Statement {
  let handle: OpaquePointer
  /// The tables it writes, cascades included.
  let written: Set<String>
  /// The tables it reads.
  let read: [TableRevision]

  /// Takes over a prepared statement.
  init(handle: OpaquePointer, written: Set<String>, read: [TableRevision]) {
    self.handle = handle
    self.written = written
    self.read = read
  }

  deinit {
    sqlite3_finalize(handle)
  }

  var sql: String { sqlite3_sql(handle).map { String(cString: $0) } ?? "" }

  // MARK: Binding

  func bindNull(at index: Int32) throws(SQLiteError) {
    try check(sqlite3_bind_null(handle, index))
  }

  func bind(_ value: Int64, at index: Int32) throws(SQLiteError) {
    try check(sqlite3_bind_int64(handle, index, value))
  }

  func bind(_ value: Double, at index: Int32) throws(SQLiteError) {
    try check(sqlite3_bind_double(handle, index, value))
  }

  func bind(_ value: String, at index: Int32) throws(SQLiteError) {
    // The pointer to no bytes at all may be null, which would bind NULL.
    if value.isEmpty { return try check(runway_sqlite3_bind_text(handle, index, "", 0)) }
    var value = value
    let code = value.withUTF8 { text in
      text.withMemoryRebound(to: CChar.self) {
        runway_sqlite3_bind_text(handle, index, $0.baseAddress, UInt64($0.count))
      }
    }
    try check(code)
  }

  func bind(_ value: [UInt8], at index: Int32) throws(SQLiteError) {
    let code = value.withUnsafeBytes {
      runway_sqlite3_bind_blob(handle, index, $0.baseAddress, UInt64($0.count))
    }
    try check(code)
  }

  func bind(_ values: [(any Bindable)?]) throws(SQLiteError) {
    for (index, value) in values.enumerated() {
      if let value {
        try value.bind(to: self, at: Int32(index + 1))
      } else {
        try bindNull(at: Int32(index + 1))
      }
    }
  }

  // MARK: Stepping

  /// Goes on to the next row.
  ///
  /// - Returns: Whether there is one.
  func step() throws(SQLiteError) -> Bool {
    switch sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let code:
      let error = SQLiteError(connection: sqlite3_db_handle(handle), code: code, sql: sql)
      sqlite3_reset(handle)
      throw error
    }
  }

  /// Makes the statement ready to run again, and lets go of what was bound.
  func reset() {
    // What sqlite3_reset returns is the error of the last step, which was reported then.
    sqlite3_reset(handle)
    sqlite3_clear_bindings(handle)
  }

  private func check(_ code: Int32) throws(SQLiteError) {
    guard code == SQLITE_OK else {
      throw SQLiteError(connection: sqlite3_db_handle(handle), code: code, sql: sql)
    }
  }

  // MARK: Columns

  func isNull(_ column: Int32) -> Bool {
    sqlite3_column_type(handle, column) == SQLITE_NULL
  }

  func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }
  func int(_ column: Int32) -> Int { Int(sqlite3_column_int64(handle, column)) }
  func bool(_ column: Int32) -> Bool { sqlite3_column_int64(handle, column) != 0 }
  func double(_ column: Int32) -> Double { sqlite3_column_double(handle, column) }

  func text(_ column: Int32) -> String {
    guard let start = sqlite3_column_text(handle, column) else { return "" }
    // The length counts bytes, so that a NUL inside a text does not cut it.
    let count = Int(sqlite3_column_bytes(handle, column))
    return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  }

  func blob(_ column: Int32) -> [UInt8] {
    guard let start = sqlite3_column_blob(handle, column) else { return [] }
    let count = Int(sqlite3_column_bytes(handle, column))
    return [UInt8](UnsafeRawBufferPointer(start: start, count: count))
  }

  func optionalInteger(_ column: Int32) -> Int64? { isNull(column) ? nil : integer(column) }
  func optionalDouble(_ column: Int32) -> Double? { isNull(column) ? nil : double(column) }
  func optionalText(_ column: Int32) -> String? { isNull(column) ? nil : text(column) }
}

// MARK: - Bindable values

extension Int64: Bindable {
  func bind(to statement: Statement, at index: Int32) throws(SQLiteError) {
    try statement.bind(self, at: index)
  }
}

extension Int: Bindable {
  func bind(to statement: Statement, at index: Int32) throws(SQLiteError) {
    try statement.bind(Int64(self), at: index)
  }
}

extension Bool: Bindable {
  func bind(to statement: Statement, at index: Int32) throws(SQLiteError) {
    try statement.bind(Int64(self ? 1 : 0), at: index)
  }
}

extension Double: Bindable {
  func bind(to statement: Statement, at index: Int32) throws(SQLiteError) {
    try statement.bind(self, at: index)
  }
}

extension String: Bindable {
  func bind(to statement: Statement, at index: Int32) throws(SQLiteError) {
    try statement.bind(self, at: index)
  }
}

extension [UInt8]: Bindable {
  func bind(to statement: Statement, at index: Int32) throws(SQLiteError) {
    try statement.bind(self, at: index)
  }
}

internal import CSQLite

/// Owns one connection to SQLite, and the statements prepared on it.
final class Connection {
  let handle: OpaquePointer
  private var statements: [String: Statement] = [:]
  private let access: TableAccess
  /// The tables written since the last commit or rollback.
  private var pendingChanges: Set<String> = []
  /// The revisions of the tables that statements read.
  private var revisions: [String: TableRevision] = [:]

  /// Opens a database.
  ///
  /// - Parameters:
  ///   - name: A path, a `file:` URI, or `:memory:`.
  ///   - flags: The flags of `sqlite3_open_v2`, besides those for URIs and extended codes.
  /// - Throws: SQLite's answer.
  init(_ name: String, flags: Int32) throws(SQLiteError) {
    var handle: OpaquePointer?
    // A connection is used by one actor alone, so SQLite need not lock it for each call, which takes a
    // tenth of an import.
    let code = sqlite3_open_v2(
      name, &handle,
      flags | SQLITE_OPEN_URI | SQLITE_OPEN_EXRESCODE | SQLITE_OPEN_NOMUTEX, nil)
    guard code == SQLITE_OK, let handle else {
      let error = SQLiteError(connection: handle, code: code)
      // “Whether or not an error occurs when it is opened, resources associated with the database
      // connection handle should be released”: https://sqlite.org/c3ref/open.html
      sqlite3_close_v2(handle)
      throw error
    }
    self.handle = handle
    access = TableAccess()
    // The authorizer is asked while a statement is compiled, cascades included: it tells which tables
    // the statement touches. The pointer stays good, for `access` lives as long as the handle.
    sqlite3_set_authorizer(
      handle,
      { context, action, table, _, _, _ in
        guard let context, let table else { return SQLITE_OK }
        let access = Unmanaged<TableAccess>.fromOpaque(context).takeUnretainedValue()
        switch action {
        case SQLITE_INSERT, SQLITE_UPDATE, SQLITE_DELETE:
          access.written.insert(String(cString: table))
        case SQLITE_READ:
          access.read.insert(String(cString: table))
        default: break
        }
        return SQLITE_OK
      }, Unmanaged.passUnretained(access).toOpaque())
    NameComparison.register(on: handle)
  }

  deinit {
    // A connection is not freed before its statements are.
    statements.removeAll()
    // Statements still held elsewhere keep a zombie alive until they go:
    // https://sqlite.org/c3ref/close.html
    sqlite3_close_v2(handle)
  }

  /// Collects the tables that a statement touches while it is compiled.
  private final class TableAccess {
    var written: Set<String> = []
    var read: Set<String> = []
  }

  // MARK: Statements

  /// The SQL of all statements that are kept, for those who look into their plans.
  var preparedSQL: Set<String> { Set(statements.keys) }

  /// Compiles one statement.
  func prepare(_ sql: String, persistent: Bool = false) throws(SQLiteError) -> Statement {
    access.written.removeAll()
    access.read.removeAll()
    var statement: OpaquePointer?
    let code = sqlite3_prepare_v3(
      handle, sql, -1, persistent ? UInt32(SQLITE_PREPARE_PERSISTENT) : 0, &statement, nil)
    guard code == SQLITE_OK, let statement else {
      throw SQLiteError(connection: handle, code: code, sql: sql)
    }
    return Statement(
      handle: statement, written: access.written, read: access.read.map { revision(of: $0) })
  }

  /// The statement for an SQL text, compiled once and kept.
  ///
  /// Whoever steps it resets it before letting go.
  func cached(_ sql: String) throws(SQLiteError) -> Statement {
    let statement: Statement
    if let kept = statements[sql] {
      statement = kept
    } else {
      statement = try prepare(sql, persistent: true)
      statements[sql] = statement
    }
    for revision in statement.read { revision.noteRead() }
    return statement
  }

  /// Notes that a statement's tables have changed, as it is stepped outside `run`.
  func noteChanges(of statement: Statement) {
    pendingChanges.formUnion(statement.written)
  }

  /// Runs a statement to its end.
  ///
  /// - Returns: The number of rows changed, where it changes any.
  @discardableResult
  func run(_ sql: String, _ values: (any Bindable)?...) throws(SQLiteError) -> Int {
    let statement = try cached(sql)
    defer { statement.reset() }
    try statement.bind(values)
    while try statement.step() {}
    if !statement.written.isEmpty {
      noteChanges(of: statement)
      if sqlite3_get_autocommit(handle) != 0 { publishChanges() }
    }
    return Int(sqlite3_changes64(handle))
  }

  /// Runs any number of statements, none of which is kept.
  func executeScript(_ sql: String) throws(SQLiteError) {
    let code = sqlite3_exec(handle, sql, nil, nil, nil)
    guard code == SQLITE_OK else { throw SQLiteError(connection: handle, code: code, sql: sql) }
  }

  /// Calls a closure for each row.
  func forEachRow(
    _ sql: String, _ values: [(any Bindable)?] = [], _ body: (Statement) throws -> Void
  ) throws {
    // A query run inside the same query's rows needs a statement of its own.
    let cachedStatement = try cached(sql)
    let statement =
      sqlite3_stmt_busy(cachedStatement.handle) != 0 ? try prepare(sql) : cachedStatement
    defer { statement.reset() }
    try statement.bind(values)
    while try statement.step() { try body(statement) }
  }

  /// Makes a value of each row.
  func rows<Value>(
    _ sql: String, _ values: (any Bindable)?..., map: (Statement) throws -> Value
  ) throws -> [Value] {
    var result: [Value] = []
    try forEachRow(sql, values) { result.append(try map($0)) }
    return result
  }

  /// Makes a value of the first row, if there is one.
  func first<Value>(
    _ sql: String, _ values: (any Bindable)?..., map: (Statement) throws -> Value
  ) throws -> Value? {
    let statement = try cached(sql)
    defer { statement.reset() }
    try statement.bind(values)
    return try statement.step() ? try map(statement) : nil
  }

  /// The number in the first column of the first row, 0 if there is none.
  func integer(_ sql: String, _ values: (any Bindable)?...) throws(SQLiteError) -> Int64 {
    let statement = try cached(sql)
    defer { statement.reset() }
    try statement.bind(values)
    return try statement.step() ? statement.integer(0) : 0
  }

  var lastInsertedRow: Int64 { sqlite3_last_insert_rowid(handle) }

  // MARK: Transactions

  /// How long a statement waits for another connection's lock, in milliseconds.
  var busyTimeout: Int32 = 0 {
    didSet { sqlite3_busy_timeout(handle, busyTimeout) }
  }

  /// Whether a transaction is open.
  var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

  /// Whether the open transaction holds the write lock.
  var hasWritten: Bool { sqlite3_txn_state(handle, nil) == SQLITE_TXN_WRITE }

  /// Begins a transaction that holds the write lock from its start.
  func beginImmediate() throws(SQLiteError) {
    pendingChanges.removeAll()
    try run("BEGIN IMMEDIATE")
  }

  func commit() throws(SQLiteError) {
    try run("COMMIT")
    publishChanges()
  }

  /// Ends a transaction without a trace; does nothing where SQLite has already done so.
  func rollback() {
    pendingChanges.removeAll()
    guard isInTransaction else { return }
    // A failing rollback leaves nothing to be done: the next user of the file rolls back.
    _ = try? run("ROLLBACK")
  }

  /// Runs a closure in a transaction of its own, or as part of the one that is open.
  func transaction<Value>(_ body: () throws -> Value) throws -> Value {
    if isInTransaction { return try savepoint(body) }
    try beginImmediate()
    do {
      let value = try body()
      try commit()
      return value
    } catch {
      rollback()
      throw error
    }
  }

  /// Runs a closure whose writes are undone if it throws, inside an open transaction.
  func savepoint<Value>(_ body: () throws -> Value) throws -> Value {
    try run("SAVEPOINT part")
    do {
      let value = try body()
      try run("RELEASE part")
      return value
    } catch {
      // A full disk may have rolled back everything already, and the savepoint with it.
      if isInTransaction {
        _ = try? run("ROLLBACK TO part")
        _ = try? run("RELEASE part")
      }
      throw error
    }
  }

  // MARK: Changes

  private func revision(of table: String) -> TableRevision {
    if let revision = revisions[table] { return revision }
    let revision = TableRevision()
    revisions[table] = revision
    return revision
  }

  private func publishChanges() {
    let changes = pendingChanges
    pendingChanges.removeAll()
    for table in changes { noteChange(of: table) }
  }

  /// Tells those who track what they read of a table that it has changed.
  func noteChange(of table: String) {
    revisions[table]?.advance()
  }

  /// Tells all who track what they read that it may have changed.
  func noteUnknownChange() {
    for revision in revisions.values { revision.advance() }
  }
}

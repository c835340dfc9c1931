internal import CSQLite

// MARK: - Checking and mending the schema

extension Logbook {
  /// A table, an index or a view, as `sqlite_schema` tells it.
  private struct SchemaObject {
    var type: String
    var name: String
    var sql: String
  }

  /// What of the schema is missing or not as the migrations make it.
  ///
  /// Indexes and views that someone added hurt nobody.
  func schemaFaults() throws -> [LogbookFault] {
    try differences().map { object, isMissing in
      let kind: LogbookFault.Kind =
        switch (object.type, isMissing) {
        // Without it nothing else can be asked.
        case ("table", true): .file
        case ("table", false): .table
        default: .schema
        }
      let fault = isMissing ? "is missing" : "is not the one that belongs here"
      return LogbookFault(kind, "the \(object.type) \(object.name) \(fault)")
    }
  }

  /// Makes the indexes and views anew that are missing or not as they should be; tables are left as they are.
  ///
  /// - Returns: What stays wrong: tables, and what cannot be made of the rows or the names that there are.
  /// - Throws: A `LogbookError`.
  public func restoreSchema() throws(LogbookError) -> [LogbookFault] {
    try write {
      for (object, isMissing) in try differences() where object.type != "table" {
        do {
          try connection.savepoint {
            if !isMissing { try connection.executeScript("DROP \(object.type) \"\(object.name)\"") }
            try connection.executeScript(object.sql)
          }
        } catch let error as SQLiteError
          where [SQLITE_CONSTRAINT, SQLITE_ERROR].contains(error.primaryCode)
        {
          continue
        }
      }
      return try schemaFaults()
    }
  }

  private func differences() throws -> [(object: SchemaObject, isMissing: Bool)] {
    let found = try Dictionary(
      objects(of: connection).map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    let made = try LogbookFile.open(.inMemory, readOnly: false).connection
    return try objects(of: made).compactMap { object in
      guard let present = found[object.name] else { return (object, true) }
      return present.sql == object.sql ? nil : (object, false)
    }
  }

  private func objects(of connection: Connection) throws -> [SchemaObject] {
    // Those without SQL are SQLite's own and come with their tables.
    try connection.rows(
      "SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid"
    ) { SchemaObject(type: $0.text(0), name: $0.text(1), sql: $0.text(2)) }
  }
}

internal import CSQLite

/// Copies rows of one table from one logbook into another.
///
/// Two connections rather than one with an attached file: the source may be in memory, read-only, or of an
/// earlier version that is brought up to date in memory.
struct RowCopier {
  let source: MergeSource
  let target: Connection

  /// Copies rows that belong to a flight.
  ///
  /// - Parameters:
  ///   - table: The table; both logbooks have it with the same columns.
  ///   - column: The column that holds the flight's key.
  ///   - key: The key in the source.
  ///   - values: What is stored in place of what the source has, by column.
  /// - Throws: A `MergeSource.Fault` where the source can't be read, a `SQLiteError` where the target can't be used.
  func copy(
    _ table: String, where column: String, is key: Int64,
    replacing values: [String: (any Bindable)?]
  ) throws {
    let columns = try storedColumns(of: table)
    let names = columns.map { "\"\($0)\"" }.joined(separator: ", ")
    let reading = try source.reading {
      try source.connection.cached("SELECT \(names) FROM \(table) WHERE \(column) = ?")
    }
    let marks = columns.map { _ in "?" }.joined(separator: ", ")
    let writing = try target.cached("INSERT INTO \(table) (\(names)) VALUES (\(marks))")
    defer {
      reading.reset()
      writing.reset()
    }
    try reading.bind(key, at: 1)
    target.noteChanges(of: writing)
    while try source.reading({ try reading.step() }) {
      for (index, column) in columns.enumerated() {
        let index = Int32(index)
        switch values[column] {
        case .some(.some(let value)): try value.bind(to: writing, at: index + 1)
        case .some(.none): try writing.bindNull(at: index + 1)
        case .none:
          // The value is copied, whatever its type.
          sqlite3_bind_value(
            writing.handle, index + 1, sqlite3_column_value(reading.handle, index))
        }
      }
      _ = try writing.step()
      sqlite3_reset(writing.handle)
    }
  }

  /// The columns of a table that hold values of their own.
  private func storedColumns(of table: String) throws -> [String] {
    // Generated columns are not listed by table_info.
    try target.rows("SELECT name FROM pragma_table_info(?)", table) { $0.text(0) }
  }
}

// MARK: - What is known by its name

extension Logbook {
  /// Gives a tag or a mission another name.
  func rename(_ table: NamedTable, _ name: String, to newName: String) throws(LogbookError) {
    let newName = try checkedName(newName, of: "a \(table.rawValue)")
    try write {
      guard let key = try connection.key(of: table, named: name) else {
        throw LogbookError(.notFound, "there is no \(table.rawValue) \(name)")
      }
      if let holder = try connection.key(of: table, named: newName), holder != key {
        throw LogbookError(.invalidName, "there is a \(table.rawValue) \(newName) already")
      }
      try connection.run(
        "UPDATE \(table.rawValue) SET name = ?2 WHERE key = ?1", key, newName)
    }
  }

  /// A tag's or a mission's name, unless it is blank.
  func checkedName(_ name: String, of what: String) throws(LogbookError) -> String {
    guard name.contains(where: { !$0.isWhitespace }) else {
      throw LogbookError(.invalidName, "\(what) needs a name")
    }
    return name
  }
}

/// The tables whose rows are known by their names.
enum NamedTable: String {
  case tag
  case mission
}

extension Connection {
  /// The key of the tag or the mission of a name, whatever the case of its letters; `nil` where there is none.
  func key(of table: NamedTable, named name: String) throws -> Int64? {
    // The index finds it where the case of none but ASCII letters differs, which is nearly always.
    let key = try first("SELECT key FROM \(table.rawValue) WHERE name = ?", name) { $0.integer(0) }
    if let key { return key }
    return try first(
      "SELECT key FROM \(table.rawValue) WHERE sameName(name, ?) ORDER BY key LIMIT 1", name
    ) { $0.integer(0) }
  }
}

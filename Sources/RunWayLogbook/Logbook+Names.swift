// MARK: - What is known by its name

extension Logbook {
  /// Gives a tag or a mission another name.
  func rename(_ table: NamedTable, _ name: String, to newName: String) throws(LogbookError) {
    let newName =
      switch table {
      case .tag: try checkedTagName(newName)
      case .mission: try checkedName(newName, of: "a mission")
      }
    try write {
      let key = try key(of: table, named: name)
      if let holder = try connection.key(of: table, named: newName), holder != key {
        throw LogbookError(.invalidName, "there is a \(table.rawValue) “\(newName)” already")
      }
      try connection.run(
        "UPDATE \(table.rawValue) SET name = ?2 WHERE key = ?1", key, newName)
    }
  }

  /// Deletes a tag or a mission; the flights stay.
  func delete(_ table: NamedTable, _ name: String) throws(LogbookError) {
    try write {
      _ = try connection.run(
        "DELETE FROM \(table.rawValue) WHERE key = ?", key(of: table, named: name))
    }
  }

  /// The key of the tag or the mission of a name.
  ///
  /// - Throws: A `LogbookError` of code `notFound` where there is none.
  func key(of table: NamedTable, named name: String) throws -> Int64 {
    guard let key = try connection.key(of: table, named: name) else {
      throw LogbookError(.notFound, "there is no \(table.rawValue) “\(name)”")
    }
    return key
  }

  /// A tag's or a mission's name, unless it is blank.
  func checkedName(_ name: String, of what: String) throws(LogbookError) -> String {
    guard name.contains(where: { !$0.isWhitespace }) else {
      throw LogbookError(.invalidName, "\(what) needs a name")
    }
    return name
  }

  /// A tag's name, without the `#` that it may be told by.
  ///
  /// A comma is refused, for lists of tags are read and written with commas.
  func checkedTagName(_ name: String) throws(LogbookError) -> String {
    if name.contains(",") {
      throw LogbookError(.invalidName, "a tag's name holds no comma, as “\(name)” does")
    }
    return try checkedName(NamedTable.withoutMark(name), of: "a tag")
  }
}

/// The tables whose rows are known by their names.
enum NamedTable: String {
  case tag
  case mission

  /// A tag's name without the `#` before it.
  static func withoutMark(_ name: String) -> String {
    String(name.drop { $0 == "#" })
  }
}

extension Connection {
  /// The key of the tag or the mission of a name, whatever the case of its letters; `nil` where there is none.
  ///
  /// A `#` before a tag's name may be meant or not.
  func key(of table: NamedTable, named name: String) throws -> Int64? {
    if let key = try exactKey(of: table, named: name) { return key }
    guard table == .tag, name.hasPrefix("#") else { return nil }
    return try exactKey(of: table, named: NamedTable.withoutMark(name))
  }

  private func exactKey(of table: NamedTable, named name: String) throws -> Int64? {
    // The index finds it where the case of none but ASCII letters differs, which is nearly always.
    let key = try first("SELECT key FROM \(table.rawValue) WHERE name = ?", name) { $0.integer(0) }
    if let key { return key }
    return try first(
      "SELECT key FROM \(table.rawValue) WHERE sameName(name, ?) ORDER BY key LIMIT 1", name
    ) { $0.integer(0) }
  }
}

public import RunWayModel

// MARK: - Tags

extension Logbook {
  /// Puts a tag on a flight, making the tag where there is none of that name; a `#` before the name is none of it.
  ///
  /// - Throws: A `LogbookError`: `notFound` where there is no such flight, `invalidName` where the name is blank or
  ///   holds a comma.
  public func tag(_ id: FlightID, _ name: String) throws(LogbookError) {
    try tag(id, [name])
  }

  /// Puts tags on a flight, all or none, making those that there are none of that name; a `#` before a name is none
  /// of it.
  ///
  /// - Throws: A `LogbookError`: `notFound` where there is no such flight, `invalidName` where a name is blank or
  ///   holds a comma.
  public func tag(_ id: FlightID, _ names: [String]) throws(LogbookError) {
    var checkedNames: [String] = []
    for name in names { checkedNames.append(try checkedTagName(name)) }
    try write {
      guard let key = try key(of: id) else {
        throw LogbookError(.notFound, "there is no flight \(id)")
      }
      for name in checkedNames { try addTag(name, toFlight: key) }
    }
  }

  func addTag(_ name: String, toFlight key: Int64) throws {
    try connection.run(
      "INSERT OR IGNORE INTO flightTag (flight, tag) VALUES (?, ?)", key, keyOfTag(name))
  }

  /// The key of the tag of a name, which is made where there is none.
  func keyOfTag(_ name: String) throws -> Int64 {
    if let key = try connection.key(of: .tag, named: name) { return key }
    try connection.run("INSERT INTO tag (name) VALUES (?)", name)
    return connection.lastInsertedRow
  }

  /// Takes a tag off a flight; the tag stays.
  ///
  /// - Throws: A `LogbookError`: `notFound` where the flight does not bear it.
  public func untag(_ id: FlightID, _ name: String) throws(LogbookError) {
    try untag(id, [name])
  }

  /// Takes tags off a flight, all or none; the tags stay.
  ///
  /// - Throws: A `LogbookError`: `notFound` where the flight does not bear one of them.
  public func untag(_ id: FlightID, _ names: [String]) throws(LogbookError) {
    try write {
      for name in names {
        let changed = try connection.run(
          "DELETE FROM flightTag WHERE flight = (SELECT key FROM flight WHERE id = ?) AND tag = ?",
          id.rawValue, connection.key(of: .tag, named: name))
        if changed == 0 {
          throw LogbookError(.notFound, "flight \(id) does not bear the tag “\(name)”")
        }
      }
    }
  }

  /// Gives a tag another name, on all flights that bear it.
  ///
  /// - Parameters:
  ///   - name: The name it has, whatever the case of its letters.
  ///   - newName: Its name from now on; it may differ by the case of its letters alone.
  /// - Throws: A `LogbookError`: `notFound` where there is none of that name, `invalidName` where the new one is
  ///   blank, holds a comma, or is another tag's.
  public func renameTag(_ name: String, to newName: String) throws(LogbookError) {
    try rename(.tag, name, to: newName)
  }

  /// Deletes a tag; the flights that bore it stay.
  ///
  /// - Throws: A `LogbookError`: `notFound` where there is none of that name.
  public func deleteTag(_ name: String) throws(LogbookError) {
    try delete(.tag, name)
  }

  /// The name of the tag that is meant, borne by a flight or not.
  ///
  /// - Parameter name: Its name, whatever the case of its letters, with or without a `#` before it.
  /// - Returns: The name it is stored by.
  /// - Throws: A `LogbookError`: `notFound` where there is none of that name.
  public func tagName(matching name: String) throws(LogbookError) -> String {
    try reporting {
      guard let key = try connection.key(of: .tag, named: name),
        let stored = try connection.first(
          "SELECT name FROM tag WHERE key = ?", key, map: { $0.text(0) })
      else { throw LogbookError(.notFound, "there is no tag “\(name)”") }
      return stored
    }
  }

  /// A tag.
  public struct Tag: Sendable, Hashable {
    /// Its name.
    public var name: String
    /// The flights that bear it.
    public var flightCount: Int
  }

  /// All tags in alphabetical order, each with the number of flights that bear it.
  ///
  /// - Throws: A `LogbookError` where the logbook cannot be read.
  public func tags() throws(LogbookError) -> [Tag] {
    try reporting {
      try connection.rows(
        """
        SELECT name, (SELECT count(*) FROM flightTag WHERE tag = tag.key) FROM tag
        ORDER BY \(NameComparison.key(of: "name"))
        """
      ) { Tag(name: $0.text(0), flightCount: $0.int(1)) }
    }
  }
}

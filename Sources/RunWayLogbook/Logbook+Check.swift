internal import CSQLite
public import RunWayModel

/// A fault that the check of a logbook found.
public struct LogbookFault: Sendable, Hashable {
  /// What is wrong, and so what can be done about it.
  public enum Kind: Sendable, Hashable {
    /// The file itself: nothing in it can be relied on, and only a backup helps.
    case file
    /// An index doesn't agree with the rows of its table; `Logbook.rebuildIndexes` makes it anew.
    case index
    /// An index or a view is missing, or is another one; `Logbook.restoreSchema` makes it anew.
    case schema
    /// A table has other columns or rules than it should; only a backup helps, if it matters.
    case table
    /// Rows belong to something that is not there; `Logbook.removeOrphans` removes them.
    case orphans
    /// Coordinates of a flight are missing; nothing can bring them back.
    case missingCoordinates
    /// A flight's totals don't agree with its coordinates; `Logbook.repair` writes those that do.
    case totals
  }

  /// What is wrong.
  public var kind: Kind
  /// The flight, where the fault is one flight's.
  public var flightID: FlightID?
  /// A clause that says what is wrong.
  public var text: String

  /// Makes a fault.
  public init(_ kind: Kind, flightID: FlightID? = nil, _ text: String) {
    self.kind = kind
    self.flightID = flightID
    self.text = text
  }
}

// MARK: - Checking and mending

extension Logbook {
  /// Looks for damage: to the file, to the schema, to relations, to the numbering of coordinates.
  ///
  /// - Returns: The faults; none where all is well. Where the file itself or an index is damaged, or a table is
  ///   missing, nothing else is looked at.
  /// - Throws: A `LogbookError` where the logbook can't even be read.
  /// - Complexity: O(n) in the size of the logbook.
  public func check() throws(LogbookError) -> [LogbookFault] {
    try reading {
      let damage = try fileDamage()
      guard damage.isEmpty else { return damage }
      var faults = try schemaFaults()
      if faults.contains(where: { $0.kind == .file }) { return faults }
      faults += try orphans()
      faults += try connection.rows(
        """
        SELECT flight.id, count(*), max("order") + 1 AS numbered FROM coordinate
        JOIN flight ON flight.key = coordinate.flight GROUP BY flight HAVING count(*) <> numbered
        """
      ) {
        LogbookFault(
          .missingCoordinates, flightID: FlightID(rawValue: $0.text(0)),
          "\($0.int(1)) coordinates are stored, and they are numbered up to \($0.int(2))")
      }
      return try faults + countFaults()
    }
  }

  /// Whether as many of a flight's coordinates count as it says.
  ///
  /// - Parameter id: The flight.
  /// - Returns: The fault; `nil` where all is well.
  /// - Throws: A `LogbookError`.
  public func countFault(of id: FlightID) throws(LogbookError) -> LogbookFault? {
    try reporting { try countFaults("AND id = ?", id.rawValue).first }
  }

  private func countFaults(
    _ condition: String = "", _ value: String? = nil
  ) throws -> [LogbookFault] {
    var faults: [LogbookFault] = []
    try connection.forEachRow(
      """
      SELECT id, coordinateCount, found FROM (SELECT id, coordinateCount, (SELECT count(*)
        FROM coordinate WHERE flight = key AND discarded IS NULL) AS found
        FROM flight WHERE touchedDown = 1 \(condition)) WHERE coordinateCount <> found
      """, value.map { [$0] } ?? []
    ) {
      faults.append(
        LogbookFault(
          .totals, flightID: FlightID(rawValue: $0.text(0)),
          "\($0.int(1)) coordinates are said to count, and \($0.int(2)) do"))
    }
    return faults
  }

  private func fileDamage() throws -> [LogbookFault] {
    let lines = try integrityFaults()
    let indexes = lines.map(Self.faultyIndex(in:))
    if indexes.contains(nil) {
      return lines.map { LogbookFault(.file, "the file is damaged: \($0)") }
    }
    return Set(indexes.compactMap(\.self)).sorted().map {
      LogbookFault(.index, "the index \($0) does not agree with its table")
    }
  }

  /// What SQLite finds wrong with the file, a line each.
  private func integrityFaults() throws -> [String] {
    var lines: [String] = []
    do {
      try connection.forEachRow("PRAGMA integrity_check") {
        // A row may tell several faults, a line each, under a heading that names the database.
        lines += $0.text(0).split(separator: "\n").map(String.init)
          .filter { $0 != "ok" && !$0.hasPrefix("*** in database") }
      }
    } catch let error as SQLiteError where error.primaryCode == SQLITE_CORRUPT {
      // So damaged that not even its damage can be listed to the end.
      if lines.isEmpty { lines.append(error.message) }
    }
    return lines
  }

  /// The index that such a line finds fault with; `nil` where it tells of more than an index.
  private static func faultyIndex(in line: String) -> String? {
    let words = line.split(separator: " ")
    let isIndexFault =
      line.hasPrefix("wrong # of entries in index ")
      || words.first == "row" && words.dropFirst(2).starts(with: ["missing", "from", "index"])
    return isIndexFault ? words.last.map(String.init) : nil
  }

  /// Makes the indexes anew that don't agree with their tables.
  ///
  /// - Throws: A `LogbookError`: `corrupt` where more than indexes is damaged; nothing has changed then.
  public func rebuildIndexes() throws(LogbookError) {
    try write {
      for index in Set(try integrityFaults().compactMap(Self.faultyIndex(in:))) {
        try connection.executeScript("REINDEX \"\(index)\"")
      }
      if let fault = try integrityFaults().first {
        throw LogbookError(
          .corrupt, "\(location.name) is damaged (\(fault)); restore it from a backup")
      }
    }
  }

  /// The relations that SQLite holds while foreign keys are on, and that other programs may have broken.
  private static let relations: [(table: String, column: String, parent: String)] = [
    ("coordinate", "flight", "flight"), ("alert", "flight", "flight"),
    ("split", "flight", "flight"), ("bestEffort", "flight", "flight"),
    ("rejected", "flight", "flight"), ("flightTag", "flight", "flight"),
    ("flightTag", "tag", "tag"), ("flight", "mission", "mission"),
  ]

  private func orphans() throws -> [LogbookFault] {
    try Logbook.relations.compactMap { table, column, parent in
      let count = try connection.integer(
        """
        SELECT count(*) FROM \(table)
        WHERE \(column) IS NOT NULL AND \(column) NOT IN (SELECT key FROM \(parent))
        """)
      if count == 0 { return nil }
      let rows = count == 1 ? "1 row of \(table) belongs" : "\(count) rows of \(table) belong"
      return LogbookFault(.orphans, "\(rows) to a \(parent) that is not there")
    }
  }

  /// Removes what belongs to flights and tags that are not there, as if it had gone with them.
  ///
  /// A flight whose saved mission is not there keeps its numbers.
  ///
  /// - Throws: A `LogbookError`.
  public func removeOrphans() throws(LogbookError) {
    try write {
      for (table, column, parent) in Logbook.relations {
        let action = table == "flight" ? "UPDATE flight SET mission = NULL" : "DELETE FROM \(table)"
        try connection.run(
          """
          \(action) WHERE \(column) IS NOT NULL AND \(column) NOT IN (SELECT key FROM \(parent))
          """)
      }
    }
  }

  /// The identity of a flight's recording as it was stored; `nil` until the flight has touched down.
  ///
  /// - Throws: A `LogbookError` where the logbook cannot be read.
  public func fingerprint(of id: FlightID) throws(LogbookError) -> RecordingFingerprint? {
    try reporting {
      let bytes = try connection.first(
        "SELECT fingerprint FROM flight WHERE id = ? AND fingerprint IS NOT NULL", id.rawValue
      ) { $0.blob(0) }
      return bytes.flatMap { RecordingFingerprint(bytes: $0) }
    }
  }

  /// Writes a flight's totals, splits, best efforts and alerts anew, as they were computed from its coordinates.
  ///
  /// - Parameters:
  ///   - id: The flight.
  ///   - report: What it amounts to.
  ///   - discards: The verdicts on coordinates that don't count, in place of those stored.
  /// - Throws: A `LogbookError`: `notFound` where there is no such flight, `busy` where it is being flown.
  public func repair(
    _ id: FlightID, report: FlightReport, discards: [Discard]
  ) throws(LogbookError) {
    try write {
      guard let key = try key(of: id) else {
        throw LogbookError(.notFound, "there is no flight \(id)")
      }
      if locks.isHeld(key) {
        throw LogbookError(
          .busy, "flight \(id) is being flown and can only be repaired afterwards")
      }
      try connection.run(
        "UPDATE flight SET fingerprint = ?2 WHERE key = ?1", key, report.fingerprint.bytes)
      try FlightWriter(connection: connection).rejudge(key, report: report, discards: discards)
    }
  }
}

import RunWayModel
import Testing

@testable import RunWayLogbook

/// The plans of all that the library asks of its tables.
///
/// No SQL stands here: each call is made, and what it had prepared is explained. Rows are found by an index or a
/// primary key and come in its order; where they don't, the case says why they need not.
@MainActor @Suite struct QueryPlanTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    /// What the plans must say.
    var uses: [String] = []
    /// Why rows are sorted; `nil` where none may be.
    var sorts: String?
    /// The tables read from end to end, each with the reason: coordinates and alerts in whatever way, others without
    /// an index.
    var scans: [String: String] = [:]
    var call: @MainActor @Sendable (Logbook) throws -> Void

    init(
      _ name: String, uses: [String] = [], sorts: String? = nil, scans: [String: String] = [:],
      _ call: @escaping @MainActor @Sendable (Logbook) throws -> Void
    ) {
      (testDescription, self.call) = (name, call)
      (self.uses, self.sorts, self.scans) = (uses, sorts, scans)
    }
  }

  @Test(arguments: QueryPlanTests.reads + QueryPlanTests.writes)
  func `rows are found by an index`(made: Case) throws {
    let logbook = try Logbook(.inMemory)
    try Self.fill(logbook)
    let before = logbook.connection.preparedSQL
    try made.call(logbook)
    let asked = logbook.connection.preparedSQL.subtracting(before)
    #expect(!asked.isEmpty)
    try check(asked, of: logbook, made)
  }

  @Test func `what storing flights asks is found by an index`() throws {
    let logbook = try Logbook(.inMemory)
    try Self.fill(logbook)
    let storing = Case(
      "storing", uses: ["SEARCH flight USING INDEX flightByFingerprint (fingerprint=?)"],
      scans: [
        "tag": "the index folds ASCII alone: a name that it does not know is compared with each",
        "mission": "as tags",
      ]
    ) { _ in }
    try check(logbook.connection.preparedSQL, of: logbook, storing)
  }

  private func check(_ asked: Set<String>, of logbook: Logbook, _ made: Case) throws {
    var plans = ""
    var sorts = false
    var scans: Set<String> = []
    for sql in asked.sorted() where !Self.touchesNoTable(sql) {
      let plan = try logbook.connection.rows("EXPLAIN QUERY PLAN \(sql)") { $0.text(3) }
      plans += sql + "\n" + plan.map { "    \($0)\n" }.joined()
      // The few tags of the flights listed are found by flight, and given by name: behind each list, and no cost.
      let allowed = sql.hasPrefix("SELECT flightTag.flight, tag.name") ? 1 : 0
      if plan.count(where: { $0.contains("TEMP B-TREE") }) > allowed { sorts = true }
      for line in plan {
        let words = line.split(separator: " ")
        guard words.first == "SCAN", words.count > 1, !words.contains("CONSTANT") else { continue }
        let table = String(words[1])
        if ["coordinate", "alert"].contains(table) || !line.contains(" INDEX ") {
          scans.insert(table)
        }
      }
    }
    for use in made.uses { #expect(plans.contains(use), "\(plans)") }
    #expect(sorts == (made.sorts != nil), "\(plans)")
    #expect(scans == Set(made.scans.keys), "\(plans)")
  }

  private static func touchesNoTable(_ sql: String) -> Bool {
    ["PRAGMA", "BEGIN", "COMMIT", "ROLLBACK", "SAVEPOINT", "RELEASE"]
      .contains { sql.hasPrefix($0) }
  }

  // `EXPLAIN QUERY PLAN` tells nothing of what a foreign key looks up: https://sqlite.org/foreignkeys.html#fk_indexes
  @Test func `a cascade finds the children by an index`() throws {
    let connection = try Logbook(.inMemory).connection
    let tables = try connection.rows(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
    ) { $0.text(0) }
    var relations: Set<String> = []
    for table in tables {
      // No index on a part of the rows: the children may be among the others.
      let indexes = try connection.rows(
        "SELECT name FROM pragma_index_list(?) WHERE partial = 0", table
      ) { $0.text(0) }
      let first = try indexes.compactMap { index in
        try connection.first(
          "SELECT name FROM pragma_index_info(?) WHERE seqno = 0", index
        ) { $0.text(0) }
      }
      let children = try connection.rows(
        "SELECT \"from\", \"table\" FROM pragma_foreign_key_list(?)", table
      ) { ($0.text(0), $0.text(1)) }
      for (column, parent) in children {
        relations.insert("\(table).\(column) → \(parent)")
        #expect(first.contains(column), "\(table).\(column)")
      }
    }
    #expect(
      relations == [
        "coordinate.flight → flight", "alert.flight → flight", "split.flight → flight",
        "bestEffort.flight → flight", "rejected.flight → flight", "flightTag.flight → flight",
        "flightTag.tag → tag", "flight.mission → mission",
      ])
  }
}

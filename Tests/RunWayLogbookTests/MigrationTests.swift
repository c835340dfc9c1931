import Glibc
import RunWayModel
import Testing

@testable import RunWayLogbook

@MainActor @Suite struct MigrationTests {
  /// The first schema as it was released; `LogbookSchema` must go on making exactly this.
  private var frozenSchema: String {
    let tests = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    return String(decoding: bytes(of: "/\(tests)/Fixtures/logbook-v1.sql"), as: UTF8.self)
  }

  /// What reads a row of each table as text: all its columns, generated ones included.
  private static func columns(of connection: Connection) throws -> [String: String] {
    let columns = try connection.rows(
      """
      SELECT tables.name, group_concat('quote("' || columns.name || '")', ' || '', '' || ')
      FROM sqlite_schema AS tables JOIN pragma_table_xinfo(tables.name) AS columns
      WHERE tables.type = 'table' AND tables.name NOT LIKE 'sqlite_%' GROUP BY tables.name
      """
    ) { ($0.text(0), $0.text(1)) }
    return Dictionary(uniqueKeysWithValues: columns)
  }

  /// Every row of tables, in these columns.
  private static func rows(
    of connection: Connection, _ columns: [String: String]
  ) throws -> [String: [String]] {
    var rows: [String: [String]] = [:]
    for (table, columns) in columns {
      rows[table] = try connection.rows("SELECT \(columns) FROM \"\(table)\" ORDER BY 1") {
        $0.text(0)
      }
    }
    return rows
  }

  @Test func `a logbook of the first schema opens with nothing lost`() async throws {
    try await withTemporaryFolder { folder in
      let path = "\(folder)/logbook.sqlite"
      var columns: [String: String] = [:]
      var rows: [String: [String]] = [:]
      do {
        let old = try Connection(path, flags: 6)
        try old.executeScript(frozenSchema)
        // What the fixture leaves empty.
        try old.executeScript(
          """
          UPDATE flight SET notes = 'windy', calories = 25, creator = 'a watch', cadence = 88;
          UPDATE coordinate SET speed = 3.3, course = 12, hdop = 0.9, cadence = 88, power = 240;
          INSERT INTO bestEffort VALUES (1, '400 m', 120, 5.5);
          INSERT INTO rejected VALUES (1, 'checksum', 3);
          INSERT INTO setting VALUES ('weight', 70);
          """)
        columns = try Self.columns(of: old)
        rows = try Self.rows(of: old, columns)
      }
      #expect(rows.allSatisfy { !$1.isEmpty })
      let logbook = try Logbook(.file(path))
      #expect(try Self.rows(of: logbook.connection, columns) == rows)
      let flight = try logbook.flight(matching: "latest")
      #expect(flight.name == "First flight")
      #expect(flight.tags == ["hills"])
      #expect(flight.missionName == "Tempo")
      // 12 steps of 5 s at 5:00 /km, and 12 at 6:40 /km.
      #expect(abs(flight.totals.distance.meters - 350) < 0.1)
      #expect(flight.alertCount == 1)
      let coordinates = try logbook.coordinates(of: flight.id)
      #expect(coordinates.count == 25)
      #expect(coordinates.prefix(3).map(\.location.latitude) == [35.1, 35.10015, 35.1003])
      #expect(coordinates[0].location.time == Samples.start)
      #expect(coordinates[2].location.time == Samples.start.shifted(byMicroseconds: 10_000_000))
      #expect(coordinates[1].location.altitude == nil)
      #expect(coordinates[6].discarded == .spike)
      #expect(try logbook.alerts(of: flight.id).first?.state == .sinkRate)
      #expect(try logbook.check() == [])
    }
  }

  @Test func `the first schema is still made as it was released`() throws {
    let frozen = try Connection(":memory:", flags: 6)
    try frozen.executeScript(frozenSchema)
    let made = try Connection(":memory:", flags: 6)
    try LogbookFile.migrate(made, migrations: [LogbookSchema.migrations[0]])
    let query = "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name"
    #expect(try frozen.rows(query) { $0.text(0) } == made.rows(query) { $0.text(0) })
  }

  @Test func `a failing migration leaves the file as it was`() async throws {
    try await withTemporaryFolder { folder in
      let path = "\(folder)/logbook.sqlite"
      let id = try Samples.store(in: Logbook(.file(path)))
      let before = bytes(of: path)
      for broken in [
        "ALTER TABLE flight ADD COLUMN shoes TEXT; CREATE TABLE flight (id TEXT)",
        // It breaks a relation, which is noticed before it is committed.
        "DELETE FROM flight",
      ] {
        #expect(throws: LogbookError.self) {
          _ = try LogbookFile.open(
            .file(path), readOnly: false, migrations: LogbookSchema.migrations + [broken])
        }
        #expect(bytes(of: path) == before)
      }
      #expect(try Logbook(.file(path)).flight(id) != nil)
    }
  }

  @Test func `a later migration is applied once, by whoever comes first`() async throws {
    try await withTemporaryFolder { folder in
      let path = "\(folder)/logbook.sqlite"
      let id = try Samples.store(in: Logbook(.file(path)))
      let migrations =
        LogbookSchema.migrations + ["ALTER TABLE flight ADD COLUMN shoes TEXT"]
      for readOnly in [true, false] {
        let connection = try LogbookFile.open(
          .file(path), readOnly: readOnly, migrations: migrations
        ).connection
        #expect(try connection.integer("PRAGMA user_version") == 2)
        #expect(
          try connection.rows("SELECT id FROM flight WHERE shoes IS NULL") { $0.text(0) }
            == [id.rawValue])
      }
      #expect(throws: LogbookError.self) { _ = try Logbook(.file(path)) }
    }
  }

  @Test func `a failing first migration leaves nothing behind`() async throws {
    try await withTemporaryFolder { folder in
      let path = "\(folder)/logbook.sqlite"
      #expect(throws: LogbookError.self) {
        _ = try LogbookFile.open(
          .file(path), readOnly: false, migrations: ["CREATE TABLE flight (id TEXT); nonsense"])
      }
      #expect(bytes(of: path) == [])
      let logbook = try Logbook(.file(path))
      #expect(try logbook.flightCount() == 0)
    }
  }
}

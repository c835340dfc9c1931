import Testing

/// What `runway check` says of a schema that other programs have altered.
@Suite(.enabled(if: SQLiteShell.isInstalled, "needs the sqlite3 shell"))
struct SchemaCheckTests {
  @Test func `indexes and views that are missing or others are found and made anew`() throws {
    let logbook = try LogbookOnDisk()
    try logbook.fly(.alpha, "--pace", "5:00")
    let schema = "SELECT type, name, sql FROM sqlite_schema ORDER BY name"
    let sound = try SQLiteShell.run(schema, on: logbook.path)
    try SQLiteShell.run(
      """
      DROP INDEX flightByStart; DROP VIEW flights; DROP VIEW alerts;
      CREATE VIEW alerts AS SELECT 1 AS one;
      """, on: logbook.path)
    let findings = [
      "the index flightByStart is missing", "the view flights is missing",
      "the view alerts is not the one that belongs here",
    ]
    let check = try logbook.runway("check")
    #expect(check.status == 65)
    #expect(check.lines == findings + ["checked 1 flight: 3 findings"])
    let repair = try logbook.runway("check", "--repair")
    #expect(repair.status == 0)
    #expect(repair.lines == findings + ["checked 1 flight: 3 findings, 3 repaired"])
    #expect(try SQLiteShell.run(schema, on: logbook.path) == sound)
    // What the owner adds is nobody else's affair.
    try SQLiteShell.run("CREATE VIEW long AS SELECT * FROM flights", on: logbook.path)
    #expect(try logbook.runway("check").standardOutput == "checked 1 flight: all is well\n")
  }

  @Test func `an index is made anew once the rows that it keeps apart are mended`() throws {
    let logbook = try LogbookOnDisk()
    try logbook.fly(.alpha, "--pace", "5:00")
    // Two splits in kilometres make two alerts of one number.
    let damage = try SQLiteShell.run(
      """
      DROP INDEX alertByFlight; DROP VIEW alerts; CREATE TABLE alerts (x);
      INSERT INTO alert (flight, number, state, timestamp, distance, latitude, longitude)
      SELECT key, 7, 'minimums', startedAt + "index", 0, 0, 8 FROM flight, split
      WHERE unit = 'kilometer'
      """, on: logbook.path)
    #expect(damage == "")
    #expect(
      try SQLiteShell.run("SELECT count(*) FROM alert WHERE number = 7", on: logbook.path) == "2")
    let repair = try logbook.runway("check", "--repair")
    #expect(repair.status == 65)
    // Another's table may hold what matters to them: it keeps its name.
    let kept = "the view alerts is not the one that belongs here"
    #expect(Array(repair.lines.prefix(2)) == ["the index alertByFlight is missing", kept])
    #expect(
      try logbook.runway("check").lines == [kept, "checked 1 flight: 1 finding"])
    try SQLiteShell.run("DROP TABLE alerts", on: logbook.path)
    #expect(try logbook.runway("check", "--repair").status == 0)
    #expect(try logbook.runway("check").standardOutput == "checked 1 flight: all is well\n")
  }

  @Test func `a table that is missing or another one is found, and not made up`() throws {
    let logbook = try LogbookOnDisk()
    try logbook.fly(.alpha, "--pace", "5:00")
    try SQLiteShell.run("ALTER TABLE flight ADD COLUMN shoes TEXT", on: logbook.path)
    let other = "the table flight is not the one that belongs here"
    let repair = try logbook.runway("check", "--repair")
    #expect(repair.status == 65)
    #expect(repair.lines == [other, "checked 1 flight: 1 finding, 0 repaired"])
    try SQLiteShell.run("DROP TABLE split", on: logbook.path)
    for options in [[], ["--repair"]] {
      let check = try logbook.runway(["check"] + options)
      #expect(check.status == 65)
      #expect(
        check.lines == [
          other, "the table split is missing",
          "the logbook is damaged; restore it from a backup",
        ])
    }
  }
}

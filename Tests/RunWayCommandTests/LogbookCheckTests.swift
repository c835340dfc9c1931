import Foundation
import Testing

/// `runway check`: what it finds, what it says of it, and what it mends.
@Suite(.enabled(if: SQLiteShell.isInstalled, "needs the sqlite3 shell"))
struct LogbookCheckTests {
  static let tampering = [
    "UPDATE flight SET distance = distance + 1000 WHERE name = 'Alpha run'",
    "UPDATE flight SET movingTime = 1 WHERE name = 'Alpha run'",
    "UPDATE flight SET coordinateCount = 1 WHERE name = 'Alpha run'",
    "DELETE FROM alert",
    "UPDATE alert SET state = 'sinkRate'",
    "DELETE FROM split WHERE flight = (SELECT key FROM flight WHERE name = 'Alpha run')",
    "UPDATE split SET heartRate = 200 WHERE unit = 'mile'",
    "UPDATE bestEffort SET elapsedTime = 1 WHERE flight = (SELECT key FROM flight WHERE name = 'Alpha run')",
    "UPDATE coordinate SET discarded = 'spike' WHERE \"order\" = 100",
    "UPDATE coordinate SET discarded = 'nonsense' WHERE \"order\" = 100",
    "UPDATE coordinate SET discarded = 'duplicate'",
    "UPDATE flight SET fingerprint = NULL",
  ]

  @Test func `what was tampered with is found and mended`() throws {
    let logbook = try LogbookOnDisk()
    let id = try logbook.fly(.alpha, "--pace", "5:00")["id"].string
    let sound = try logbook.runway("export", "latest", "--format", "json").standardOutput
    let clean = try logbook.runway("check", "--json")
    #expect(clean.status == 0)
    #expect(try clean.json().keys == (try Readme.members("`check`")[""]))
    for statement in Self.tampering {
      #expect(try SQLiteShell.run(statement, on: logbook.path) == "", "\(statement)")
      let found = try logbook.runway("check", "--json")
      #expect(found.status == 65, "\(statement)")
      let findings = try found.json()["findings"].array
      #expect(!findings.isEmpty, "\(statement)")
      for finding in findings {
        #expect(finding.keys == (try Readme.members("`check`")["findings"]))
        #expect(finding["flightID"].string == id, "\(statement)")
      }
      let repair = try logbook.runway("check", "--repair", "--json")
      #expect(repair.status == 0, "\(statement)")
      #expect(try repair.json()["repaired"].int == findings.count)
      #expect(try logbook.runway("check", "--json").json()["findings"].array.isEmpty)
      #expect(
        try logbook.runway("export", "latest", "--format", "json").standardOutput == sound,
        "\(statement)")
    }
  }

  /// Single verdicts turned, as no count tells: of as many coordinates as before it is said that they count.
  @Test func `a verdict on one coordinate is found and mended`() throws {
    let logbook = try LogbookOnDisk()
    try logbook.runway("import", Fixture.path("stray-points.gpx"))
    let sound = try logbook.runway("export", "latest", "--format", "csv").standardOutput
    // The fixture's stray points: three repeated ones from 61 on.
    #expect(
      try SQLiteShell.run(
        "SELECT \"order\" FROM coordinate WHERE discarded = 'duplicate'", on: logbook.path)
        == "61\n62\n63")
    try SQLiteShell.run(
      """
      UPDATE coordinate SET discarded = NULL WHERE "order" = 62;
      UPDATE coordinate SET discarded = 'duplicate' WHERE "order" = 150;
      """, on: logbook.path)
    let id = try logbook.flightID(named: "Stray points").prefix(8)
    let check = try logbook.runway("check")
    #expect(check.status == 65)
    #expect(
      check.lines == [
        "\(id): coordinate 62 is stored as counting, and computed as duplicate, "
          + "and 1 more are judged otherwise",
        "checked 1 flight: 1 finding",
      ])
    let repair = try logbook.runway("check", "--repair")
    #expect(repair.status == 0)
    #expect(repair.lines.last == "checked 1 flight: 1 finding, 1 repaired")
    #expect(try logbook.runway("export", "latest", "--format", "csv").standardOutput == sound)
    #expect(try logbook.runway("check").standardOutput == "checked 1 flight: all is well\n")
  }

  static let sentences: [(statement: String, finding: String)] = [
    (
      "UPDATE alert SET state = 'sinkRate'",
      "alert 1: state is stored as sinkRate, and computed as overspeed"
    ),
    ("DELETE FROM alert", "alert 1 is not stored"),
    (
      """
      INSERT INTO alert (flight, number, state, timestamp, distance, latitude, longitude)
      SELECT key, 1, 'minimums', startedAt, 0, 0, 8 FROM flight
      """, "alert 2 is stored, and was not computed"
    ),
    // 1200 m are a kilometre and a rest.
    (
      "DELETE FROM split WHERE unit = 'kilometer' AND \"index\" = 2",
      "kilometer split 2 is not stored"
    ),
    (
      "UPDATE flight SET segmentCount = 7",
      "segmentCount is stored as 7, and computed as 1"
    ),
  ]

  @Test(arguments: sentences)
  func `a finding says what differs`(statement: String, finding: String) throws {
    let logbook = try LogbookOnDisk()
    try logbook.fly(.alpha, "--pace", "5:00")
    try SQLiteShell.run(statement, on: logbook.path)
    let check = try logbook.runway("check", "--json")
    #expect(check.status == 65)
    #expect(try check.json()["findings"].array.map { $0["finding"].string } == [finding])
    #expect(try logbook.runway("check", "--repair").status == 0)
    #expect(try logbook.runway("check").status == 0)
  }

  @Test func `what belongs to nothing is found and removed`() throws {
    let logbook = try LogbookOnDisk()
    let first = try #require(try logbook.fly(.alpha, "--pace", "5:00")["id"].string)
    try logbook.fly(.beta)
    try logbook.runway("tag", first, "race", "hills")
    // The shell holds no relation unless told to.
    try SQLiteShell.run(
      "DELETE FROM flight WHERE name = 'Alpha run'; DELETE FROM tag WHERE name = 'hills'",
      on: logbook.path)
    let check = try logbook.runway("check")
    #expect(check.status == 65)
    // 300 s at one position a second; two splits in kilometres and one in miles; 400 m and 1 km.
    #expect(
      check.lines == [
        "301 rows of coordinate belong to a flight that is not there",
        "1 row of alert belongs to a flight that is not there",
        "3 rows of split belong to a flight that is not there",
        "2 rows of bestEffort belong to a flight that is not there",
        "2 rows of flightTag belong to a flight that is not there",
        "1 row of flightTag belongs to a tag that is not there",
        "checked 1 flight: 6 findings",
      ])
    let repair = try logbook.runway("check", "--repair", "--json")
    #expect(repair.status == 0)
    #expect(try repair.json()["repaired"].int == 6)
    #expect(try logbook.runway("check").standardOutput == "checked 1 flight: all is well\n")
    #expect(try logbook.names() == ["Beta"])
    #expect(try SQLiteShell.isSound(logbook.path))
  }

  // 301 coordinates, one a second for 300 s. The first and the last two leave no gap in the numbering.
  static let losses: [(statement: String, other: [String])] = [
    (
      "DELETE FROM coordinate WHERE \"order\" = 100",
      ["300 coordinates are stored, and they are numbered up to 301"]
    ),
    ("DELETE FROM coordinate WHERE \"order\" > 200", []),
    ("UPDATE coordinate SET latitude = 95 WHERE \"order\" = 100", []),
    ("UPDATE coordinate SET altitude = altitude + 1 WHERE \"order\" = 9", []),
    ("UPDATE flight SET fingerprint = zeroblob(16)", []),
  ]

  @Test(arguments: losses)
  func `what was recorded and is no more stays a finding, and the totals stay`(
    statement: String, other: [String]
  ) throws {
    let logbook = try LogbookOnDisk()
    let id = try #require(try logbook.fly(.alpha, "--pace", "5:00")["id"].string)
    let before = try logbook.runway("show", "latest", "--json").standardOutput
    try SQLiteShell.run(statement, on: logbook.path)
    let findings = (other + ["the coordinates are not those that were recorded"])
      .map { "\(id.prefix(8)): \($0)" }
    let count = findings.count == 1 ? "1 finding" : "\(findings.count) findings"
    let check = try logbook.runway("check")
    #expect(check.status == 65)
    #expect(check.lines == findings + ["checked 1 flight: \(count)"])
    // However often it is asked to, it does not pass the loss for the recording.
    for _ in 0..<2 {
      let repair = try logbook.runway("check", "--repair")
      #expect(repair.status == 65)
      #expect(repair.lines == findings + ["checked 1 flight: \(count), 0 repaired"])
    }
    #expect(try logbook.runway("show", "latest", "--json").standardOutput == before)
  }

  @Test func `what is not there yet is not said to be well`() throws {
    let logbook = try LogbookOnDisk()
    for command in [["check"], ["check", "--repair"]] {
      let check = try logbook.runway(command)
      #expect(check.status == 0)
      #expect(check.standardOutput == "there is no logbook yet, and nothing to check\n")
    }
    let info = try logbook.runway("logbook", "--json").json()
    #expect(info["size"].isNull && info["schemaVersion"].isNull)
    #expect(info["flightCount"].int == 0)
    #expect(
      try logbook.runway("logbook").lines.first == "Logbook      \(logbook.path)  (not there yet)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: logbook.folder.path) == [])
  }

  @Test func `a damaged file is said to be damaged, and left as it is`() throws {
    let logbook = try LogbookOnDisk()
    try logbook.runway("import", Fixture.path("stops.gpx"))
    try SQLiteShell.run("PRAGMA wal_checkpoint(TRUNCATE)", on: logbook.path)
    let file = URL(fileURLWithPath: logbook.path)
    var content = try Data(contentsOf: file)
    // Pages of 4096 bytes, past those that are read on opening.
    let damaged = 35 * 4_096..<40 * 4_096
    try #require(content.count > damaged.upperBound)
    content.replaceSubrange(damaged, with: repeatElement(0xA5, count: damaged.count))
    try content.write(to: file)

    for repair in [[], ["--repair"]] {
      let check = try logbook.runway(["check"] + repair)
      #expect(check.status == 65)
      #expect(check.standardError == "")
      #expect(check.lines.count > 1)
      #expect(check.lines.dropLast().allSatisfy { $0.hasPrefix("the file is damaged: ") })
      #expect(check.lines.last == "the logbook is damaged; restore it from a backup")
      let json = try logbook.runway(["check", "--json"] + repair)
      #expect(json.status == 65)
      #expect(try json.json()["findings"].array.count == check.lines.count - 1)
      #expect(try json.json()["repaired"].int == 0)
    }
    #expect(try Data(contentsOf: file) == content)
  }

  /// Empties an index, by making it anew of no rows.
  private func empty(index: String, of logbook: LogbookOnDisk) throws {
    let definition = "(SELECT sql FROM sqlite_schema WHERE name = '\(index)')"
    let sound = try SQLiteShell.run("SELECT \(definition)", on: logbook.path)
    for (sql, following) in [("\(sound) WHERE flight < 0", "REINDEX \(index)"), (sound, "")] {
      try SQLiteShell.run(
        """
        PRAGMA writable_schema = ON;
        UPDATE sqlite_schema SET sql = '\(sql)' WHERE name = '\(index)'
        """, on: logbook.path)
      // The next connection goes by what is written there.
      try SQLiteShell.run(following, on: logbook.path)
    }
  }

  @Test func `an index that lacks rows is said to be damaged, and made anew`() throws {
    let logbook = try LogbookOnDisk()
    try logbook.fly(.alpha, "--pace", "5:00")
    let alerts = try logbook.runway("alerts", "--state", "overspeed").standardOutput
    try empty(index: "alertByState", of: logbook)
    let deletion = try logbook.runway("delete", "--yes", "latest")
    #expect(deletion.status == 65)
    #expect(
      deletion.standardError
        == "runway: an index of \(logbook.path) is damaged; runway check --repair makes it anew\n")
    try empty(index: "alertByFlight", of: logbook)
    #expect(try logbook.runway("alerts", "--state", "overspeed").standardOutput != alerts)
    let findings = ["alertByFlight", "alertByState"]
      .map { "the index \($0) does not agree with its table" }

    let check = try logbook.runway("check")
    #expect(check.status == 65)
    let advice = "runway check --repair makes indexes anew, and then checks the rest"
    #expect(check.lines == findings + [advice])
    let json = try logbook.runway("check", "--json")
    #expect(json.status == 65)
    #expect(try json.json()["findings"].array.map { $0["finding"].string } == findings)

    let repair = try logbook.runway("check", "--repair")
    #expect(repair.status == 0)
    #expect(repair.lines == findings + ["checked 1 flight: 2 findings, 2 repaired"])
    #expect(try SQLiteShell.isSound(logbook.path))
    #expect(try logbook.runway("alerts", "--state", "overspeed").standardOutput == alerts)
    #expect(try logbook.runway("check").standardOutput == "checked 1 flight: all is well\n")
  }
}

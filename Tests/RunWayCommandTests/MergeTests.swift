import Foundation
import Testing

/// Taking in logbooks that anyone may have written.
@Suite(.enabled(if: SQLiteShell.isInstalled, "needs the sqlite3 shell"))
struct MergeTests {
  /// The lines of an import: status, and the flight's name or the reason.
  private func outcomes(_ result: RunwayProcess.Result) throws -> [String] {
    try result.jsonLines().map {
      let what = $0["flight"]["name"].string ?? $0["error"]["reason"].string ?? ""
      return "\($0["status"].string ?? "") \(what)"
    }
  }

  private func threeRuns() throws -> LogbookOnDisk {
    let logbook = try LogbookOnDisk()
    try logbook.fly(.alpha, "--pace", "5:00")
    try logbook.fly(.beta, "--pace", "5:00")
    try logbook.fly(.alphabet, "--pace", "5:00")
    return logbook
  }

  // The second flight's rows are tampered with; its key is 2, for it was the second to be stored.
  static let tampering: [(statement: String, reason: String)] = [
    ("UPDATE alert SET number = 9223372036854775807 WHERE flight = 2", "an alert makes no sense"),
    (
      "UPDATE coordinate SET latitude = 1e300 WHERE flight = 2",
      "a latitude or longitude is out of range"
    ),
    ("UPDATE flight SET distance = 9e999 WHERE key = 2", "its totals make no sense"),
    ("UPDATE flight SET startedAt = 9223372036854775807 WHERE key = 2", "outside of the calendar"),
    (
      "UPDATE coordinate SET time = 9223372036854775807 WHERE flight = 2 AND \"order\" = 9",
      "outside of the calendar"
    ),
    (
      "UPDATE coordinate SET \"order\" = \"order\" - 50 WHERE flight = 2",
      "its coordinates are not numbered one after the other"
    ),
    ("UPDATE split SET distance = 9e999 WHERE flight = 2", "a split makes no sense"),
    (
      "UPDATE coordinate SET altitude = 7 WHERE flight = 2",
      "its coordinates are not those that were recorded"
    ),
    ("UPDATE flight SET id = 'latest' || char(10) WHERE key = 2", "its identity is none"),
  ]

  @Test(arguments: tampering)
  func `a flight whose rows make no sense is refused, and the others taken`(
    statement: String, reason: String
  ) throws {
    let source = try threeRuns()
    try SQLiteShell.run(statement, on: source.path)
    let target = try LogbookOnDisk()
    let rehearsal = try target.runway("import", "--dry-run", "--json", source.path)
    #expect(rehearsal.status == 1)
    let result = try target.runway("import", "--json", source.path)
    #expect(result.status == 1)
    let lines = try outcomes(result)
    try #require(lines.count == 3)
    #expect(lines[0] == "imported Alpha run")
    #expect(lines[1].hasPrefix("failed flight ") && lines[1].hasSuffix(reason), "\(lines[1])")
    #expect(lines[2] == "imported alphabet")
    #expect(result.standardError.contains("\(source.path): flight "))
    #expect(Set(try outcomes(rehearsal)) == Set(lines))
    #expect(try target.runway("check").status == 0)
    // No number that is stored ends a command that reads it.
    for command in [
      ["check"], ["flights"], ["alerts"], ["stats"], ["export", "--all", "--format", "csv"],
    ] {
      let read = try source.runway(command)
      #expect(read.status == 0 || read.status == 65, "\(command): \(read)")
    }
  }

  @Test func `what is damaged in a logbook is told, and the rest taken`() throws {
    let source = try threeRuns()
    // A text that tells the second flight's pages, the middle one of which is destroyed.
    let mark = "MARKMARKMARK"
    try SQLiteShell.run(
      "UPDATE coordinate SET discarded = '\(mark)' WHERE flight = 2; "
        + "PRAGMA wal_checkpoint(TRUNCATE)", on: source.path)
    var bytes = try Data(contentsOf: URL(fileURLWithPath: source.path))
    let marked = stride(from: 0, to: bytes.count, by: 4_096).filter {
      bytes[$0..<$0 + 4_096].range(of: Data(mark.utf8)) != nil
    }
    try #require(marked.count > 4)
    let page = marked[marked.count / 2]
    for index in page..<page + 64 { bytes[index] = 0xA5 }
    try bytes.write(to: URL(fileURLWithPath: source.path))

    let target = try LogbookOnDisk()
    let result = try target.runway("import", "--json", source.path)
    #expect(result.status == 1)
    let lines = try outcomes(result)
    try #require(lines.count == 3, "\(lines)")
    #expect(lines[0] == "imported Alpha run")
    #expect(lines[1].contains("it cannot be read: "), "\(lines[1])")
    #expect(lines[2] == "imported alphabet")
    #expect(try target.runway("check").status == 0)
  }

  @Test func `a logbook that lacks a table fails alone`() throws {
    let source = try threeRuns()
    try SQLiteShell.run("DROP TABLE split", on: source.path)
    let target = try LogbookOnDisk()
    let result = try target.runway("import", source.path, Fixture.path("stops.gpx"))
    #expect(result.status == 1)
    #expect(
      result.standardError.split(separator: "\n").first
        == "\(source.path): it is damaged (no such table: split)")
    #expect(try target.flightCount() == 1)
  }

  @Test func `a flight that goes on takes the place of its beginning`() async throws {
    let source = try LogbookOnDisk()
    let run = EvenRun("Long", "2026-06-01T10:00:00Z", speed: 4, seconds: 600)
    // Up to the location after the first 300 s.
    let lines = run.gpx.split(separator: "\n", omittingEmptySubsequences: false)
    let replay = try RunningProcess(
      ["replay", "--json"], environment: ["RUNWAY_LOGBOOK": source.path])
    replay.write(lines.prefix(302).joined(separator: "\n") + "\n")
    #expect(await replay.line { $0.contains("\"elapsedTime\":29") } != nil)
    try await Task.sleep(for: .seconds(1.5))
    replay.kill(SIGKILL)
    _ = await replay.end()
    let id = try #require(try source.runway("flights", "--json").json()[0]["id"].string)

    let target = try LogbookOnDisk()
    #expect(try target.runway("import", source.path).status == 0)
    try target.runway("tag", "latest", "race")
    try target.runway("edit", "latest", "--notes", "fog")
    let half = try target.latest()
    #expect((half["coordinateCount"].int ?? 0) < 302)

    let whole = try source.folder.write(run.gpx, to: "whole.gpx")
    let resumed = try source.runway("replay", whole, "--resume")
    #expect(resumed.status == 0, "\(resumed.standardError)")
    #expect(try source.latest()["coordinateCount"].int == 601)
    let rehearsal = try target.runway("import", "--json", "--dry-run", source.path)
    #expect(try outcomes(rehearsal).map { $0.prefix(8) } == ["imported"])
    #expect(
      try outcomes(target.runway("import", "--json", source.path)).map { $0.prefix(8) }
        == ["imported"])
    let flight = try target.latest()
    #expect(flight["id"].string == id)
    #expect(flight["coordinateCount"].int == 601)
    #expect(flight["notes"].string == "fog")
    #expect(flight["tags"].array.map(\.string) == ["race"])
    #expect(try target.flightCount() == 1)
    #expect(try target.runway("check").status == 0)
    // The beginning, from wherever it comes, is a duplicate now.
    #expect(
      try outcomes(target.runway("import", "--json", source.path)).map { $0.prefix(9) }
        == ["duplicate"])
  }

  @Test func `a mission of the same name and other numbers is another one`() throws {
    let one = try LogbookOnDisk()
    try one.runway("missions", "tempo", "--pace", "5:00")
    try one.fly(.alpha, "--mission", "tempo")
    let other = try LogbookOnDisk()
    try other.runway("missions", "tempo", "--pace", "4:00")
    #expect(try other.runway("import", one.path).status == 0)
    #expect(try other.names(["--mission", "tempo"]) == [])
    #expect(try other.latest()["mission"]["pace"].double == 300)
    #expect(try other.runway("missions", "--json").json()[0]["pace"].double == 240)
    // Where the numbers are the same, it is the same mission.
    let third = try LogbookOnDisk()
    try third.runway("missions", "Tempo", "--pace", "5:00")
    #expect(try third.runway("import", one.path).status == 0)
    #expect(try third.names(["--mission", "tempo"]) == ["Alpha run"])
  }

  @Test func `a duplicate bears the tags of both`() throws {
    let one = try LogbookOnDisk()
    try one.fly(.alpha)
    try one.runway("tag", "latest", "race", "hills")
    let other = try LogbookOnDisk()
    try other.fly(.alpha)
    try other.runway("tag", "latest", "Race", "club")
    #expect(try outcomes(other.runway("import", "--json", one.path)) == ["duplicate Alpha run"])
    #expect(try other.latest()["tags"].array.map(\.string) == ["club", "hills", "Race"])
  }

  @Test func `logbooks are taken in where they are named alone`() throws {
    let logbook = try LogbookOnDisk()
    try logbook.fly(.alpha)
    try logbook.runway("backup", logbook.folder.path("backup.sqlite"))
    // The track, the logbook and its backup lie in one folder.
    let folder = try logbook.runway("import", "--json", logbook.folder.path)
    #expect(folder.status == 0)
    #expect(
      Set(try folder.jsonLines().map { $0["status"].string }) == ["skipped", "duplicate"])
    #expect(try logbook.flightCount() == 1)

    let itself = try logbook.runway("import", logbook.path)
    #expect(itself.status == 64)
    #expect(itself.standardError.hasPrefix("runway: \(logbook.path) is the logbook itself\n"))

    let other = try LogbookOnDisk()
    let twice = try other.runway(
      "import", "--dry-run", "--json", logbook.path, logbook.path,
      logbook.folder.path("Alpha run.gpx"))
    #expect(
      try outcomes(twice) == [
        "imported Alpha run", "duplicate Alpha run", "duplicate Alpha run",
      ])
    for options in [
      ["--pace", "5:00"], ["--date", "2026-06-01"], ["--join"], ["--format", "gpx"],
      ["--max-speed", "9"], ["--salvage"],
    ] {
      let result = try other.runway(["import", logbook.path] + options)
      #expect(result.status == 64, "\(options)")
      #expect(result.standardError.hasPrefix("runway: \(options[0]) is for tracks"))
    }
    #expect(try other.flightCount() == 0)
  }
}

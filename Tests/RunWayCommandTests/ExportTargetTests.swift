import Foundation
import Testing

/// What an export may take the place of, and what `--json` means to it.
@Suite struct ExportTargetTests {
  private func content(_ path: String) throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: path))
  }

  @Test(arguments: ["gpx", "geojson", "csv", "json"])
  func `no track takes the place of a logbook`(format: String) throws {
    let logbook = try LogbookOnDisk()
    try logbook.fly(.alpha)
    let other = try LogbookOnDisk()
    try other.fly(.beta)
    let document = logbook.folder.path("run.gpx")
    try #require(
      logbook.runway("export", "latest", "--format", "logbook", "-o", document).status == 0)
    let link = logbook.folder.path("link")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: document)
    for path in [other.path, document, link] {
      let before = try content(path)
      let result = try logbook.runway("export", "latest", "--format", format, "-o", path)
      #expect(result.status == 74)
      #expect(
        result.standardError
          == "runway: \(path) is not replaced: it is a logbook or another SQLite database\n")
      #expect(try content(path) == before)
    }
    #expect(
      try logbook.folder.names.filter { $0.hasSuffix(".part") } == [])
    #expect(try other.names() == ["Beta"])
  }

  @Test(.enabled(if: SQLiteShell.isInstalled, "needs the sqlite3 shell"))
  func `no track takes the place of another program's database`() throws {
    let logbook = try LogbookOnDisk()
    try logbook.fly(.alpha)
    let database = logbook.folder.path("notes.db")
    try SQLiteShell.run("CREATE TABLE note (text); INSERT INTO note VALUES ('kept');", on: database)
    #expect(try logbook.runway("export", "latest", "-o", database).status == 74)
    #expect(try SQLiteShell.run("SELECT text FROM note", on: database) == "kept")
  }

  @Test func `other files are replaced, and devices written to`() throws {
    let logbook = try LogbookOnDisk()
    try logbook.fly(.alpha)
    // As long as SQLite's mark, and nearly it.
    for before in ["", "a letter", "SQLite format 2\u{0}…"] {
      let file = try logbook.folder.write(before, to: "run.gpx")
      #expect(try logbook.runway("export", "latest", "-o", file).status == 0)
      #expect(
        try String(contentsOfFile: file, encoding: .utf8)
          == logbook.runway("export", "latest").standardOutput)
    }
    let device = try logbook.runway("export", "latest", "-o", "/dev/null")
    #expect(device.status == 0)
    #expect(device.standardError == "")
  }

  @Test func `JSON is what the switch asks for`() throws {
    let logbook = try LogbookOnDisk()
    try logbook.fly(.alpha)
    let named = try logbook.runway("export", "latest", "--format", "json")
    let short = try logbook.runway("export", "latest", "--json")
    #expect(try short.json()["name"].string == "Alpha run")
    #expect(short.standardOutput == named.standardOutput)
    #expect(
      try logbook.runway("export", "latest", "--json", "--format", "json").standardOutput
        == named.standardOutput)
    #expect(try logbook.runway("export", "--all", "--json").json().array.count == 1)
    for format in ["gpx", "geojson", "csv", "logbook"] {
      let file = logbook.folder.path("run.\(format)")
      let result = try logbook.runway("export", "latest", "--json", "--format", format, "-o", file)
      #expect(result.status == 64)
      #expect(
        result.standardError.hasPrefix(
          "runway: --json means --format json, and does not go with --format \(format)\n"))
      #expect(!FileManager.default.fileExists(atPath: file))
    }
  }
}

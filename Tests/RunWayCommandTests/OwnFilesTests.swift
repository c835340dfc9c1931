import Foundation
import Testing

/// The logbook's own files: found in a folder, behind a link, made by many at once.
@Suite(.enabled(if: SQLiteShell.isInstalled, "needs the sqlite3 shell"))
struct OwnFilesTests {
  @Test
  func `a folder that the logbook lies in is imported without losing the locks on the logbook`()
    async throws
  {
    let logbook = try LogbookOnDisk()
    try logbook.runway("import", Fixture.path("stops.gpx"))
    let importing = try RunningProcess(
      ["import", logbook.folder.path, "-"], environment: ["RUNWAY_LOGBOOK": logbook.path])
    let run = try Fixture.data("ten-kilometres.gpx")
    // More than a pipe holds: once it has gone, the folder has been gone through.
    importing.write(run.prefix(300_000))
    // Closing any descriptor of a file lets go of all locks of the process on it, SQLite's among them.
    #expect(try hasLock(importing.identifier, on: logbook.path))
    importing.write(run.dropFirst(300_000))
    importing.closeInput()
    #expect(await importing.end() == 0, "\(importing.standardError)")
    #expect(try logbook.flightCount() == 2)
    #expect(try SQLiteShell.isSound(logbook.path))
  }

  private func hasLock(_ process: Int32, on path: String) throws -> Bool {
    var status = stat()
    #expect(stat(path, &status) == 0)
    let locks = try String(contentsOfFile: "/proc/locks", encoding: .utf8)
    // “1: POSIX  ADVISORY  READ 1234 08:01:5678 1073741826 1073742335”
    return locks.split(separator: "\n").contains { line in
      let fields = line.split(separator: " ", omittingEmptySubsequences: true)
      return fields.count > 5 && fields[4] == "\(process)"
        && fields[5].hasSuffix(":\(status.st_ino)")
    }
  }

  @Test
  func `a logbook behind a link is the same logbook to those who do not go by the link`()
    async throws
  {
    let logbook = try LogbookOnDisk()
    let elsewhere = try TemporaryFolder()
    let link = elsewhere.path("link.sqlite")
    try logbook.runway("import", Fixture.path("stops.gpx"))
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: logbook.path)
    let replay = try RunningProcess(["replay"], environment: ["RUNWAY_LOGBOOK": link])
    replay.write(try Fixture.data("midnight.nmea").prefix(20_000))
    let deadline = ContinuousClock.now + .seconds(20)
    while try logbook.flightCount() < 2, .now < deadline {
      try await Task.sleep(for: .milliseconds(100))
    }
    let flight = try logbook.runway("flights", "--json").json().array
      .first { $0["live"].bool == true }
    let id = try #require(flight?["id"].string)
    #expect(try logbook.runway("delete", "--yes", id).status == 74)
    #expect(try logbook.runway("tag", id, "airborne").standardError == "")
    replay.closeInput()
    #expect(await replay.end() == 0, "\(replay.standardError)")
    #expect(try logbook.flightCount() == 2)
    #expect(try elsewhere.names == ["link.sqlite"])
  }

  @Test
  func `a logbook that many make at once takes in what each of them brings`() async throws {
    for _ in 0..<6 {
      let logbook = try LogbookOnDisk()
      let files = ["stops", "midnight", "date-line", "gpx-1.0", "ten-kilometres"]
      let imports = try files.map {
        try RunningProcess(
          ["import", Fixture.path("\($0).gpx")], environment: ["RUNWAY_LOGBOOK": logbook.path])
      }
      for process in imports { #expect(await process.end() == 0, "\(process.standardError)") }
      #expect(try logbook.flightCount() == files.count)
    }
  }
}

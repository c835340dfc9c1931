import Foundation
import Glibc
import Testing

/// Commands that change a flight while another one reads, judges or mends it.
@Suite(.enabled(if: SQLiteShell.isInstalled, "needs the sqlite3 shell"))
struct ConcurrentChangeTests {
  private func start(_ arguments: [String], on logbook: LogbookOnDisk) throws -> RunningProcess {
    try RunningProcess(arguments, environment: ["RUNWAY_LOGBOOK": logbook.path])
  }

  @Test func `a repair and a judgement beside it undo nothing of each other`() async throws {
    let logbook = try LogbookOnDisk()
    try logbook.runway("import", Fixture.path("ten-kilometres.gpx"), "--pace", "6:00")
    try logbook.fly(.alpha, "--pace", "6:00")
    try logbook.fly(.beta, "--pace", "6:00")
    for round in 0..<6 {
      try SQLiteShell.run(
        "UPDATE flight SET distance = distance + 1000; DELETE FROM split", on: logbook.path)
      let names = ["Alpha run", "Beta"]
      let id = try logbook.flightID(named: names[round % 2])
      let repair = try start(["check", "--repair"], on: logbook)
      // Sooner or later in the other's work.
      try await Task.sleep(for: .milliseconds(30 * (round / 2)))
      let judging = try start(
        ["replay", "--flight", id, "--pace", "5:0\(round)", "--store"], on: logbook)
      #expect(await repair.end() == 0, "\(repair.standardError)")
      #expect(await judging.end() == 0, "\(judging.standardError)")
      #expect(repair.standardError == "" && judging.standardError == "")
      let flight = try logbook.runway("show", id, "--json").json()
      #expect(flight["mission"]["pace"].double == Double(300 + round))
      #expect(try logbook.runway("check").standardOutput == "checked 3 flights: all is well\n")
    }
  }

  @Test func `a judgement is of the flight as it is when the judgement is stored`() async throws {
    let logbook = try LogbookOnDisk()
    try logbook.fly(.alpha, "--pace", "5:00", "--tolerance", "10")
    let lock = try await SQLiteShell.holdingWriteLock(of: logbook.path)
    let judging = try start(
      ["replay", "--flight", "latest", "--tolerance", "3", "--store"], on: logbook)
    // Long enough for it to come to where it waits for its turn.
    try await Task.sleep(for: .seconds(1))
    lock.write("UPDATE flight SET maxSpeed = 5, targetPace = 290, name = 'Other'; COMMIT;\n")
    #expect(await judging.end() == 0, "\(judging.standardError)")
    let flight = try logbook.latest()
    #expect(flight["name"].string == "Other")
    #expect(flight["maxSpeed"].double == 5)
    #expect(flight["mission"]["pace"].double == 290)
    #expect(flight["mission"]["tolerance"].double == 3)
    #expect(try logbook.runway("check").standardOutput == "checked 1 flight: all is well\n")
  }

  @Test func `a flight that goes before its judgement is stored is said to be gone`() async throws {
    let logbook = try LogbookOnDisk()
    let id = try #require(try logbook.fly(.alpha, "--pace", "5:00")["id"].string)
    let lock = try await SQLiteShell.holdingWriteLock(of: logbook.path)
    let judging = try start(["replay", "--flight", id, "--pace", "4:00", "--store"], on: logbook)
    try await Task.sleep(for: .seconds(1))
    let tables = ["alert", "bestEffort", "coordinate", "split", "flight"]
    lock.write(tables.map { "DELETE FROM \($0);" }.joined() + "COMMIT;\n")
    #expect(await judging.end() == 66)
    #expect(judging.standardError == "runway: there is no flight \(id)\n")
    #expect(judging.lines.isEmpty)
    #expect(try logbook.runway("check").standardOutput == "checked 0 flights: all is well\n")
  }

  @Test(arguments: ["gpx", "geojson", "csv", "json"])
  func `an export is of one moment, whatever is deleted meanwhile`(format: String) async throws {
    let logbook = try LogbookOnDisk()
    try logbook.runway("import", Fixture.path("ten-kilometres.gpx"))
    for run in [EvenRun.alpha, .beta, .alphabet] { try logbook.fly(run) }
    let whole = try logbook.runway("export", "--all", "--format", format).standardOutput
    let ids = try logbook.runway("flights", "--json").json().array.compactMap { $0["id"].string }
    #expect(ids.count == 4)

    // Nobody reads the pipe, so that the export stands still when it is full.
    let path = logbook.folder.path("pipe")
    try #require(mkfifo(path, 0o600) == 0)
    let pipe = open(path, O_RDONLY | O_NONBLOCK)
    try #require(pipe >= 0)
    let export = try start(["export", "--all", "--format", format, "-o", path], on: logbook)
    var ready: Int32 = 0
    let end = ContinuousClock.now + .seconds(10)
    while ready == 0 {
      try #require(ContinuousClock.now < end)
      try await Task.sleep(for: .milliseconds(10))
      _ = ioctl(pipe, UInt(FIONREAD), &ready)
    }
    #expect(export.statusIfEnded == nil)
    #expect(try logbook.runway(["delete", "--yes"] + ids).status == 0)
    #expect(try logbook.flightCount() == 0)
    _ = fcntl(pipe, F_SETFL, 0)
    let content = FileHandle(fileDescriptor: pipe, closeOnDealloc: true).readDataToEndOfFile()
    #expect(await export.end() == 0, "\(export.standardError)")
    #expect(String(decoding: content, as: UTF8.self) == whole)
  }

  @Test func `a flight that is deleted while it is exported is whole or gone`() async throws {
    let logbook = try LogbookOnDisk()
    for round in 0..<6 {
      let id = try #require(try logbook.fly(.alpha)["id"].string)
      let whole = try logbook.runway("export", id, "--format", "json").lines
      let export = try start(["export", id, "--format", "json"], on: logbook)
      try await Task.sleep(for: .milliseconds(8 * round))
      let deletion = try start(["delete", "--yes", id], on: logbook)
      #expect(await deletion.end() == 0, "\(deletion.standardError)")
      let status = await export.end()
      let lines = export.lines.map(\.text)
      if status == 0 {
        #expect(lines == whole)
      } else {
        #expect(status == 66)
        #expect(lines.isEmpty)
        #expect(export.standardError == "runway: there is no flight \(id)\n")
      }
      #expect(try logbook.runway("check").standardOutput == "checked 0 flights: all is well\n")
    }
  }
}

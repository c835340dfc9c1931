import Foundation
import Testing

/// Several processes on one logbook.
@Suite(.enabled(if: SQLiteShell.isInstalled, "needs the sqlite3 shell"))
struct SharedLogbookTests {
  private func epochs(_ range: Range<Int>) throws -> Data {
    let lines = try Fixture.data("ten-kilometres.nmea")
      .split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: true)
    // Six sentences a second.
    return Data(
      lines[range.lowerBound * 6..<range.upperBound * 6].flatMap { $0 + [UInt8(ascii: "\n")] })
  }

  @Test
  func `an import, a live flight and readers get on with one logbook`() async throws {
    let logbook = try LogbookOnDisk()
    let environment = ["RUNWAY_LOGBOOK": logbook.path]
    let folder = try TemporaryFolder()
    for index in 0..<20 {
      let recording = try epochs(100 + 100 * index..<700 + 100 * index)
      try recording.write(to: URL(fileURLWithPath: folder.path("\(index).nmea")))
    }
    let replay = try RunningProcess(["replay", "--json"], environment: environment)
    let feed = Task.detached { [piece = try epochs(0..<1_200)] in
      for start in stride(from: 0, to: piece.count, by: 9_001) {
        replay.write(piece[start..<min(start + 9_001, piece.count)])
        try await Task.sleep(for: .milliseconds(30))
      }
      replay.closeInput()
    }
    // Reading while others write, again and again.
    let reading = Task.detached {
      var statuses: Set<Int32> = []
      var counts: [Int] = []
      while !Task.isCancelled {
        let flights = try logbook.runway("flights", "--json")
        statuses.insert(flights.status)
        counts.append(try flights.json().array.count)
        statuses.insert(try logbook.runway("alerts").status)
      }
      return (statuses, counts)
    }
    let importing = try RunningProcess(["import", folder.path], environment: environment)
    #expect(await importing.end() == 0, "\(importing.standardError)")
    try await feed.value
    #expect(await replay.end() == 0, "\(replay.standardError)")
    reading.cancel()
    let (statuses, counts) = try await reading.value
    #expect(statuses == [0])
    #expect(counts == counts.sorted())

    #expect(try logbook.flightCount() == 21)
    #expect(
      try SQLiteShell.run("SELECT count(*) FROM coordinate", on: logbook.path)
        == "\(20 * 600 + 1_200)")
    #expect(try SQLiteShell.isSound(logbook.path))
    let check = try logbook.runway("check", "--json").json()
    #expect(check["findings"].array.isEmpty, "\(check)")
  }

  @Test
  func `readers do not wait for a writer, a writer waits 5 s and says for whom`() async throws {
    let logbook = try LogbookOnDisk()
    try logbook.runway("import", Fixture.path("stops.gpx"))
    let lock = try await SQLiteShell.holdingWriteLock(of: logbook.path)
    let importing = try RunningProcess(
      ["import", Fixture.path("midnight.gpx")], environment: ["RUNWAY_LOGBOOK": logbook.path])
    let start = ContinuousClock.now
    for command in [["flights"], ["alerts"], ["show", "latest"], ["stats"], ["check"]] {
      #expect(try logbook.runway(command).status == 0)
    }
    // All five together, on a busy machine; a single wait would have lasted 5 s.
    #expect(start.duration(to: .now) < .seconds(4.5))
    #expect(await importing.end() == 74)
    #expect(start.duration(to: .now) > .seconds(4.5))
    #expect(
      importing.standardError
        == "runway: sqlite3 (process \(lock.identifier)) is writing to \(logbook.path) and must finish first\n"
    )
    lock.closeInput()
    _ = await lock.end()
    #expect(try logbook.flightCount() == 1)
  }

  @Test
  func `an import takes its turn once another writer is done`() async throws {
    let logbook = try LogbookOnDisk()
    try logbook.runway("import", Fixture.path("stops.gpx"))
    let lock = try await SQLiteShell.holdingWriteLock(of: logbook.path)
    let importing = try RunningProcess(
      ["import", Fixture.path("midnight.gpx")], environment: ["RUNWAY_LOGBOOK": logbook.path])
    try await Task.sleep(for: .seconds(1.5))
    lock.write("COMMIT;\n")
    #expect(await importing.end() == 0, "\(importing.standardError)")
    #expect(try logbook.flightCount() == 2)
  }

  @Test
  func `a backup made in flight is a logbook as of one moment`() async throws {
    let logbook = try LogbookOnDisk()
    let replay = try RunningProcess(["replay"], environment: ["RUNWAY_LOGBOOK": logbook.path])
    replay.write(try epochs(0..<300))
    try await Task.sleep(for: .milliseconds(800))
    let feed = Task.detached { [piece = try epochs(300..<900)] in
      for start in stride(from: 0, to: piece.count, by: 4_001) {
        replay.write(piece[start..<min(start + 4_001, piece.count)])
        try await Task.sleep(for: .milliseconds(15))
      }
      replay.closeInput()
    }
    let copies = (0..<4).map { logbook.folder.path("copy \($0).sqlite") }
    for copy in copies { #expect(try logbook.runway("backup", copy).status == 0) }
    try await feed.value
    #expect(await replay.end() == 0)
    for copy in copies {
      #expect(try SQLiteShell.isSound(copy))
      #expect(
        try SQLiteShell.run(
          "SELECT coordinateCount = (SELECT count(*) FROM coordinate) FROM flight", on: copy) == "1"
      )
    }
    #expect(try logbook.runway("flights", "--json").json()[0]["coordinateCount"].int == 900)
  }

  @Test
  func `watching shows what a replay beside it does, idles, and ends by Ctrl-C`() async throws {
    let logbook = try LogbookOnDisk()
    let environment = ["RUNWAY_LOGBOOK": logbook.path]
    // They begin before there is a logbook at all.
    let alerts = try RunningProcess(["alerts", "--watch", "--json"], environment: environment)
    let flights = try RunningProcess(["flights", "--watch"], environment: environment)
    #expect(await alerts.line { $0.contains("\"sinkRate\":0") } != nil)
    #expect(await flights.line { $0.hasPrefix("No flights.") } != nil)

    let replay = try RunningProcess(
      ["replay", "--pace", "5:30", "--tolerance", "15", "--distance", "10km"],
      environment: environment)
    replay.write(try epochs(0..<1_600))
    #expect(await alerts.line { $0.contains("\"sinkRate\":1") } != nil)
    #expect(await flights.line { $0.contains("(in the air)") } != nil)
    replay.closeInput()
    #expect(await replay.end() == 0)
    #expect(
      await flights.line { $0.contains("5:") && !$0.contains("(in the air)") } != nil)

    // Nothing happens now: what a second of watching costs.
    try await Task.sleep(for: .milliseconds(500))
    let before = processorTime(of: alerts) + processorTime(of: flights)
    let lineCount = alerts.lines.count
    try await Task.sleep(for: .seconds(2))
    let spent = processorTime(of: alerts) + processorTime(of: flights) - before
    // Two processes for 2 s: at most 5 % of a core each.
    #expect(spent <= 0.2)
    #expect(alerts.lines.count == lineCount)

    for watcher in [alerts, flights] {
      watcher.kill(SIGINT)
      let status = try #require(await watcher.end(within: .seconds(3)))
      #expect(status == 0 || status == 130 || status == -SIGINT)
      #expect(watcher.standardError.isEmpty)
    }
    for line in alerts.lines { _ = try JSONValue(line.text) }
    #expect(flights.lines.allSatisfy { !$0.text.contains("\u{1B}") })
  }

  /// The seconds of processor time a process has used.
  private func processorTime(of process: RunningProcess) -> Double {
    let text = try? String(contentsOfFile: "/proc/\(process.identifier)/stat", encoding: .utf8)
    let fields = (text ?? "").split(separator: ")").last?.split(separator: " ") ?? []
    guard fields.count > 12, let user = Double(fields[11]), let system = Double(fields[12]) else {
      return .infinity
    }
    return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
  }
}

import Foundation
import Testing

/// Numbers that are the same in each run of the tests (SplitMix64).
private struct Moments {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }

  mutating func milliseconds(_ range: ClosedRange<Int>) -> Duration {
    .milliseconds(range.lowerBound + Int(next() % UInt64(range.count)))
  }
}

@Suite(.enabled(if: SQLiteShell.isInstalled, "needs the sqlite3 shell"))
struct SurvivalTests {
  /// Five at a time, ten times: 50 kills.
  @Test(.serialized, arguments: 0..<10)
  func `a live flight outlives SIGKILL at any moment`(series: Int) async throws {
    let log = try ReceiverLog()
    let bytes = log.bytes(0...)
    var moments = Moments(state: UInt64(series))
    // They are flown side by side, for most of their lives is waiting; what is left of them is looked at afterwards.
    let flights = try await withThrowingTaskGroup(of: KilledFlight.self) { group in
      for number in 0..<5 {
        // Small pieces that respect no sentence, so that the kill comes amid everything. At most the whole
        // log is sent in the time, so that alerts begin and end, and some flights touch down before.
        let life = moments.milliseconds(200...2_300)
        let pieceSize = 500 + Int(moments.next() % 30_000)
        group.addTask {
          try await KilledFlight(
            fedWith: bytes, inPiecesOf: pieceSize, for: life,
            name: "series \(series), number \(number)")
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    for flight in flights { try flight.checkLogbook(log) }
  }

  @Test
  func `a pipe that falls silent has all it said committed within a second`() async throws {
    let log = try ReceiverLog()
    let logbook = try LogbookOnDisk()
    let replay = try logbook.replay()
    replay.write(log.bytes(0..<5))
    #expect(try await logbook.waits(forCoordinates: 5, within: .seconds(5)))
    // Right after a commit, so that it is the timer that must commit the next ones.
    replay.write(log.bytes(5..<30))
    let last = try #require(
      await replay.line { $0.contains("\"snapshot\"") && $0.contains("06:30:29Z") })
    try await Task.sleep(until: last.arrival + .seconds(1))
    replay.kill(SIGKILL)
    _ = await replay.end()
    #expect(try logbook.coordinateCount() == 30)
  }

  @Test
  func `resuming goes on with a stream that is replayed from its start`() async throws {
    let log = try ReceiverLog()
    let logbook = try LogbookOnDisk()
    let replay = try logbook.replay()
    replay.write(log.bytes(0..<500))
    #expect(try await logbook.waits(forCoordinates: 500, within: .seconds(5)))
    replay.kill(SIGKILL)
    _ = await replay.end()
    let identity = try logbook.runway("flights", "--json").json()[0]["id"].string

    // Without a mission of its own it keeps the flight's.
    let whole = log.bytes(0..<1_700)
    let resumed = try logbook.runway("replay", "--resume", "--json", input: Data(whole))
    #expect(resumed.status == 0, "\(resumed.standardError)")
    let flights = try logbook.runway("flights", "--json").json()
    #expect(flights.array.count == 1)
    #expect(flights[0]["id"].string == identity)
    #expect(try logbook.show() == imported(whole))
    let check = try logbook.runway("check", "--json").json()
    #expect(check["findings"].array.isEmpty, "\(check)")
  }

  @Test
  func `resuming goes on with a stream that has moved on, in a segment of its own`() async throws {
    let log = try ReceiverLog()
    let logbook = try LogbookOnDisk()
    let replay = try logbook.replay()
    replay.write(log.bytes(0..<500))
    #expect(try await logbook.waits(forCoordinates: 500, within: .seconds(5)))
    replay.kill(SIGKILL)
    _ = await replay.end()

    let resumed = try logbook.runway(
      "replay", "--resume", "--json", input: Data(log.bytes(520..<1_000)))
    #expect(resumed.status == 0, "\(resumed.standardError)")
    let flight = try logbook.runway("show", "latest", "--json").json()
    #expect(flight["coordinateCount"].int == 980)
    #expect(flight["segmentCount"].int == 2)
    #expect(flight["elapsedTime"].double == 999)
    // 499 s and 479 s: the 21 s between the two parts were not run before anyone's eyes.
    #expect(flight["movingTime"].double == 978.0)
    #expect(flight["interrupted"].bool == false)
    #expect(
      try SQLiteShell.run(
        "SELECT segment, count(*) FROM coordinates GROUP BY segment", on: logbook.path)
        == "0|500\n1|480")
    let check = try logbook.runway("check", "--json").json()
    #expect(check["findings"].array.isEmpty, "\(check)")
  }

  @Test
  func `there is nothing to resume where nothing was interrupted`() throws {
    let logbook = try LogbookOnDisk()
    try logbook.runway("import", Fixture.path("stops.gpx"))
    let result = try logbook.runway("replay", "--resume", input: Data())
    #expect(result.status == 66)
    #expect(result.standardError == "runway: there is no interrupted flight to go on with\n")
  }

  @Test
  func `a flight that another process is flying is left alone`() async throws {
    let log = try ReceiverLog()
    let logbook = try LogbookOnDisk()
    let flying = try logbook.replay()
    flying.write(log.bytes(0..<100))
    #expect(try await logbook.waits(forCoordinates: 100, within: .seconds(5)))
    let dead = try logbook.replay("--max-speed", "12", mission: false)
    dead.write(log.bytes(2_000..<2_100))
    #expect(try await logbook.waits(forCoordinates: 200, within: .seconds(5)))
    dead.kill(SIGKILL)
    _ = await dead.end()

    var flights = try logbook.runway("flights", "--json").json().array
    #expect(flights.map { $0["live"].bool } == [false, true])
    #expect(flights.map { $0["interrupted"].bool } == [true, false])
    let identity = try #require(flights[1]["id"].string)
    // Writers of every kind: the dead flight is completed, the living one is not touched.
    let writers = [
      ["import", Fixture.path("stops.gpx")], ["logbook", "--weight", "70"], ["check", "--repair"],
    ]
    for writer in writers {
      #expect(try logbook.runway(writer).status == 0)
      #expect(
        try SQLiteShell.run(
          "SELECT coordinateCount FROM flights WHERE touchedDown = 0", on: logbook.path) == "100")
    }
    let deletion = try logbook.runway("delete", "--yes", identity)
    #expect(deletion.status == 74)
    #expect(deletion.standardError.contains("is being flown"))
    let resumption = try logbook.runway("replay", "--resume", input: Data(log.bytes(0..<9)))
    #expect(resumption.status == 66)

    flying.write(log.bytes(100..<1_000))
    flying.closeInput()
    #expect(await flying.end() == 0)
    flights = try logbook.runway("flights", "--json").json().array
    #expect(flights.count == 3)
    #expect(flights.allSatisfy { $0["live"].bool == false && $0["interrupted"].bool == false })
    #expect(try logbook.show(identity) == imported(log.bytes(0..<1_000)))
  }

  @Test
  func `invalid locations and the track's name outlive the process too`() async throws {
    let logbook = try LogbookOnDisk()
    let text = try #require(String(data: try Fixture.data("stray-points.gpx"), encoding: .utf8))
    let end = try #require(text.range(of: "</trkseg>"))
    let replay = try logbook.replay(mission: false)
    replay.write(String(text[..<end.lowerBound]))
    let reference = try LogbookOnDisk()
    try reference.runway("import", Fixture.path("stray-points.gpx"))
    let expected = try reference.runway("show", "latest", "--json").json()
    let total = try #require(
      Int(try SQLiteShell.run("SELECT count(*) FROM coordinate", on: reference.path)))
    #expect(try await logbook.waits(forCoordinates: total, within: .seconds(5)))
    replay.kill(SIGKILL)
    _ = await replay.end()
    try logbook.runway("logbook", "--weight", "70")
    #expect(expected["discarded"]["invalid"].int == 2)
    #expect(try logbook.show() == judgement(expected))
    let flight = try logbook.runway("show", "latest", "--json").json()
    #expect(flight["name"].string == expected["name"].string)
  }

  @Test
  func `a replay never ends for a lock`() async throws {
    // Side by side, for most of it is waiting.
    try await withThrowingTaskGroup(of: Void.self) { group in
      for moment in ["takeoff", "flight", "touchdown"] {
        group.addTask { try await replayBesideLock(at: moment) }
      }
      try await group.waitForAll()
    }
  }

  private func replayBesideLock(at moment: String) async throws {
    let log = try ReceiverLog()
    let logbook = try LogbookOnDisk()
    try logbook.runway("import", Fixture.path("stops.gpx"))
    let lock: RunningProcess
    let replay: RunningProcess
    if moment == "takeoff" {
      lock = try await SQLiteShell.holdingWriteLock(of: logbook.path)
      replay = try logbook.replay()
      replay.write(log.bytes(0..<400))
    } else {
      replay = try logbook.replay()
      replay.write(log.bytes(0..<100))
      #expect(await replay.line { $0.contains("06:31:39Z") } != nil)
      try await Task.sleep(for: .milliseconds(700))
      lock = try await SQLiteShell.holdingWriteLock(of: logbook.path)
      replay.write(log.bytes(100..<400))
    }
    if moment == "touchdown" { replay.closeInput() }
    // It flies on while it cannot write: the callouts come at once.
    #expect(await replay.line(within: .seconds(2)) { $0.contains("06:36:39Z") } != nil, "\(moment)")
    // Longer than any writer waits.
    try await Task.sleep(for: .seconds(6))
    lock.write("COMMIT;\n")
    lock.closeInput()
    #expect(await lock.end() == 0)
    replay.closeInput()
    #expect(await replay.end() == 0, "\(moment): \(replay.standardError)")
    let takeoff = try #require(replay.lines.first)
    let identity = try #require(try JSONValue(takeoff.text)["flightID"].string)
    #expect(try logbook.show(identity) == imported(log.bytes(0..<400)), "\(moment)")
    #expect(try logbook.flightCount() == 2)
  }

  @Test
  func `a flight goes on where nobody reads its callouts any more`() async throws {
    let log = try ReceiverLog()
    let logbook = try LogbookOnDisk()
    let pipeline = try RunningProcess(
      ["-c", "{ '\(RunwayProcess.executable)' replay --json; echo status $? >&2; } | head -n 1"],
      program: "/bin/sh", environment: ["RUNWAY_LOGBOOK": logbook.path])
    for second in 0..<60 {
      pipeline.write(log.epochs[second])
      if second == 20 { try await Task.sleep(for: .milliseconds(300)) }
    }
    pipeline.closeInput()
    _ = await pipeline.end()
    #expect(pipeline.standardError.contains("status 74"))
    #expect(try logbook.runway("show", "latest", "--json").json()["coordinateCount"].int == 60)
    #expect(try logbook.runway("flights", "--json").json()[0]["interrupted"].bool == false)
  }

  /// Ten moments, spread over what an import takes.
  @Test(arguments: 0..<10)
  func `an import that is killed leaves each flight whole or not at all`(number: Int) async throws {
    var moments = Moments(state: UInt64(1_000 + number))
    let logbook = try LogbookOnDisk()
    let folder = try TemporaryFolder()
    // Twelve recordings of 600 locations, a minute apart, so that none is another's double.
    let log = try ReceiverLog()
    for index in 0..<12 {
      let bytes = log.bytes(60 * index..<60 * index + 600)
      try Data(bytes).write(to: URL(fileURLWithPath: folder.path("\(index).nmea")))
    }
    let importing = try RunningProcess(
      ["import", folder.path, "--json"], environment: ["RUNWAY_LOGBOOK": logbook.path])
    try await Task.sleep(for: moments.milliseconds(10...400))
    importing.kill(SIGKILL)
    _ = await importing.end()

    let repeated = try logbook.runway("import", folder.path, "--json")
    #expect(repeated.status == 0)
    // What was told as imported is there; the rest came with the repetition.
    let told = importing.lines.filter { $0.text.contains("\"imported\"") }.count
    let duplicates = try repeated.jsonLines().filter { $0["status"].string == "duplicate" }.count
    #expect(duplicates >= told)
    #expect(try logbook.flightCount() == 12)
    #expect(try SQLiteShell.isSound(logbook.path))
    #expect(
      try SQLiteShell.run(
        """
        SELECT count(*) FROM flight WHERE touchedDown = 0 OR coordinateCount <>
          (SELECT count(*) FROM coordinate WHERE flight = flight.key AND discarded IS NULL)
        """, on: logbook.path) == "0")
    #expect(try logbook.coordinateCount() == 12 * 600)
  }
}

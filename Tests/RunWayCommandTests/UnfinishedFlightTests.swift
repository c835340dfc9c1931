import Foundation
import Testing

/// What is known of a flight that has not touched down.
@Suite(.enabled(if: SQLiteShell.isInstalled, "needs the sqlite3 shell"))
struct UnfinishedFlightTests {
  /// What does not depend on whether the flight has touched down.
  private func known(_ flight: JSONValue) -> [String: String] {
    let members = [
      "name", "startedAt", "endedAt", "mode", "distance", "rawDistance", "elapsedTime",
      "movingTime", "pace", "elevationGain", "elevationLoss", "heartRate", "cadence", "fuel",
      "coordinateCount", "segmentCount", "discarded", "rejected", "mission", "splits",
      "bestEfforts",
    ]
    return Dictionary(
      uniqueKeysWithValues: members.filter { flight.keys.contains($0) }.map {
        ($0, flight[$0].sortedText)
      })
  }

  /// 331 epochs of six sentences, every 90th of which has a wrong checksum (the right ones are below 10).
  private func log() throws -> Data {
    var lines = try Fixture.data("ten-kilometres.nmea")
      .split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: true).prefix(331 * 6)
      .map { Data($0) }
    for index in stride(from: 89, to: lines.count, by: 90) {
      let star = try #require(lines[index].lastIndex(of: UInt8(ascii: "*")))
      lines[index].replaceSubrange(lines[index].index(after: star)..., with: Data("FF\r".utf8))
    }
    return Data(lines.joined(separator: [UInt8(ascii: "\n")]) + [UInt8(ascii: "\n")])
  }

  @Test func `a flight that was killed before its first location is not kept`() throws {
    let logbook = try LogbookOnDisk()
    try logbook.runway("import", Fixture.path("stops.gpx"))
    _ = try SQLiteShell.run(
      "INSERT INTO flight (id, maxSpeed, touchedDown) VALUES ('0b8f7c1e-0000-4000-8000-000000000000', 12.5, 0)",
      on: logbook.path)
    let writer = try logbook.runway("logbook", "--weight", "70")
    #expect(writer.status == 0)
    #expect(writer.standardError.isEmpty, "\(writer.standardError)")
    #expect(try logbook.flightCount() == 1)
  }

  @Test func `a flight in the air, an interrupted one and an imported one tell the same`()
    async throws
  {
    let log = try log()
    let reference = try LogbookOnDisk()
    try reference.runway("logbook", "--weight", "70")
    #expect(
      try reference.runway("import", "-", "--pace", "5:30", "--json", input: log).status == 0)
    let expected = try reference.runway("show", "latest", "--json").json()
    #expect(expected["rawDistance"].double ?? 0 > 900)
    #expect(expected["rejected"]["checksum"].int == 331 * 6 / 90)

    let logbook = try LogbookOnDisk()
    try logbook.runway("logbook", "--weight", "70")
    let replay = try RunningProcess(
      ["replay", "--json", "--pace", "5:30"], environment: ["RUNWAY_LOGBOOK": logbook.path])
    for start in stride(from: 0, to: log.count, by: 7_001) {
      replay.write(log[start..<min(start + 7_001, log.count)])
      try await Task.sleep(for: .milliseconds(10))
    }
    // The last epoch is complete by its last sentence, so all of it is there after the next commit.
    let end = ContinuousClock.now + .seconds(5)
    let count = try #require(
      Int(try SQLiteShell.run("SELECT count(*) FROM coordinate", on: reference.path)))
    while try SQLiteShell.run(
      "SELECT (SELECT count(*) FROM coordinate), (SELECT sum(count) FROM rejected)",
      on: logbook.path) != "\(count)|22", ContinuousClock.now < end
    {
      try await Task.sleep(for: .milliseconds(20))
    }
    for isLive in [true, false] {
      if !isLive {
        replay.kill(SIGKILL)
        _ = await replay.end()
      }
      let shown = try logbook.runway("show", "latest", "--json").json()
      #expect(shown["live"].bool == isLive)
      #expect(shown["interrupted"].bool == !isLive)
      #expect(known(shown) == known(expected))
      let listed = try logbook.runway("flights", "--json").json()[0]
      #expect(known(listed) == known(expected).filter { listed.keys.contains($0.key) })
      let exported = try logbook.runway("export", "latest", "--format", "json").json()
      #expect(known(exported) == known(expected))
      #expect(try logbook.runway("show", "latest").lines.contains { $0.hasPrefix("SPLIT") })
    }
    // Completed by the next writer, all is the same.
    try logbook.runway("logbook", "--weight", "70")
    let completed = try logbook.runway("show", "latest", "--json").json()
    #expect(completed["interrupted"].bool == false)
    #expect(known(completed) == known(expected))
  }

  @Test(arguments: [false, true])
  func `a flight without times keeps the date it was given`(isResumed: Bool) async throws {
    let text = try #require(String(data: try Fixture.data("untimed.gpx"), encoding: .utf8))
    let end = try #require(text.range(of: "</trkseg>"))
    let logbook = try LogbookOnDisk()
    let replay = try RunningProcess(
      ["replay", "--date", "2026-06-09T06:30+09:00"], environment: ["RUNWAY_LOGBOOK": logbook.path])
    replay.write(String(text[..<end.lowerBound]))
    let limit = ContinuousClock.now + .seconds(5)
    // The fixture has 200 points.
    while try SQLiteShell.run("SELECT count(*) FROM coordinate", on: logbook.path) != "200",
      ContinuousClock.now < limit
    {
      try await Task.sleep(for: .milliseconds(20))
    }
    replay.kill(SIGKILL)
    _ = await replay.end()
    for isInterrupted in [true, false] {
      if !isInterrupted {
        let next =
          isResumed
          ? try logbook.runway("replay", "--resume", input: Data(text.utf8))
          : try logbook.runway("logbook", "--weight", "70")
        #expect(next.status == 0, "\(next.standardError)")
      }
      let flight = try logbook.runway("show", "latest", "--json").json()
      #expect(flight["interrupted"].bool == isInterrupted)
      #expect(flight["startedAt"].string == "2026-06-08T21:30:00Z")
      #expect(flight["movingTime"].isNull)
      #expect(flight["coordinateCount"].int == 200)
    }
    #expect(try logbook.runway("check").status == 0)
  }

  @Test func `the energy that a track tells outlives the process`() async throws {
    let run = EvenRun("told", "2026-06-05T10:00:00Z", speed: 4, seconds: 300, calories: 123)
    let logbook = try LogbookOnDisk()
    let replay = try RunningProcess(["replay"], environment: ["RUNWAY_LOGBOOK": logbook.path])
    replay.write(String(try #require(run.gpx.components(separatedBy: "</trkseg>").first)))
    let limit = ContinuousClock.now + .seconds(5)
    while try SQLiteShell.run("SELECT count(*) FROM coordinate", on: logbook.path) != "301",
      ContinuousClock.now < limit
    {
      try await Task.sleep(for: .milliseconds(20))
    }
    replay.kill(SIGKILL)
    _ = await replay.end()
    #expect(try logbook.latest()["interrupted"].bool == true)
    #expect(try logbook.latest()["fuel"].double == 123)
    try logbook.runway("logbook", "--weight", "70")
    #expect(try logbook.latest()["interrupted"].bool == false)
    #expect(try logbook.latest()["fuel"].double == 123)
  }

  @Test func `a resumed flight counts what was rejected once`() async throws {
    let log = try log()
    let reference = try LogbookOnDisk()
    try reference.runway("import", "-", input: log)
    let expected = try reference.runway("show", "latest", "--json").json()["rejected"].sortedText
    let logbook = try LogbookOnDisk()
    let replay = try RunningProcess(["replay"], environment: ["RUNWAY_LOGBOOK": logbook.path])
    replay.write(log.prefix(60_000))
    let end = ContinuousClock.now + .seconds(5)
    while try SQLiteShell.run("SELECT count(*) FROM rejected", on: logbook.path) != "1",
      ContinuousClock.now < end
    {
      try await Task.sleep(for: .milliseconds(20))
    }
    replay.kill(SIGKILL)
    _ = await replay.end()
    #expect(try logbook.runway("replay", "--resume", input: log).status == 0)
    #expect(
      try logbook.runway("show", "latest", "--json").json()["rejected"].sortedText == expected)
  }

  @Test func `a check names the flights that it passes over`() async throws {
    let log = try ReceiverLog()
    let logbook = try LogbookOnDisk()
    try logbook.fly(.alpha)
    let flying = try RunningProcess(["replay"], environment: ["RUNWAY_LOGBOOK": logbook.path])
    flying.write(log.bytes(0..<100))
    let end = ContinuousClock.now + .seconds(5)
    let count = "SELECT count(*) FROM coordinate JOIN flight ON key = flight WHERE touchedDown = 0"
    while try SQLiteShell.run(count, on: logbook.path) != "100" {
      try #require(ContinuousClock.now < end)
      try await Task.sleep(for: .milliseconds(20))
    }
    let id = try SQLiteShell.run("SELECT id FROM flight WHERE touchedDown = 0", on: logbook.path)
    func check(_ options: String..., skipped reason: String, _ line: String) throws {
      let check = try logbook.runway(["check"] + options)
      #expect(check.status == 0)
      #expect(check.lines == ["\(id.prefix(8)): \(line)", "checked 1 flight: all is well"])
      let json = try logbook.runway(["check", "--json"] + options).json()
      #expect(json["flightCount"].int == 1)
      let skipped = json["skipped"].array
      #expect(skipped.map { $0["flightID"].string } == [id])
      #expect(skipped.map { $0["reason"].string } == [reason])
      #expect(skipped.first?.keys == (try Readme.members("`check`")["skipped"]))
    }
    try check(skipped: "live", "is being flown, and was not checked")
    try check("--repair", skipped: "live", "is being flown, and was not checked")
    flying.kill(SIGKILL)
    _ = await flying.end()
    try check(
      skipped: "interrupted", "was interrupted and is not complete yet, and was not checked")
    // Whoever writes completes it.
    let repair = try logbook.runway("check", "--repair")
    #expect(repair.lines == ["checked 2 flights: all is well"])
    #expect(try logbook.runway("check", "--json").json()["skipped"].array.isEmpty)
  }
}

extension JSONValue {
  /// The value as text, the same for equal values.
  fileprivate var sortedText: String {
    guard JSONSerialization.isValidJSONObject(["value": value]),
      let data = try? JSONSerialization.data(withJSONObject: ["value": value], options: .sortedKeys)
    else { return "missing" }
    return String(decoding: data, as: UTF8.self)
  }
}

import Foundation
import Testing

/// Judging stored flights anew, and storing what was found.
@Suite(.enabled(if: SQLiteShell.isInstalled, "needs the sqlite3 shell"))
struct RejudgementTests {
  private static let mission = ["--pace", "5:30", "--tolerance", "10", "--distance", "2km"]

  /// What a flight amounts to, and the verdict on each coordinate.
  private func amount(_ logbook: LogbookOnDisk) throws -> String {
    var flight = try #require(
      try logbook.runway("export", "latest", "--format", "json").json().value as? [String: Any])
    flight["id"] = nil
    flight["alerts"] = (flight["alerts"] as? [[String: Any]])?.map { alert in
      alert.filter { $0.key != "id" && $0.key != "flightID" }
    }
    return String(
      decoding: try JSONSerialization.data(withJSONObject: flight, options: .sortedKeys),
      as: UTF8.self)
  }

  /// 3.2 m/s is within what the track was run at, so that many of its steps are spikes.
  @Test(arguments: [[], mission])
  func `another limit of speed is stored with all that follows from it`(mission: [String]) throws {
    let path = Fixture.path("stray-points.gpx")
    let logbook = try LogbookOnDisk()
    try logbook.runway(["import", path] + mission)
    let before = try amount(logbook)
    let judged = try logbook.runway(
      "replay", "--flight", "latest", "--max-speed", "3.2", "--store")
    #expect(judged.status == 0, "\(judged.standardError)")
    let reference = try LogbookOnDisk()
    try reference.runway(["import", path, "--max-speed", "3.2"] + mission)
    #expect(try amount(logbook) == amount(reference))
    #expect(try amount(logbook) != before)
    #expect(try logbook.latest()["maxSpeed"].double == 3.2)
    #expect(try logbook.runway("check").standardOutput == "checked 1 flight: all is well\n")

    // And back.
    try logbook.runway("replay", "--flight", "latest", "--max-speed", "12.5", "--store")
    #expect(try amount(logbook) == before)
    #expect(try logbook.runway("check").status == 0)
  }

  @Test func `a flight in the air is not judged anew before it has landed`() async throws {
    let log = try ReceiverLog()
    let logbook = try LogbookOnDisk()
    let flying = try RunningProcess(
      ["replay", "--pace", "5:30"], environment: ["RUNWAY_LOGBOOK": logbook.path])
    flying.write(log.bytes(0..<100))
    let end = ContinuousClock.now + .seconds(5)
    while try SQLiteShell.run("SELECT count(*) FROM coordinate", on: logbook.path) != "100" {
      try #require(ContinuousClock.now < end)
      try await Task.sleep(for: .milliseconds(20))
    }
    let judged = try logbook.runway(
      "replay", "--flight", "latest", "--pace", "4:00", "--store", "--json")
    #expect(judged.status == 74)
    #expect(judged.standardOutput == "")
    #expect(judged.standardError.contains("is being flown"))
    // To look at it is nobody's harm.
    #expect(try logbook.runway("replay", "--flight", "latest", "--pace", "4:00").status == 0)
    flying.write(log.bytes(100..<200))
    flying.closeInput()
    #expect(await flying.end() == 0)
    let flight = try logbook.latest()
    #expect(flight["mission"]["pace"].double == 330)
    #expect(flight["coordinateCount"].int == 200)
    #expect(try logbook.runway("check").status == 0)
  }

  static let changes: [(options: [String], mission: [Double])] = [
    (["--tolerance", "3"], [330, 3, 2000]),
    (["--pace", "5:00"], [300, 10, 2000]),
    (["--distance", "1km"], [330, 10, 1000]),
    ([], [330, 10, 2000]),
  ]

  @Test(arguments: changes)
  func `what is not asked for stays as the flight's mission has it`(
    options: [String], mission: [Double]
  ) throws {
    let logbook = try LogbookOnDisk()
    try logbook.fly(
      .beta, Self.mission[0], Self.mission[1], Self.mission[2], Self.mission[3], Self.mission[4],
      Self.mission[5])
    let judged = try logbook.runway(["replay", "--flight", "latest", "--store"] + options)
    #expect(judged.status == 0, "\(judged.standardError)")
    let stored = try logbook.latest()["mission"]
    #expect(["pace", "tolerance", "distance"].map { stored[$0].double } == mission)
    #expect(try logbook.runway("check").status == 0)
  }

  @Test func `a flight of a saved mission stays one only while it is judged by it`() throws {
    let logbook = try LogbookOnDisk()
    try logbook.runway("missions", "tempo", "--pace", "5:30", "--tolerance", "10")
    try logbook.fly(.beta, "--mission", "tempo")
    func count() throws -> Int? {
      try logbook.runway("missions", "tempo", "--json").json()[0]["flightCount"].int
    }
    try logbook.runway("replay", "--flight", "latest", "--tolerance", "10", "--store")
    #expect(try count() == 1)
    try logbook.runway("replay", "--flight", "latest", "--tolerance", "3", "--store")
    #expect(try count() == 0)
  }

  @Test func `a free flight has no mission to change`() throws {
    let logbook = try LogbookOnDisk()
    try logbook.fly(.beta)
    let judged = try logbook.runway("replay", "--flight", "latest", "--tolerance", "3")
    #expect(judged.status == 64)
    #expect(judged.standardError.contains("a mission needs a target pace"))
  }
}

import Foundation
import Testing

/// Going on with a flight that was cut off, with streams that are not simply the rest of it.
@Suite(.enabled(if: SQLiteShell.isInstalled, "needs the sqlite3 shell"))
struct ResumptionTests {
  // MARK: Streams that break off

  /// Broken before, behind and right where the flight was cut off, at the hundredth point.
  @Test(arguments: [50, 100, 200])
  func `a file that breaks off takes nothing from the flight it goes on with`(
    points: Int
  ) async throws {
    let logbook = try LogbookOnDisk()
    let id = try await logbook.interrupt(EvenRun.alpha.opening(points: 100), coordinates: 100)
    let path = try logbook.folder.write(EvenRun.alpha.broken(points: points), to: "broken.gpx")
    let resumed = try logbook.runway("replay", "--resume", path)
    #expect(resumed.status == 1)
    #expect(resumed.standardError.hasSuffix("; kept what stands before it\n"))
    let flight = try logbook.latest()
    #expect(flight["id"].string == id)
    #expect(flight["interrupted"].bool == false)
    #expect(flight["coordinateCount"].int == max(points, 100))
    #expect(flight["segmentCount"].int == 1)
    #expect(try logbook.flightCount() == 1)
    #expect(try logbook.runway("check").status == 0)
  }

  @Test func `a pipe that breaks off has flown a flight all the same`() async throws {
    let logbook = try LogbookOnDisk()
    let replay = try RunningProcess(["replay"], environment: ["RUNWAY_LOGBOOK": logbook.path])
    replay.write(EvenRun.alpha.broken(points: 200))
    replay.closeInput()
    #expect(await replay.end() == 1)
    #expect(replay.standardError.hasPrefix("-:"))
    #expect(replay.standardError.hasSuffix("; kept what stands before it\n"))
    let flight = try logbook.latest()
    #expect(flight["coordinateCount"].int == 200)
    #expect(flight["interrupted"].bool == false)
    #expect(try logbook.runway("check").status == 0)
  }

  @Test(arguments: [true, false])
  func `a file that breaks off is no recording, and it is said how it can be one`(
    isNamed: Bool
  ) throws {
    let logbook = try LogbookOnDisk()
    let text = EvenRun.alpha.broken(points: 200)
    let path = try logbook.folder.write(text, to: "broken.gpx")
    let refused =
      isNamed
      ? try logbook.runway("replay", path) : try logbook.runway("replay", input: Data(text.utf8))
    #expect(refused.status == 65)
    #expect(
      refused.standardError.hasSuffix(
        "; the flight is not kept (--salvage keeps what stands before the fault)\n"))
    #expect(try logbook.flightCount() == 0)
  }

  // MARK: Streams of several tracks

  /// In the order of time, as most files are, and the newest first.
  @Test(arguments: [[EvenRun.alpha, .beta, .alphabet], [.alphabet, .beta, .alpha]])
  func `only the track that was cut off goes on, the others are what they are`(
    runs: [EvenRun]
  ) async throws {
    let whole = EvenRun.document(runs)
    let logbook = try LogbookOnDisk()
    let cut =
      runs[0].opening(points: runs[0].seconds + 1) + "</trkseg></trk>" + runs[1].track(points: 300)
    let id = try await logbook.interrupt(cut, coordinates: runs[0].seconds + 1 + 300)
    let path = try logbook.folder.write(whole, to: "three.gpx")
    let resumed = try logbook.runway("replay", "--resume", "--json", path)
    #expect(resumed.status == 0, "\(resumed.standardError)")
    let landings = try resumed.jsonLines().filter { $0["event"].string == "touchdown" }
    #expect(landings.map { $0["status"].string } == ["duplicate", "stored", "stored"])
    #expect(landings.map { $0["flight"]["name"].string } == runs.map(\.name))
    #expect(landings[1]["flight"]["id"].string == id)
    try expectImported(runs, in: logbook)
  }

  @Test func `a pipe of several tracks goes on with the one that was cut off`() async throws {
    let runs = [EvenRun.alpha, .beta, .alphabet]
    let logbook = try LogbookOnDisk()
    let cut = runs[0].opening(points: 301) + "</trkseg></trk>" + runs[1].track(points: 300)
    try await logbook.interrupt(cut, coordinates: 601)
    let replay = try RunningProcess(
      ["replay", "--resume"], environment: ["RUNWAY_LOGBOOK": logbook.path])
    replay.write(EvenRun.document(runs))
    replay.closeInput()
    #expect(await replay.end() == 0, "\(replay.standardError)")
    try expectImported(runs, in: logbook)
  }

  private func expectImported(_ runs: [EvenRun], in logbook: LogbookOnDisk) throws {
    let reference = try LogbookOnDisk()
    for run in runs { try reference.fly(run) }
    let known = ["name", "startedAt", "distance", "movingTime", "coordinateCount", "segmentCount"]
    func amounts(_ logbook: LogbookOnDisk) throws -> [[String]] {
      try logbook.runway("flights", "--json").json().array.map { flight in
        known.map { flight[$0].description }
      }
    }
    #expect(try amounts(logbook) == amounts(reference))
    #expect(try logbook.runway("check").status == 0)
  }

  @Test func `a document that has moved on goes on in a segment of its own`() async throws {
    let logbook = try LogbookOnDisk()
    let id = try await logbook.interrupt(EvenRun.alpha.opening(points: 100), coordinates: 100)
    let path = try logbook.folder.write(EvenRun.beta.gpx, to: "later.gpx")
    #expect(try logbook.runway("replay", "--resume", path).status == 0)
    let flight = try logbook.latest()
    #expect(flight["id"].string == id)
    #expect(flight["segmentCount"].int == 2)
    // 99 s and 600 s; nobody saw what lies between.
    #expect(flight["coordinateCount"].int == 100 + 601)
    #expect(flight["movingTime"].double == 699)
    #expect(try logbook.flightCount() == 1)
    #expect(try logbook.runway("check").status == 0)
  }

  @Test func `what was run before the flight began does not go on with it`() async throws {
    let logbook = try LogbookOnDisk()
    let id = try await logbook.interrupt(EvenRun.beta.opening(points: 100), coordinates: 100)
    let path = try logbook.folder.write(EvenRun.alpha.gpx, to: "earlier.gpx")
    let resumed = try logbook.runway("replay", "--resume", path)
    #expect(resumed.status == 1)
    #expect(
      resumed.standardError.hasSuffix(
        "no track goes on with flight \(id.prefix(8)), which stays interrupted\n"))
    #expect(try logbook.names() == ["Beta", "Alpha run"])
    let flights = try logbook.runway("flights", "--json").json().array
    #expect(flights.map { $0["interrupted"].bool } == [true, false])
    #expect(flights.map { $0["coordinateCount"].int } == [100, 301])
  }

  // MARK: What comes too late

  // Cut off at 10:01:39 on the first of June. Where the first location has no time, the second one has, a second later.
  @Test(arguments: [
    ("2026-06-02T10:01:39Z", true, true), ("2026-06-02T10:01:40Z", true, false),
    ("2026-06-02T10:01:38Z", false, true), ("2026-06-02T10:01:39Z", false, false),
    ("2031-06-01T10:00:00Z", true, false),
  ])
  func `what begins more than 24 hours after the flight's end is another run`(
    start: String, beginsWithTime: Bool, goesOn: Bool
  ) async throws {
    let logbook = try LogbookOnDisk()
    let id = try await logbook.interrupt(EvenRun.alpha.opening(points: 100), coordinates: 100)
    var text = EvenRun("later", start, speed: 3, seconds: 200).gpx
    if !beginsWithTime { text = text.replacing("<time>\(start)</time>", with: "") }
    let replay = try RunningProcess(
      ["replay", "--resume"], environment: ["RUNWAY_LOGBOOK": logbook.path])
    replay.write(text)
    replay.closeInput()
    #expect(await replay.end() == (goesOn ? 0 : 1), "\(replay.standardError)")
    let told = [
      true: "runway: going on with flight \(id.prefix(8)), 100 locations flown\n",
      false: "runway: no track goes on with flight \(id.prefix(8)), which stays interrupted\n",
    ]
    #expect(replay.standardError == told[goesOn])
    try expectResumed(goesOn, id, ofPoints: 100, by: 201, in: logbook)
  }

  // The log begins at 06:30 on the ninth of June, and holds an epoch a second.
  @Test(arguments: [("2026-06-08T07:00:00Z", true), ("2026-06-08T06:00:00Z", false)])
  func `a receiver's stream goes on with a flight of the last 24 hours`(
    start: String, goesOn: Bool
  ) async throws {
    let logbook = try LogbookOnDisk()
    let run = EvenRun("cut off", start, speed: 4, seconds: 300)
    let id = try await logbook.interrupt(run.opening(points: 100), coordinates: 100)
    let replay = try RunningProcess(
      ["replay", "--resume"], environment: ["RUNWAY_LOGBOOK": logbook.path])
    replay.write(try ReceiverLog().bytes(0..<60))
    replay.closeInput()
    #expect(await replay.end() == (goesOn ? 0 : 1), "\(replay.standardError)")
    try expectResumed(goesOn, id, ofPoints: 100, by: 60, in: logbook)
  }

  private func expectResumed(
    _ goesOn: Bool, _ id: String, ofPoints before: Int, by more: Int, in logbook: LogbookOnDisk
  ) throws {
    let flights = try logbook.runway("flights", "--json", "--reverse").json().array
    #expect(flights.map { $0["interrupted"].bool } == (goesOn ? [false] : [true, false]))
    #expect(
      flights.map { $0["coordinateCount"].int } == (goesOn ? [before + more] : [before, more]))
    #expect(flights.first?["id"].string == id)
  }

  // MARK: What is told

  @Test func `a flight that goes on tells its takeoff first`() async throws {
    let logbook = try LogbookOnDisk()
    try logbook.runway("missions", "tempo", "--pace", "4:10")
    let id = try await logbook.interrupt(
      EvenRun.alpha.opening(points: 100), coordinates: 100, "--mission", "tempo")
    let path = try logbook.folder.write(EvenRun.alpha.gpx, to: "whole.gpx")
    let events = try logbook.runway("replay", "--resume", "--json", path).jsonLines()
    let takeoff = try #require(events.first)
    #expect(events.filter { $0["event"].string == "takeoff" }.count == 1)
    #expect(takeoff["event"].string == "takeoff")
    #expect(takeoff["flightID"].string == id)
    #expect(takeoff["timestamp"].string == "2026-06-01T10:00:00Z")
    #expect(takeoff["mission"]["name"].string == "tempo")
    #expect(takeoff["mission"]["pace"].double == 250)
    #expect(events.last?["flight"]["mission"]["name"].string == "tempo")
  }

  /// 99 s at 4 m/s are 396 m, or 0.246 miles.
  @Test(arguments: [("metric", "0.40 km"), ("imperial", "0.25 mi")])
  func `the next writer closes an interrupted flight, and tells where`(
    units: String, distance: String
  ) async throws {
    let logbook = try LogbookOnDisk()
    let id = try await logbook.interrupt(EvenRun.alpha.opening(points: 100), coordinates: 100)
    let next = try logbook.runway("missions", "tempo", "--pace", "5:00/km", "--units", units)
    #expect(next.status == 0)
    #expect(
      next.standardError
        == "runway: flight \(id.prefix(8)), which was interrupted, is closed at \(distance)\n")
    #expect(try logbook.runway("replay", "--resume").status == 66)
  }

  /// The recording is known by its first and last locations, so both are flown to the end.
  @Test(arguments: [("5:30", 1), ("6:00", 2)])
  func `an interrupted flight that repeats a stored one is kept only for another mission`(
    pace: String, count: Int
  ) async throws {
    let logbook = try LogbookOnDisk()
    let run = EvenRun.alpha.opening(points: 100)
    try logbook.folder.write(run + "</trkseg></trk></gpx>", to: "run.gpx")
    try logbook.runway("import", "--pace", "5:30", logbook.folder.path("run.gpx"))
    let id = try await logbook.interrupt(run, coordinates: 200, "--pace", pace)
    let next = try logbook.runway("missions", "tempo", "--pace", "5:00")
    #expect(next.standardError.hasPrefix("runway: flight \(id.prefix(8)), which was interrupted, "))
    #expect(next.standardError.hasSuffix(", and is not kept\n") == (count == 1))
    #expect(try logbook.flightCount() == count)
  }

  // MARK: Nothing to go on with

  @Test(arguments: [
    ["replay", "--resume"], ["replay", "nofile.gpx"], ["replay", "--resume", "nofile.gpx"],
    ["replay", "--mission", "none", "nofile.gpx"], ["replay", "--flight", "latest", "--store"],
    ["tag", "latest", "x"], ["tag", "latest", "x", "--remove"], ["tag", "--delete", "x"],
    ["edit", "latest", "--name", "x"], ["delete", "latest"], ["missions", "--delete", "x"],
  ])
  func `a command that finds nothing to work on makes no logbook`(arguments: [String]) throws {
    let logbook = try LogbookOnDisk()
    let result = try logbook.runway(arguments)
    #expect(result.status == 66)
    #expect(result.standardOutput == "")
    #expect(try FileManager.default.contentsOfDirectory(atPath: logbook.folder.path) == [])
  }
}

extension EvenRun {
  /// A track of so many points whose end is still to come.
  fileprivate func track(points: Int) -> String {
    let parts = gpx.components(separatedBy: "<trkpt ")
    let head = parts[0].components(separatedBy: "<trk>")
    return "<trk>" + head[1]
      + parts[1...points].map { "<trkpt " + $0 }.joined()
      .replacingOccurrences(of: "</trkseg></trk></gpx>\n", with: "")
  }

  /// A document of one such track.
  fileprivate func opening(points: Int) -> String {
    gpx.components(separatedBy: "<trk>")[0] + track(points: points)
  }

  /// A document cut off within the point behind so many.
  fileprivate func broken(points: Int) -> String {
    opening(points: points) + "<trkpt lat=\"0\" lon=\"8."
  }

  /// A document of several tracks.
  fileprivate static func document(_ runs: [EvenRun]) -> String {
    let tracks = runs.map { $0.track(points: $0.seconds + 1) + "</trkseg></trk>" }
    return alpha.gpx.components(separatedBy: "<trk>")[0] + tracks.joined() + "</gpx>\n"
  }
}

extension LogbookOnDisk {
  /// Flies what comes through a pipe, until the process is killed.
  ///
  /// - Returns: The flight that was cut off.
  @discardableResult
  fileprivate func interrupt(
    _ text: String, coordinates: Int, _ options: String...
  ) async throws -> String {
    let replay = try RunningProcess(
      ["replay"] + options, environment: ["RUNWAY_LOGBOOK": path])
    replay.write(text)
    let end = ContinuousClock.now + .seconds(5)
    while try SQLiteShell.run("SELECT count(*) FROM coordinate", on: path) != "\(coordinates)" {
      try #require(ContinuousClock.now < end)
      try await Task.sleep(for: .milliseconds(20))
    }
    replay.kill(SIGKILL)
    _ = await replay.end()
    return try #require(
      try runway("flights", "--json").json().array.first { $0["interrupted"].bool == true }?["id"]
        .string)
  }
}

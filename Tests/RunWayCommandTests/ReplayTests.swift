import Foundation
import Testing

/// Flying a stream, as its reader and its logbook see it.
@Suite struct ReplayTests {
  /// Members by the README's reference.
  private static let snapshotKeys: Set<String> = [
    "event", "timestamp", "phase", "gpwsState", "distance", "pace", "elapsedTime", "movingTime",
    "altitude", "heading", "latitude", "longitude",
  ]
  private static let eventKeys: [String: Set<String>] = [
    "takeoff": snapshotKeys.union(["flightID", "mission"]),
    "snapshot": snapshotKeys,
    "callout": ["event", "state", "text", "timestamp", "pace", "distance"],
    "alert": [
      "event", "id", "flightID", "state", "timestamp", "endedAt", "pace", "peakPace", "distance",
      "latitude", "longitude",
    ],
    "touchdown": ["event", "flightID", "status", "flight"],
  ]

  /// A narrow band, so that the pace leaves it and comes back many times.
  private static let narrowMission = ["--pace", "5:30", "--tolerance", "4", "--distance", "10km"]
  /// All three alerts occur with it in the ten kilometres.
  private static let mission = ["--pace", "5:30", "--tolerance", "15", "--distance", "10km"]

  private func replay(
    _ options: [String], on logbook: LogbookOnDisk
  ) throws -> RunningProcess {
    try RunningProcess(["replay"] + options, environment: ["RUNWAY_LOGBOOK": logbook.path])
  }

  private func event(_ name: String) -> (String) -> Bool {
    { $0.contains("\"event\":\"\(name)\"") }
  }

  /// What a flight amounts to, whatever its identity and source.
  private func amount(_ logbook: LogbookOnDisk, _ flight: String = "latest") throws -> String {
    let shown = try logbook.runway("show", flight, "--json").json()
    var members = try #require(shown.value as? [String: Any])
    for key in ["id", "source"] { members[key] = nil }
    members["alerts"] = (members["alerts"] as? [[String: Any]])?.map { alert in
      alert.filter { $0.key != "id" && $0.key != "flightID" }
    }
    return String(
      decoding: try JSONSerialization.data(withJSONObject: members, options: .sortedKeys),
      as: UTF8.self)
  }

  // MARK: In time

  @Test(arguments: [["--json"], []])
  func `a callout is read within 50 ms of the sentence that ends its epoch`(
    options: [String]
  ) async throws {
    let log = try ReceiverLog()
    // A first flight only tells at which epochs there is something to call.
    let rehearsal = try LogbookOnDisk().runway(
      ["replay", "--json", "--no-store"] + Self.narrowMission, input: Data(log.bytes(0...)))
    let called = try rehearsal.jsonLines().filter { $0["event"].string == "callout" }
    let clocks = called.compactMap { $0["timestamp"].string?.dropFirst(11).prefix(8) }
      .map(String.init)
    try #require(clocks.count >= 20)

    let logbook = try LogbookOnDisk()
    let flight = try replay(Self.narrowMission + options, on: logbook)
    var next = 0
    var delays: [Duration] = []
    for clock in clocks.prefix(40) {
      let digits = clock.replacingOccurrences(of: ":", with: "")
      let epoch = try #require(
        log.epochs[next...].firstIndex { $0.starts(with: Array("$GPRMC,\(digits)".utf8)) })
      flight.write(log.bytes(next..<epoch))
      next = epoch + 1
      // Time to fly what was only written to come here.
      try await Task.sleep(for: .milliseconds(100))
      var end = ContinuousClock.now
      for sentence in log.epochs[epoch].split(separator: UInt8(ascii: "\n")) {
        end = .now
        flight.write(sentence + [UInt8(ascii: "\n")])
        try await Task.sleep(for: .milliseconds(2))
      }
      let line = await flight.line(within: .seconds(5)) { line in
        line.contains(clock) && (options.isEmpty || event("callout")(line))
      }
      delays.append(try #require(line).arrival - end)
    }
    delays.sort()
    #expect(delays.allSatisfy { $0 > .zero }, "called before its epoch ended")
    // Others use the machine as well, so one late callout proves nothing.
    #expect(delays[delays.count / 2] < .milliseconds(50), "\(delays)")
    flight.closeInput()
    #expect(await flight.end() == 0)
  }

  @Test func `a speed of 100 flies a track's hundred seconds in one`() async throws {
    let log = try ReceiverLog()
    let logbook = try LogbookOnDisk()
    let path = logbook.folder.path("run.nmea")
    try Data(log.bytes(0..<300)).write(to: URL(fileURLWithPath: path))
    let flight = try replay(["--json", "--speed", "100", path], on: logbook)
    #expect(await flight.end() == 0)
    // A snapshot a second of track time: the n-th is due n / 100 s after the first.
    let arrivals = flight.lines.filter { event("snapshot")($0.text) }.map(\.arrival)
    try #require(arrivals.count >= 295)
    let lateness = (0..<250).map { number in
      arrivals[number + 40] - arrivals[number] - .milliseconds(400)
    }.sorted()
    #expect(abs(lateness[125] / .milliseconds(1)) < 50, "\(lateness[125])")
    let whole = arrivals[arrivals.count - 1] - arrivals[0]
    #expect(whole > .milliseconds(2_800) && whole < .seconds(10), "\(whole)")
    // The pace is the track's own, not the show's.
    let imported = try LogbookOnDisk()
    try imported.runway("import", path)
    #expect(try amount(logbook) == amount(imported))
  }

  @Test func `a first time that is years off is taken back, and not waited for`() async throws {
    let logbook = try LogbookOnDisk()
    // 3 m a second along the equator; 2004-10-02 was week 1289's Saturday, 1,024 weeks before one of 2024.
    let points = (0..<60).map { index in
      let day = index == 0 ? "2004-10-02" : "2024-05-18"
      let second = index < 10 ? "0\(index)" : "\(index)"
      return
        "<trkpt lat=\"0\" lon=\"0.00\(1_000 + 27 * index)\"><time>\(day)T06:30:\(second)Z</time></trkpt>"
    }
    let path = try logbook.folder.write(
      "<gpx version=\"1.1\" creator=\"tests\"><trk><trkseg>\(points.joined())</trkseg></trk></gpx>",
      to: "cold.gpx")
    // Twenty years at this speed are a week.
    let flight = try replay(["--json", "--speed", "1000", path], on: logbook)
    #expect(await flight.end(within: .seconds(20)) == 0)
    let takeoffs = flight.lines.filter { event("takeoff")($0.text) }
    #expect(takeoffs.count == 2)
    #expect(takeoffs.last?.text.contains("2024-05-18T06:30:01Z") == true)
    let stored = try logbook.runway("show", "latest", "--json").json()
    #expect(stored["startedAt"].string == "2024-05-18T06:30:01Z")
    #expect(stored["elapsedTime"].double == 58)
    #expect(stored["discarded"]["backwards"].int == 1)
    let check = try logbook.runway("check")
    #expect(check.status == 0, "\(check.standardOutput)")
  }

  // MARK: Touching down

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
  func `a signal touches down`(signal: Int32) async throws {
    let log = try ReceiverLog()
    let logbook = try LogbookOnDisk()
    let flight = try replay(["--json"] + Self.mission, on: logbook)
    flight.write(log.bytes(0..<800))
    #expect(await flight.line { event("snapshot")($0) && $0.contains("06:43:19Z") } != nil)
    flight.kill(signal)
    #expect(await flight.end(within: .seconds(10)) == 0)
    #expect(flight.standardError == "")
    let last = try #require(flight.lines.last)
    #expect(event("touchdown")(last.text))
    let listed = try logbook.runway("flights", "--json").json()
    #expect(listed.array.map { $0["interrupted"].bool } == [false])
    #expect(listed[0]["id"].string == (try JSONValue(last.text)["flight"]["id"].string))

    let imported = try LogbookOnDisk()
    try imported.runway(["import", "-"] + Self.mission, input: Data(log.bytes(0..<800)))
    #expect(try amount(logbook) == amount(imported))
    #expect(try logbook.runway("check").status == 0)
  }

  @Test func `a signal ends a paced flight at once, with what was flown`() async throws {
    let logbook = try LogbookOnDisk()
    let flight = try replay(
      ["--json", "--speed", "20", Fixture.path("ten-kilometres.gpx")], on: logbook)
    #expect(await flight.line { event("snapshot")($0) && $0.contains("06:30:20Z") } != nil)
    flight.kill(SIGINT)
    #expect(await flight.end(within: .seconds(5)) == 0)
    let stored = try logbook.runway("show", "latest", "--json").json()
    let seconds = try #require(stored["elapsedTime"].double)
    #expect(seconds >= 20 && seconds < 300)
    #expect(stored["interrupted"].bool == false)
  }

  // MARK: Bad input

  @Test func `what is bad in a stream is named as it comes, counted, and flown past`() async throws
  {
    let log = try ReceiverLog()
    // The true checksum of the first is 68.
    let corrupt = "$GPRMC,063000.00,A,4900.78600,N,00824.26400,E,000.00,020.0,090626,,,A*69\n"
    var stream: [UInt8] = []
    var lines: [Int] = []
    for second in 0..<120 {
      stream += log.epochs[second]
      switch second % 30 {
      case 3: stream += Array("Guru meditation, no fix in sight\n".utf8)
      case 9: stream += [0x00, 0xff, 0xb5, 0x62, 0x01, 0x07, 0x80, 0x0a]
      case 15, 16:
        lines.append(stream.count { $0 == UInt8(ascii: "\n") } + 1)
        stream += Array(corrupt.utf8)
      default: break
      }
    }
    try #require(lines.count == 8)
    let logbook = try LogbookOnDisk()
    let flight = try replay(["--json"], on: logbook)
    flight.write(stream)
    #expect(await flight.line { event("snapshot")($0) && $0.contains("06:31:58Z") } != nil)
    let named = lines.prefix(5).map { "-:\($0): the checksum is 68, not 69\n" }.joined()
    // While it is still in the air.
    #expect(flight.statusIfEnded == nil)
    #expect(flight.standardError == named)
    flight.closeInput()
    #expect(await flight.end() == 0)
    #expect(flight.standardError == named + "-: rejected in all: checksum 8\n")
    let touchdown = try JSONValue(try #require(flight.lines.last).text)
    #expect(touchdown["flight"]["rejected"].keys == ["checksum"])
    #expect(touchdown["flight"]["rejected"]["checksum"].int == 8)
    #expect(touchdown["flight"]["coordinateCount"].int == 120)
    let clean = try LogbookOnDisk()
    try clean.runway("replay", input: Data(log.bytes(0..<120)))
    #expect(
      touchdown["flight"]["distance"].double
        == (try clean.runway("show", "latest", "--json").json()["distance"].double))
  }

  @Test func `a broken document is no recording, unless what stands before its fault is asked for`()
    throws
  {
    let logbook = try LogbookOnDisk()
    let path = Fixture.path("damaged/truncated.gpx")
    let refused = try logbook.runway("replay", "--json", path)
    #expect(refused.status == 65)
    #expect(refused.standardError.hasPrefix("\(path):"))
    #expect(!refused.lines.contains(where: event("touchdown")))
    #expect(try logbook.flightCount() == 0)

    let salvaged = try logbook.runway("replay", "--json", "--salvage", path)
    #expect(salvaged.status == 0)
    #expect(salvaged.standardError.hasSuffix("; kept what stands before it\n"))
    #expect(salvaged.lines.last.map(event("touchdown")) == true)
    let imported = try LogbookOnDisk()
    try imported.runway("import", "--salvage", path)
    #expect(try amount(logbook) == amount(imported))
  }

  @Test func `a track without a point that can be used fails as it does in an import`() throws {
    let point = "<trkpt lat=\"LAT\" lon=\"8\"><time>2026-06-01T10:00:00Z</time></trkpt>"
    let logbook = try LogbookOnDisk()
    let path = try logbook.folder.write(
      """
      <gpx version="1.1" creator="tests"><trk><trkseg>
      \(point.replacing("LAT", with: "48"))
      </trkseg></trk><trk><trkseg>
      \(point.replacing("LAT", with: "91"))
      </trkseg></trk></gpx>
      """, to: "nowhere.gpx")
    for command in ["import", "replay"] {
      let logbook = try LogbookOnDisk()
      let result = try logbook.runway(command, path)
      #expect(result.status == 1)
      #expect(result.standardError.contains("nowhere.gpx:4: latitude “91” is out of range"))
      #expect(result.standardError.contains("no point can be used"))
      #expect(try logbook.flightCount() == 1)
    }
  }

  // MARK: Events

  @Test func `every event has the members it is documented with`() throws {
    let logbook = try LogbookOnDisk()
    let flight = try logbook.runway(
      ["replay", "--json"] + Self.mission, input: try Fixture.data("ten-kilometres.nmea"))
    let events = try flight.jsonLines()
    for event in events {
      #expect(event.keys == Self.eventKeys[event["event"].string ?? ""], "\(event)")
    }
    let names = events.compactMap { $0["event"].string }
    #expect(Set(names) == Set(Self.eventKeys.keys))
    #expect(names.first == "takeoff" && names.last == "touchdown")
    #expect(names.count { $0 == "takeoff" } == 1)
    #expect(events[0]["mission"].keys == ["pace", "tolerance", "distance", "name"])
    let touchdown = try #require(events.last)
    #expect(touchdown["flight"].keys == ImportTests.flightKeys)
    #expect(touchdown["status"].string == "stored")

    // The alerts told are those stored, each once.
    let told = events.filter { $0["event"].string == "alert" }
    let stored = try logbook.runway("show", "latest", "--json").json()["alerts"].array
    #expect(stored.count == 4)
    #expect(Set(told.map { $0["id"].string }) == Set(stored.map { $0["id"].string }))
    let identities = [events[0]["flightID"].string, touchdown["flightID"].string]
    #expect(Set(identities + told.map { $0["flightID"].string }).count == 1)
    #expect(touchdown["flight"]["id"].string == identities[0])
    let callouts = events.filter { $0["event"].string == "callout" }.map { $0["text"].string }
    #expect(
      Set(callouts) == ["SINK RATE", "OVERSPEED", "MINIMUMS", "GLIDE PATH"])
  }

  @Test func `a known recording is flown, and touches down as the flight it is`() throws {
    let logbook = try LogbookOnDisk()
    let path = Fixture.path("ten-kilometres.nmea")
    let known = try logbook.runway(["import", "--json", path] + Self.mission).jsonLines()[0][
      "flight"]
    let flight = try logbook.runway(["replay", "--json", path] + Self.mission)
    #expect(flight.status == 0)
    let events = try flight.jsonLines()
    let touchdown = try #require(events.last)
    #expect(touchdown["status"].string == "duplicate")
    #expect(touchdown["flight"]["id"].string == known["id"].string)
    #expect(touchdown["flightID"].string == events[0]["flightID"].string)
    #expect(try logbook.flightCount() == 1)
    #expect(flight.standardError.contains("was not stored again"))

    let again = try logbook.runway(["replay", "--json", "--force", path] + Self.mission)
    let last = try #require(try again.jsonLines().last)
    #expect(last["status"].string == "stored")
    #expect(last["flight"]["id"].string != known["id"].string)
    #expect(try logbook.flightCount() == 2)
  }

  @Test func `what no logbook holds has no identity`() throws {
    let logbook = try LogbookOnDisk()
    let path = Fixture.path("ten-kilometres.gpx")
    let flight = try logbook.runway(["replay", "--no-store", "--json", path] + Self.mission)
    let events = try flight.jsonLines()
    for event in events where ["takeoff", "alert", "touchdown"].contains(event["event"].string) {
      #expect(event["flightID"].isNull)
    }
    #expect(events.contains { $0["event"].string == "alert" && $0["id"].isNull })
    #expect(events.last?["flight"]["id"].isNull == true)
    #expect(events.last?["status"].string == "notStored")
    let spoken = try logbook.runway("replay", "--no-store", path)
    #expect(spoken.lines.last?.hasSuffix("(not stored)") == true)

    let dry = try logbook.runway("import", "--dry-run", "--json", path).jsonLines()
    #expect(dry[0]["flight"]["id"].isNull)
    let real = try logbook.runway("import", "--json", path).jsonLines()[0]["flight"]["id"].string
    let known = try logbook.runway("import", "--dry-run", "--json", path).jsonLines()
    #expect(known[0]["status"].string == "duplicate")
    #expect(known[0]["flight"]["id"].string == real)
  }

  // MARK: Stored flights

  @Test func `judging anew leaves a flight alone, or makes it as if it had been flown so`() throws {
    let logbook = try LogbookOnDisk()
    let path = Fixture.path("ten-kilometres.gpx")
    try logbook.runway("import", path)
    let before = try amount(logbook)
    let judged = try logbook.runway(["replay", "--flight", "latest", "--json"] + Self.mission)
    let events = try judged.jsonLines()
    let alerts = events.filter { $0["event"].string == "alert" }
    #expect(alerts.count == 4)
    let id = try logbook.runway("flights", "--json").json()[0]["id"].string
    #expect(events.last?["flight"]["id"].string == id)
    #expect(events.last?["status"].string == "notStored")
    #expect(alerts.allSatisfy { $0["flightID"].string == id })
    #expect(try amount(logbook) == before)

    let stored = try logbook.runway(
      ["replay", "--flight", "latest", "--store", "--json"] + Self.mission)
    #expect(try stored.jsonLines().last?["status"].string == "stored")
    let flownSo = try LogbookOnDisk()
    try flownSo.runway(["import", path] + Self.mission)
    #expect(try amount(logbook) == amount(flownSo))
    #expect(try logbook.flightCount() == 1)
  }

  @Test(arguments: [
    ["--resume", "--pace", "5:00"], ["--resume", "--mission", "tempo"],
    ["--resume", "--flight", "latest"], ["--flight", "latest", "run.gpx"], ["--store"],
    ["--resume", "--max-speed", "9"], ["--speed", "0"], ["--flight", "latest", "--no-store"],
  ])
  func `what contradicts itself is a usage error`(options: [String]) throws {
    let logbook = try LogbookOnDisk()
    let result = try logbook.runway(["replay"] + options)
    #expect(result.status == 64)
    #expect(result.standardOutput == "")
    #expect(!FileManager.default.fileExists(atPath: logbook.path))
  }

  // MARK: Resuming

  @Test func `a stream resumed in the middle of an epoch is dated before it is flown`() async throws
  {
    let log = try ReceiverLog()
    let logbook = try LogbookOnDisk()
    let flight = try replay(["--json"], on: logbook)
    flight.write(log.bytes(0..<100))
    #expect(await flight.line { event("snapshot")($0) && $0.contains("06:31:39Z") } != nil)
    try await Task.sleep(for: .milliseconds(1_200))
    flight.kill(SIGKILL)
    _ = await flight.end()

    // From the GGA on, which has no date; the first RMC comes a second later.
    let cut = try #require(log.epochs[120].firstIndex(of: UInt8(ascii: "\n")))
    let stream = log.epochs[120][(cut + 1)...] + log.bytes(121..<200)
    let resumed = try logbook.runway("replay", "--resume", "--json", input: Data(stream))
    #expect(resumed.status == 0, "\(resumed.standardError)")
    let stored = try logbook.runway("show", "latest", "--json").json()
    #expect(stored["startedAt"].string == "2026-06-09T06:30:00Z")
    #expect(stored["endedAt"].string == "2026-06-09T06:33:19Z")
    #expect(stored["elapsedTime"].double == 199)
    // 99 s and 79 s: the 21 s between the two parts were not run before anyone's eyes.
    #expect(stored["movingTime"].double == 178)
    #expect(stored["coordinateCount"].int == 180)
    #expect(try logbook.flightCount() == 1)
    #expect(try logbook.runway("check").status == 0)
  }
}

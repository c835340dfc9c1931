import Foundation
import Testing

/// What `import` and the commands that read print, and how they end.
@Suite struct ImportTests {
  @Test func `a missing path is no such input`() throws {
    let result = try LogbookOnDisk().runway("import", "/nowhere.gpx")
    #expect(result.standardOutput == "")
    #expect(result.standardError == "/nowhere.gpx: No such file or directory\n")
    #expect(result.status == 66)
  }

  @Test func `a bad file among good ones does not stop them`() throws {
    let logbook = try LogbookOnDisk()
    let bad = Fixture.path("empty.gpx")
    let result = try logbook.runway("import", bad, Fixture.path("midnight.gpx"))
    #expect(result.lines.count == 1)
    #expect(result.standardError == "\(bad): the source is empty\n1 imported, 1 failed\n")
    #expect(result.status == 1)
    #expect(try logbook.flightCount() == 1)
  }

  @Test func `where all fail, the first fault is the status`() throws {
    let logbook = try LogbookOnDisk()
    let (empty, words) = (Fixture.path("empty.gpx"), Fixture.path("words.txt"))
    #expect(try logbook.runway("import", empty, words).status == 65)
    #expect(try logbook.runway("import", empty, "/nowhere.gpx").status == 65)
    #expect(try logbook.runway("import", "/nowhere.gpx", empty).status == 66)
    #expect(try logbook.flightCount() == 0)
  }

  @Test func `a folder is searched, and what is no recording skipped`() throws {
    let logbook = try LogbookOnDisk()
    let folder = try TemporaryFolder()
    let inner = folder.path("a/b")
    try FileManager.default.createDirectory(atPath: inner, withIntermediateDirectories: true)
    for name in ["midnight.gpx", "words.txt"] {
      try Fixture.data(name).write(to: URL(fileURLWithPath: "\(inner)/\(name)"))
    }
    let result = try logbook.runway("import", folder.path)
    #expect(result.status == 0)
    #expect(try logbook.flightCount() == 1)
  }

  @Test(arguments: ["midnight.gpx", "midnight.nmea", "gzip.gpx.gz", "gzip.nmea.gz"])
  func `standard input is told by its content`(name: String) throws {
    let logbook = try LogbookOnDisk()
    #expect(try logbook.runway("import", "-", input: Fixture.data(name)).status == 0)
    #expect(try logbook.flightCount() == 1)
  }

  @Test func `a recording is stored twice by force alone`() throws {
    let logbook = try LogbookOnDisk()
    let path = Fixture.path("midnight.gpx")
    #expect(try logbook.runway("import", path).standardOutput.hasPrefix("imported "))
    let again = try logbook.runway("import", path)
    #expect(again.standardOutput.hasPrefix("duplicate "))
    #expect(again.standardError == "")
    #expect(again.status == 0)
    #expect(try logbook.flightCount() == 1)
    #expect(try logbook.runway("import", "--force", path).status == 0)
    #expect(try logbook.flightCount() == 2)
  }

  @Test func `a dry run stores nothing`() throws {
    let logbook = try LogbookOnDisk()
    let result = try logbook.runway("import", "--dry-run", Fixture.path("stops.gpx"))
    #expect(result.standardOutput.hasPrefix("new "))
    #expect(result.status == 0)
    #expect(try logbook.flightCount() == 0)
  }

  @Test(arguments: [([], 3), (["--join"], 1)])
  func `tracks are flights of their own unless joined`(options: [String], count: Int) throws {
    let logbook = try LogbookOnDisk()
    let arguments = ["import"] + options + [Fixture.path("multi-track.gpx")]
    #expect(try logbook.runway(arguments).status == 0)
    #expect(try logbook.flightCount() == count)
  }

  @Test(arguments: [
    ("damaged/truncated.gpx", ["--salvage"]), ("untimed.gpx", ["--date", "2026-06-01"]),
    ("gga-only.nmea", ["--date", "2026-06-01"]),
  ])
  func `an option takes what is refused without it`(name: String, options: [String]) throws {
    let logbook = try LogbookOnDisk()
    let refused = try logbook.runway("import", Fixture.path(name))
    #expect(refused.status == 65)
    #expect(refused.standardOutput == "")
    #expect(refused.standardError.filter { $0 == "\n" }.count == 1)
    #expect(try logbook.flightCount() == 0)
    let taken = try logbook.runway(["import"] + options + [Fixture.path(name)])
    #expect(taken.status == 0)
    #expect(try logbook.flightCount() == 1)
  }

  @Test func `a format that is named is not guessed`() throws {
    let logbook = try LogbookOnDisk()
    let path = Fixture.path("stops.gpx")
    let result = try logbook.runway("import", "--format", "nmea", path)
    #expect(result.standardError == "\(path): no NMEA sentence found\n")
    #expect(result.status == 65)
  }

  // MARK: JSON

  static let flightKeys: Set<String> = [
    "id", "name", "startedAt", "endedAt", "mode", "distance", "rawDistance", "elapsedTime",
    "movingTime", "pace", "elevationGain", "elevationLoss", "heartRate", "cadence", "fuel",
    "coordinateCount", "segmentCount", "alertCount", "interrupted", "live", "discarded",
    "rejected", "source", "mission", "maxSpeed", "type", "notes", "tags",
  ]

  @Test func `JSON has the names it is documented with`() throws {
    let logbook = try LogbookOnDisk()
    let lines = try logbook.runway(
      "import", "--json", "--pace", "5:30", "--tolerance", "15", "--distance", "10km",
      Fixture.path("ten-kilometres.gpx"), "/nowhere.gpx"
    ).jsonLines()
    try #require(lines.count == 2)
    for line in lines { #expect(line.keys == ["path", "status", "flight", "error"]) }
    #expect(lines[0]["status"].string == "imported")
    #expect(lines[0]["error"].isNull)
    #expect(lines[1]["status"].string == "failed")
    #expect(lines[1]["flight"].isNull)
    #expect(lines[1]["error"].keys == ["line", "reason"])
    let flight = lines[0]["flight"]
    #expect(flight.keys == Self.flightKeys)
    #expect(flight["discarded"].keys == ["invalid", "duplicate", "backwards", "spike"])
    #expect(flight["source"].keys == ["path", "format", "creator"])
    #expect(flight["mission"].keys == ["pace", "tolerance", "distance", "name"])
    #expect(flight["mission"]["name"].isNull)
    #expect(try logbook.runway("flights", "--json").json()[0].keys == Self.flightKeys)

    let shown = try logbook.runway("show", "latest", "--json").json()
    #expect(shown.keys == Self.flightKeys.union(["alerts", "splits", "bestEfforts"]))
    let alerts = try logbook.runway("alerts", "--json").json()
    #expect(alerts.keys == ["counts", "days"])
    #expect(alerts["days"][0].keys == ["date", "count", "alerts"])
    #expect(
      alerts["days"][0]["alerts"][0].keys == [
        "id", "flightID", "state", "timestamp", "endedAt", "pace", "peakPace", "distance",
        "latitude", "longitude",
      ])
    try #require(shown["splits"].array.count == 11)
    for split in shown["splits"].array {
      #expect(
        split.keys == [
          "index", "distance", "elapsedTime", "movingTime", "pace", "elevationGain",
          "elevationLoss", "heartRate",
        ])
    }
    // A run of 10.04 km holds all but the half marathon and the marathon.
    try #require(shown["bestEfforts"].array.count == 5)
    for effort in shown["bestEfforts"].array {
      #expect(effort.keys == ["name", "distance", "elapsedTime", "pace", "startDistance"])
    }
  }

  // MARK: Judging

  /// 4 m/s to the east, but for one location 17 m aside, which steps of about 17.5 m/s lead to and from.
  private static let swerve: String = {
    let points = (0..<30).map { second in
      // A degree is 111 195 m on a sphere of that size, near enough on the equator.
      let latitude = second == 15 ? 17 / 111_195.0 : 0
      let longitude = 9 + 4 * Double(second) / 111_195
      return """
        <trkpt lat="\(latitude)" lon="\(longitude)"><time>2026-06-01T10:00:\(second + 10)Z</time></trkpt>
        """
    }
    return """
      <gpx version="1.1" creator="tests"><trk><trkseg>\(points.joined())</trkseg></trk></gpx>
      """
  }()

  @Test(arguments: ["import", "replay"])
  func `what is a spike is said by --max-speed`(command: String) throws {
    for (options, spikes, limit) in [([], 1, 12.5), (["--max-speed", "25"], 0, 25)] {
      let logbook = try LogbookOnDisk()
      let path = try logbook.folder.write(Self.swerve, to: "swerve.gpx")
      let result = try logbook.runway([command, path] + options)
      #expect(result.status == 0)
      let flight = try logbook.runway("show", "latest", "--json").json()
      #expect(flight["discarded"]["spike"].int == spikes)
      #expect(flight["coordinateCount"].int == 30 - spikes)
      #expect(flight["maxSpeed"].double == limit)
      #expect(try logbook.runway("check").status == 0)
    }
    for word in ["0", "-3", "51", "fast", ""] {
      #expect(try LogbookOnDisk().runway(command, "--max-speed", word, "x").status == 64)
    }
  }

  // MARK: Alerts

  @Test func `alerts are counted before the limit and after the filter`() throws {
    let logbook = try LogbookOnDisk()
    try logbook.runway(
      "import", "--pace", "5:30", "--tolerance", "15", "--distance", "10km",
      Fixture.path("ten-kilometres.gpx"))
    func counts(_ options: String...) throws -> [Int?] {
      let counts = try logbook.runway(["alerts", "--json"] + options).json()["counts"]
      return ["sinkRate", "overspeed", "minimums"].map { counts[$0].int }
    }
    #expect(try counts("--limit", "1") == [2, 1, 1])
    #expect(try counts("--state", "overspeed") == [0, 1, 0])
    #expect(try counts("--since", "2026-06-10") == [0, 0, 0])
    #expect(try counts("--until", "2026-06-08") == [0, 0, 0])
    #expect(try counts("--since", "2026-06-09", "--until", "2026-06-09") == [2, 1, 1])
    let limited = try logbook.runway("alerts", "--json", "--limit", "1").json()["days"]
    #expect(limited.array.map { $0["alerts"].array.count } == [1])
    // All four are of that day.
    #expect(limited.array.map { $0["count"].int } == [4])
    #expect(
      try logbook.runway("alerts", "--limit", "1").lines.contains("2026-06-09  (4 alerts)"))
    let state = try logbook.runway("alerts", "--json", "--limit", "1", "--state", "sinkRate")
    #expect(try state.json()["days"].array.map { $0["count"].int } == [2])
  }

  /// The run goes from 23:56:30 to 00:03:32 UTC, which is after midnight throughout in Berlin.
  @Test(arguments: [("UTC", "2026-06-20"), ("Europe/Berlin", "2026-06-21")])
  func `alerts stand under the date of the time zone`(zone: String, date: String) throws {
    let logbook = try LogbookOnDisk()
    try logbook.runway("import", "--pace", "5:00", Fixture.path("midnight.gpx"))
    let days = try logbook.runway("alerts", "--json", "--tz", zone).json()["days"]
    #expect(days.array.map { $0["date"].string } == [date])
  }

  // MARK: Usage

  @Test(arguments: [
    ["import"], ["import", "--unheard-of", "x"], ["flights", "--limit", "x"], ["show"],
    ["alerts", "--tz", "Mars/Base"], ["export"], ["delete"],
  ])
  func `a wrong call is told how to be right`(arguments: [String]) throws {
    let result = try LogbookOnDisk().runway(arguments)
    let lines = result.standardError.split(separator: "\n")
    #expect(result.status == 64)
    #expect(result.standardOutput == "")
    #expect(lines.first?.hasPrefix("runway: ") == true)
    #expect(lines.contains { $0.hasPrefix("Usage: runway \(arguments[0])") })
    #expect(lines.last == "See “runway \(arguments[0]) --help”.")
  }

  @Test func `every command has help and stands in the read-me`() throws {
    let listing = try RunwayProcess.run(["--help"]).lines.drop { $0 != "Commands:" }.dropFirst()
    let names = listing.prefix { $0.hasPrefix("  ") }.compactMap {
      $0.split(separator: " ").first.map(String.init)
    }
    #expect(names.count >= 7)
    let readme = try String(contentsOfFile: Fixture.path("../README.md"), encoding: .utf8)
    for name in names {
      let result = try RunwayProcess.run([name, "--help"])
      #expect(result.status == 0)
      #expect(result.standardOutput.contains("Usage: runway \(name)"))
      #expect(readme.contains("runway \(name)"), "\(name) is not in README.md")
      #expect(try RunwayProcess.run(["help", name]).standardOutput == result.standardOutput)
      // Every description begins in the same column.
      let options = result.lines.filter { $0.hasPrefix("  -") || $0.hasPrefix("      --") }
      #expect(options.count >= 6)
      let columns = options.map { $0.range(of: #"  +[^ -]"#, options: .regularExpression) }
      let ends = zip(options, columns).map { line, range in
        range.map { line.distance(from: line.startIndex, to: $0.upperBound) }
      }
      #expect(Set(ends).count == 1, "\(options)")
      #expect(result.lines.allSatisfy { $0.count <= 100 }, "\(result.standardOutput)")
    }
  }

  @Test func `a prefix of several flights is none of them`() throws {
    let logbook = try LogbookOnDisk()
    let folder = try TemporaryFolder()
    let log = try ReceiverLog()
    // With more flights than digits two begin alike.
    for index in 0..<17 {
      let bytes = log.bytes(60 * index..<60 * index + 30)
      try Data(bytes).write(to: URL(fileURLWithPath: folder.path("\(index).nmea")))
    }
    try logbook.runway("import", folder.path)
    let ids = try logbook.runway("flights", "--json").json().array.compactMap { $0["id"].string }
    try #require(ids.count == 17)
    let groups = Dictionary(grouping: ids) { String($0.prefix(1)) }
    let (prefix, meant) = try #require(groups.max { $0.value.count < $1.value.count })
    for command in ["show", "export", "delete", "edit"] {
      let result = try logbook.runway(
        [command, prefix] + (command == "edit" ? ["--name", "x"] : []))
      #expect(result.status == 64)
      #expect(result.standardOutput == "")
      let listed = meant.sorted().prefix(4).joined(separator: ", ")
      let more = meant.count > 4 ? ", …" : ""
      #expect(
        result.standardError
          == "runway: “\(prefix)” may mean several flights: \(listed)\(more)\n")
    }
    #expect(try logbook.flightCount() == 17)
    #expect(try logbook.runway("show", ids[3]).status == 0)
  }

  @Test(arguments: ["zzzz", "", "latest"])
  func `an unknown flight is no such input`(name: String) throws {
    let result = try LogbookOnDisk().runway("show", name)
    #expect(result.status == 66)
    #expect(result.standardOutput == "")
    #expect(result.standardError.filter { $0 == "\n" }.count == 1)
  }

  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/script")))
  func `a long import tells a terminal how far it is`() async throws {
    let folder = try TemporaryFolder()
    // 66 inputs are three transactions; each file is the same run, so that all but one are known.
    let result = try await script(
      """
      mkdir "$1/runs"
      for number in $(seq 66); do cp "$STOPS" "$1/runs/$number.gpx"; done
      script -qec '"$RUNWAY" import '"$1/runs" /dev/null
      echo piped
      "$RUNWAY" import "$1/runs" 2>&1
      """, folder: folder)
    let text = result.lines.joined(separator: "\n")
    let parts = text.components(separatedBy: "piped")
    #expect(parts.count == 2)
    #expect(parts.first?.contains("read, 1 flight imported …") == true, "\(text)")
    #expect(parts.last?.contains(" read, ") == false)
  }

  // More than the 16,384 locations that are kept back before the first is stored.
  @Test(.enabled(if: SQLiteShell.isInstalled))
  func `what is known or broken leaves a logbook as long as it was, however long it is itself`()
    throws
  {
    let logbook = try LogbookOnDisk()
    let long = EvenRun("Long", "2026-06-05T06:00:00Z", speed: 3, seconds: 20_000)
    let other = EvenRun("Other", "2026-06-06T06:00:00Z", speed: 3, seconds: 20_000)
    let path = try logbook.folder.write(long.gpx, to: "long.gpx")
    let broken = try logbook.folder.write(String(other.gpx.dropLast(30)), to: "broken.gpx")
    #expect(try logbook.runway("import", path).status == 0)
    let size = try Data(contentsOf: URL(fileURLWithPath: logbook.path)).count
    #expect(try logbook.runway("import", path).standardOutput.hasPrefix("duplicate"))
    #expect(try logbook.runway("import", broken).status == 65)
    #expect(try Data(contentsOf: URL(fileURLWithPath: logbook.path)).count == size)
    #expect(try SQLiteShell.run("PRAGMA freelist_count", on: logbook.path) == "0")
    // Behind one that is kept it is deleted again.
    let stops = try logbook.runway("import", Fixture.path("stops.gpx"), broken)
    #expect(stops.status == 1)
    #expect(
      try SQLiteShell.run("SELECT count(*), sum(coordinateCount) FROM flight", on: logbook.path)
        == "2|\(20_001 + 1_157)")
    #expect(try logbook.runway("check").status == 0)
  }

  @Test(.enabled(if: SQLiteShell.isInstalled))
  func `a long track without times is known by its date, and a long broken file is read alone`()
    throws
  {
    let logbook = try LogbookOnDisk()
    let long = EvenRun("Long", "2026-06-05T06:00:00Z", speed: 3, seconds: 20_000)
    let untimed = long.gpx.replacing(/<time>[^<]*<\/time>/, with: "")
    let path = try logbook.folder.write(untimed, to: "untimed.gpx")
    // 8 MB and more: an extension that says nothing makes it as long as 90,000 points would.
    let filling = "<extensions><x>\(String(repeating: "-", count: 400))</x></extensions></trkpt>"
    let large = long.gpx.replacing("</trkpt>", with: filling).dropLast(30)
    let broken = try logbook.folder.write(String(large), to: "broken.gpx")
    for expected in ["imported", "duplicate"] {
      let result = try logbook.runway("import", "--date", "2026-06-07", path)
      #expect(result.standardOutput.hasPrefix(expected), "\(result)")
    }
    #expect(try logbook.runway("import", Fixture.path("stops.gpx"), broken).status == 1)
    #expect(try SQLiteShell.run("PRAGMA freelist_count", on: logbook.path) == "0")
    #expect(try logbook.flightCount() == 2)
  }
}

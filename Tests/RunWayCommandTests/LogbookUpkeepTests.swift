import Foundation
import Testing

/// Keeping a logbook: changing, sorting, summing up, copying and mending it.
@Suite struct LogbookUpkeepTests {
  // MARK: Changing

  @Test func `a flight's name, notes and type are changed and cleared`() throws {
    let logbook = try LogbookOnDisk()
    try logbook.fly(.alpha)
    let edited = try logbook.runway(
      "edit", "latest", "--name", "Hügel 🏃", "--notes", "it's windy", "--type", "trail", "--json"
    ).json()
    #expect(edited.keys == (try Readme.flightMembers))
    let shown = try logbook.latest()
    for flight in [edited, shown] {
      #expect(flight["name"].string == "Hügel 🏃")
      #expect(flight["notes"].string == "it's windy")
      #expect(flight["type"].string == "trail")
    }
    try logbook.runway("edit", "latest", "--name", "", "--notes", "", "--type", "")
    let cleared = try logbook.latest()
    #expect(cleared["name"].isNull && cleared["notes"].isNull && cleared["type"].isNull)
    #expect(try logbook.runway("edit", "latest").status == 64)
    #expect(try logbook.runway("edit", "ffffffff", "--name", "x").status == 66)
  }

  @Test func `tags and flights outlive each other`() throws {
    let logbook = try LogbookOnDisk()
    let first = try #require(try logbook.fly(.alpha)["id"].string)
    let second = try #require(try logbook.fly(.beta)["id"].string)
    let tagged = try logbook.runway("tag", first, "race", "hills", "--json").json()
    #expect(tagged.keys == (try Readme.flightMembers))
    #expect(tagged["tags"].array.map(\.string) == ["hills", "race"])
    try logbook.runway("tag", second, "race")

    let halfKnown = try logbook.runway("tag", first, "--remove", "race", "nowhere")
    #expect(halfKnown.status == 66)
    #expect(try logbook.runway("show", first, "--json").json()["tags"].array.count == 2)

    func tags() throws -> [String: Int] {
      let list = try logbook.runway("tag", "--json").json().array
      for tag in list { #expect(tag.keys == (try Readme.members("`tag`")[""])) }
      return Dictionary(
        uniqueKeysWithValues: list.map { ($0["name"].string ?? "", $0["flightCount"].int ?? -1) })
    }
    #expect(try tags() == ["hills": 1, "race": 2])
    try logbook.runway("delete", first, "--yes")
    #expect(try tags() == ["hills": 0, "race": 1])
    #expect(try logbook.runway("tag", "--delete", "RACE").status == 0)
    #expect(try tags() == ["hills": 0])
    #expect(try logbook.names() == ["Beta"])
    #expect(try logbook.latest()["tags"].array.isEmpty)
  }

  @Test func `a saved mission is flown, overridden and deleted, and flights keep its numbers`()
    throws
  {
    let logbook = try LogbookOnDisk()
    let saved = try logbook.runway(
      "missions", "tempo", "--pace", "5:00", "--tolerance", "8", "--distance", "1km", "--json"
    ).json()
    #expect(saved[0].keys == (try Readme.members("`missions`")[""]))
    #expect(saved[0]["pace"].double == 300)
    let flown = try logbook.fly(.alpha, "--mission", "tempo")
    #expect(flown["mode"].string == "modeA")
    #expect(flown["mission"]["pace"].double == 300)
    #expect(flown["mission"]["tolerance"].double == 8)
    #expect(flown["mission"]["distance"].double == 1_000)
    let slower = try logbook.fly(.beta, "--mission", "tempo", "--pace", "6:40")
    #expect(slower["mission"]["pace"].double == 400)
    #expect(slower["mission"]["tolerance"].double == 8)

    try logbook.runway("missions", "tempo", "--pace", "4:00")
    #expect(
      try logbook.runway("show", "latest", "--json").json()["mission"]["pace"].double == 400)
    // The other flight's own pace made it another mission.
    #expect(try logbook.names(["--mission", "tempo"]) == ["Alpha run"])
    let left = try logbook.runway("missions", "--delete", "tempo", "--json").json()
    #expect(left.array.isEmpty)
    #expect(try logbook.names() == ["Beta", "Alpha run"])
    #expect(try logbook.runway("flights", "--mission", "tempo").status == 66)
    let kept = try logbook.runway("show", flown["id"].string ?? "", "--json").json()
    #expect(kept["mission"]["pace"].double == 300)
    #expect(kept["mission"]["distance"].double == 1_000)
    #expect(kept["alertCount"].int == flown["alertCount"].int)
    let path = try logbook.folder.write(EvenRun.alphabet.gpx, to: "third.gpx")
    #expect(try logbook.runway("import", path, "--mission", "tempo").status == 66)
    #expect(try logbook.flightCount() == 2)
  }

  @Test func `flights are deleted all or none`() throws {
    let logbook = try LogbookOnDisk()
    let first = try #require(try logbook.fly(.alpha)["id"].string)
    try logbook.fly(.beta)
    #expect(try logbook.runway("delete", "--yes", first, "ffffffff").status == 66)
    #expect(try logbook.flightCount() == 2)
    // Without a terminal there is nobody to ask.
    let deleted = try logbook.runway("delete", first, "--json").json()
    #expect(deleted.keys == (try Readme.members("`delete`")[""]))
    #expect(deleted["deleted"].array.map(\.string) == [first])
    #expect(try logbook.names() == ["Beta"])
  }

  static let script = "/usr/bin/script"

  @Test(
    .enabled(if: FileManager.default.isExecutableFile(atPath: script), "needs script(1)"),
    arguments: [("", "n\n", 1), ("", "\n", 1), ("", "y\n", 0), ("--yes", "", 0)])
  func `deleting asks on a terminal`(option: String, answer: String, left: Int) async throws {
    let logbook = try LogbookOnDisk()
    try logbook.fly(.alpha)
    let terminal = try RunningProcess(
      ["-qec", "'\(RunwayProcess.executable)' delete latest \(option)", "/dev/null"],
      program: Self.script, environment: ["RUNWAY_LOGBOOK": logbook.path])
    if !answer.isEmpty {
      #expect(await terminal.line { $0.contains("Alpha run") } != nil)
      // The answer stands on the question's line.
      let end = ContinuousClock.now + .seconds(5)
      while terminal.unendedLine.isEmpty, ContinuousClock.now < end {
        try await Task.sleep(for: .milliseconds(10))
      }
      #expect(terminal.unendedLine == "Delete 1 flight? [y/N] ")
      terminal.write(answer)
    }
    #expect(await terminal.end() == 0)
    terminal.closeInput()
    #expect(terminal.lines.contains { $0.text.contains("[y/N]") } == !answer.isEmpty)
    #expect(try logbook.flightCount() == left)
  }

  // MARK: Lists and totals

  static let lists: [([String], [String])] = [
    ([], ["alphabet", "Beta", "Alpha run"]),
    (["--tag", "RACE"], ["Beta"]),
    (["--name", "alph"], ["alphabet", "Alpha run"]),
    (["--name", "%"], []),
    (["--mode", "modeA"], ["Alpha run"]),
    (["--mode", "modeB"], ["alphabet", "Beta"]),
    (["--min-distance", "1km"], ["Beta", "Alpha run"]),
    (["--max-distance", "1km"], ["alphabet"]),
    (["--min-distance", "1km", "--max-distance", "1.3km"], ["Alpha run"]),
    (["--sort", "date"], ["alphabet", "Beta", "Alpha run"]),
    (["--sort", "distance"], ["Beta", "Alpha run", "alphabet"]),
    (["--sort", "pace"], ["Alpha run", "alphabet", "Beta"]),
    (["--sort", "name"], ["Alpha run", "alphabet", "Beta"]),
    (["--sort", "pace", "--mode", "modeB", "--limit", "1"], ["alphabet"]),
    (["--since", "2026-06-02", "--until", "2026-06-02"], ["Beta"]),
  ]

  @Test func `flights are filtered and sorted`() throws {
    let logbook = try LogbookOnDisk()
    try logbook.fly(.alpha, "--pace", "5:00")
    try logbook.fly(.beta)
    try logbook.fly(.alphabet)
    try logbook.runway("tag", try logbook.flightID(named: "Beta"), "race")
    for (arguments, names) in Self.lists {
      #expect(try logbook.names(arguments) == names, "\(arguments)")
    }
    for flight in try logbook.runway("flights", "--json").json().array {
      #expect(flight.keys == (try Readme.flightMembers))
    }
    #expect(try logbook.runway("flights", "--sort", "colour").status == 64)
    #expect(try logbook.runway("flights", "--min-distance", "far").status == 64)
  }

  @Test func `the totals of a period are those of its days in the zone`() throws {
    let logbook = try LogbookOnDisk()
    // 2026 began on a Thursday, so it has 53 weeks; 2027-01-03 is a Sunday.
    try logbook.fly(EvenRun("a", "2026-12-31T10:00:00Z", speed: 4, seconds: 300), "--pace", "5:00")
    try logbook.fly(EvenRun("b", "2027-01-03T23:30:00Z", speed: 2.5, seconds: 600))
    try logbook.fly(EvenRun("c", "2027-01-04T10:00:00Z", speed: 3, seconds: 200))

    func periods(_ by: String, _ zone: String = "UTC") throws -> [JSONValue] {
      let stats = try logbook.runway("stats", "--by", by, "--tz", zone, "--json").json()
      #expect(stats.keys == (try Readme.members("`stats`")[""]))
      #expect(stats["by"].string == by)
      return stats["periods"].array
    }
    func labels(_ by: String, _ zone: String = "UTC") throws -> [String] {
      try periods(by, zone).map { "\($0["period"].string ?? "") \($0["flightCount"].int ?? 0)" }
    }
    #expect(try labels("day") == ["2027-01-04 1", "2027-01-03 1", "2026-12-31 1"])
    #expect(try labels("week") == ["2027-W01 1", "2026-W53 2"])
    #expect(try labels("month") == ["2027-01 2", "2026-12 1"])
    #expect(try labels("year") == ["2027 2", "2026 1"])
    // Half past eleven on Sunday night in London is Monday in Berlin, and Sunday evening in New York.
    #expect(try labels("week", "Europe/Berlin") == ["2027-W01 2", "2026-W53 1"])
    #expect(try labels("day", "Europe/Berlin") == ["2027-01-04 2", "2026-12-31 1"])
    #expect(
      try labels("day", "America/New_York") == ["2027-01-04 1", "2027-01-03 1", "2026-12-31 1"])

    let week = try #require(try periods("week").last)
    #expect(week.keys == (try Readme.members("`stats`")["periods"]))
    #expect(week["startDate"].string == "2026-12-28")
    // 1200 m in 300 s and 1500 m in 600 s: 2700 m in 900 s are 333.33 s/km; the mean of 250 and 400 would be 325.
    #expect(abs((week["distance"].double ?? 0) - 2_700) < 0.1)
    #expect(abs((week["movingTime"].double ?? 0) - 900) < 0.01)
    #expect(abs((week["pace"].double ?? 0) - 1_000 / 3) < 0.05)
    #expect(week["alertCount"].int == 1)

    // The fastest kilometre is the first flight's: 250 s.
    let efforts = try logbook.runway("stats", "--json").json()["bestEfforts"].array
    let kilometre = try #require(efforts.first { $0["distance"].double == 1_000 })
    #expect(abs((kilometre["elapsedTime"].double ?? 0) - 250) < 0.1)
    #expect(kilometre["flightID"].string == (try logbook.flightID(named: "a")))
  }

  @Test func `the list says what was flown today and this week`() throws {
    let logbook = try LogbookOnDisk()
    // In the zone where it is noon now, an hour ago was today. Its sign is the other way round by POSIX.
    let now = Date()
    var calendar = Calendar(identifier: .iso8601)
    calendar.timeZone = try #require(TimeZone(secondsFromGMT: 0))
    let behind = calendar.component(.hour, from: now) - 12
    let zone = "Etc/GMT\(behind < 0 ? "-" : "+")\(abs(behind))"
    let here = now - Double(behind * 3_600)
    let weekday = (calendar.component(.weekday, from: here) + 5) % 7 + 1  // Monday is 1.
    for (index, daysAgo) in [0, 1, 3, 10].enumerated() {
      let start = Date(timeIntervalSince1970: (now.timeIntervalSince1970 - 3_600).rounded(.down))
      try logbook.fly(
        EvenRun(
          "run \(index)", start: start - Double(daysAgo) * 86_400, speed: 4, seconds: 300))
    }
    let lines = try logbook.runway("flights", "--tz", zone).lines.map {
      $0.split(separator: " ").joined(separator: " ")
    }
    let inWeek = [0, 1, 3].count { $0 < weekday }
    let distance = String(format: "%.2f", 1.2 * Double(inWeek))
    #expect(lines.first == "Today 1.20 km 5:00 4:10 /km 1 flight")
    #expect(
      lines.dropFirst().first
        == "This week \(distance) km \(5 * inWeek):00 4:10 /km \(inWeek) flight\(inWeek == 1 ? "" : "s")"
    )
    let days = [
      "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday",
    ]
    let tenDaysAgo = ISO8601DateFormatter().string(from: here - 10 * 86_400).prefix(10)
    let beginnings = [
      "Today 11:", "Yesterday 11:", "\(days[(weekday + 3) % 7]) 11:", "\(tenDaysAgo) 11:",
    ]
    for (index, beginning) in beginnings.enumerated() {
      let line = lines.first { $0.contains("run \(index)") }
      #expect(line?.hasPrefix(beginning) == true, "\(beginning) \(lines)")
    }
  }

  // MARK: Flying again

  @Test func `a stored flight is judged again, and touched only where asked`() throws {
    let logbook = try LogbookOnDisk()
    // 250 s/km on a target of 250 ± 10: silence. On 300 ± 10: one episode of OVERSPEED, to the end.
    try logbook.fly(.alpha, "--pace", "4:10", "--tolerance", "10")
    let before = try logbook.runway("show", "latest", "--json").standardOutput
    #expect(try logbook.latest()["alertCount"].int == 0)
    let again = try logbook.runway(
      "replay", "--flight", "latest", "--pace", "5:00", "--tolerance", "10", "--json")
    #expect(again.status == 0)
    let events = try again.jsonLines()
    #expect(events.filter { $0["event"].string == "alert" }.map { $0["state"].string }.count == 1)
    #expect(events.last?["event"].string == "touchdown")
    #expect(try logbook.runway("show", "latest", "--json").standardOutput == before)

    try logbook.runway(
      "replay", "--flight", "latest", "--pace", "5:00", "--tolerance", "10", "--store")
    let after = try logbook.latest()
    #expect(after["alertCount"].int == 1)
    #expect(after["alerts"].array.map { $0["state"].string } == ["overspeed"])
    #expect(after["mission"]["pace"].double == 300)
    #expect(after["id"].string == (try JSONValue(before)["id"].string))
    try logbook.runway(
      "replay", "--flight", "latest", "--pace", "4:10", "--tolerance", "10", "--store")
    #expect(try logbook.runway("show", "latest", "--json").standardOutput == before)
    #expect(try logbook.runway("check").status == 0)
  }

  // At 3 m/s more steps of the fixture are too fast than at 12.5.
  @Test func `a flight judged by another limit of speed is sound, and comes back`() throws {
    let logbook = try LogbookOnDisk()
    try logbook.runway("import", Fixture.path("stray-points.gpx"))
    let before = try logbook.runway("export", "latest", "--format", "json").standardOutput
    try logbook.runway("replay", "--flight", "latest", "--max-speed", "3", "--store")
    #expect(try logbook.latest()["maxSpeed"].double == 3)
    #expect(try logbook.runway("check").standardOutput == "checked 1 flight: all is well\n")
    try logbook.runway("replay", "--flight", "latest", "--max-speed", "12.5", "--store")
    #expect(try logbook.runway("export", "latest", "--format", "json").standardOutput == before)
  }

  @Test func `what no flight tells is absent from the totals`() throws {
    let logbook = try LogbookOnDisk()
    let flat = EvenRun.alpha.gpx.replacingOccurrences(of: "<ele>100</ele>", with: "")
    try logbook.runway("import", logbook.folder.write(flat, to: "flat.gpx"))
    func period() throws -> JSONValue {
      try logbook.runway("stats", "--json").json()["periods"][0]
    }
    #expect(try period()["elevationGain"].isNull && period()["elevationLoss"].isNull)
    #expect(try logbook.runway("stats").lines[1].split(separator: " ").dropLast().last == "–")
    // One that stays at 100 m climbs nothing.
    try logbook.fly(.beta)
    #expect(try period()["elevationGain"].double == 0)
  }

  // MARK: Handing on, and keeping

  @Test func `logbooks merge without doubles`() throws {
    let one = try LogbookOnDisk()
    let other = try LogbookOnDisk()
    try one.fly(.alpha, "--pace", "5:00")
    try one.fly(.beta)
    try one.runway("tag", "latest", "race")
    try one.runway("edit", "latest", "--notes", "fog")
    try other.fly(.alphabet)
    let document = other.folder.path("run.runway")
    #expect(
      try one.runway("export", "latest", "--format", "logbook", "-o", document).status == 0)

    func merge(_ path: String) throws -> [String] {
      let result = try other.runway("import", "--json", path)
      #expect(result.status == 0, "\(result.standardError)")
      let lines = try result.jsonLines()
      for line in lines { #expect(line.keys == (try Readme.members("`import`, a line")[""])) }
      return lines.map { "\($0["status"].string ?? "") \($0["flight"]["name"].string ?? "")" }
    }
    #expect(try merge(document) == ["imported Beta"])
    #expect(try merge(document) == ["duplicate Beta"])
    #expect(Set(try merge(one.path)) == ["imported Alpha run", "duplicate Beta"])
    #expect(Set(try merge(one.path)) == ["duplicate Alpha run", "duplicate Beta"])
    #expect(try other.names() == ["alphabet", "Beta", "Alpha run"])
    // Nothing of a flight is lost on the way.
    for name in ["Beta", "Alpha run"] {
      let id = try one.flightID(named: name)
      #expect(
        try other.runway("export", id, "--format", "json").standardOutput
          == one.runway("export", id, "--format", "json").standardOutput)
    }
    #expect(try one.names() == ["Beta", "Alpha run"])
    #expect(try other.runway("check").status == 0)
  }

  @Test func `a backup is the whole logbook`() throws {
    let logbook = try LogbookOnDisk()
    try logbook.fly(.alpha, "--pace", "5:00")
    try logbook.fly(.beta)
    try logbook.runway("tag", "latest", "race", "hills")
    try logbook.runway("logbook", "--weight", "61.5")
    let copy = logbook.folder.path("copy.sqlite")
    let backup = try logbook.runway("backup", copy, "--json").json()
    #expect(backup.keys == (try Readme.members("`logbook`, `backup`")[""]))
    let info = try logbook.runway("logbook", "--json").json()
    #expect(info.keys == backup.keys)
    #expect(info["coordinateCount"].int == 301 + 601)
    #expect(info["tagCount"].int == 2)
    #expect(info["weight"].double == 61.5)
    for key in info.keys where key != "path" && key != "size" {
      #expect("\(info[key])" == "\(backup[key])", "\(key)")
    }
    #expect(backup["path"].string == copy)
    #expect(
      try logbook.runway("flights", "--json", "--logbook", copy).standardOutput
        == logbook.runway("flights", "--json").standardOutput)
    #expect(try logbook.runway("check", "--logbook", copy).status == 0)
  }

  @Test func `fuel is the file's own, else from weight and distance`() throws {
    let logbook = try LogbookOnDisk()
    try logbook.fly(.alpha)
    #expect(try logbook.latest()["fuel"].isNull)
    #expect(try logbook.runway("logbook", "--weight", "70").status == 0)
    // 1.036 kcal a kilogram and kilometre × 70 kg × 1.2 km = 87.02 kcal.
    #expect(abs((try logbook.latest()["fuel"].double ?? 0) - 87.024) < 0.01)
    let told = EvenRun("told", "2026-06-05T10:00:00Z", speed: 4, seconds: 300, calories: 123)
    try logbook.fly(told)
    #expect(try logbook.latest()["fuel"].double == 123)
    #expect(try logbook.runway("logbook", "--weight", "7").status == 64)
    try logbook.runway("logbook", "--weight", "0")
    #expect(try logbook.runway("logbook", "--json").json()["weight"].isNull)
    #expect(try logbook.latest()["fuel"].double == 123)
  }

  @Test(.enabled(if: SQLiteShell.isInstalled, "needs the sqlite3 shell"))
  func `the example queries run in the sqlite3 shell`() throws {
    let logbook = try LogbookOnDisk()
    let first = try #require(try logbook.fly(.alpha, "--pace", "5:00")["id"].string)
    let second = try #require(try logbook.fly(.beta)["id"].string)
    let lines = try SQLiteShell.run(Readme.exampleSQL, on: logbook.path)
      .split(separator: "\n").map(String.init)
    let points = [
      "\(first)|301|2026-06-01T10:00:00.000Z|100.0", "\(second)|601|2026-06-02T10:00:00.000Z|100.0",
    ]
    #expect(
      lines == [
        "2026-06-01|1|1.2", "2026-06-02|1|1.5",  // 1200 m and 1500 m
        "overspeed|1|250.0",  // 4 m/s throughout
      ] + points.sorted()
        // The latest one's: 2.5 m are 2.5 / 111 319.49° = 0.00002246° of longitude.
        + ["0|0.0|8.0", "1|0.0|8.00002246"])
  }
}

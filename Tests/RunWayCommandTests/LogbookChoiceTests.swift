import Foundation
import Testing

/// Which flights a list, a total or a name means, and what is said where it means none.
@Suite struct LogbookChoiceTests {
  /// Two positions at one time: a distance that took no time, and so has no pace.
  private static let timeless = """
    <gpx version="1.1" creator="tests" xmlns="http://www.topografix.com/GPX/1/1"><trk>
    <name>timeless</name><trkseg>
    <trkpt lat="0" lon="8"><time>2026-06-04T10:00:00Z</time></trkpt>
    <trkpt lat="0" lon="8.0001"><time>2026-06-04T10:00:00Z</time></trkpt>
    </trkseg></trk></gpx>
    """
  private static let undated = """
    <gpx version="1.1" creator="tests" xmlns="http://www.topografix.com/GPX/1/1"><trk>
    <name>undated</name><trkseg>
    <trkpt lat="0" lon="8"/><trkpt lat="0" lon="8.01"/>
    </trkseg></trk></gpx>
    """

  @Test func `flights without a pace come last by pace`() throws {
    let logbook = try LogbookOnDisk()
    try logbook.runway("import", try logbook.folder.write(Self.timeless, to: "t.gpx"))
    try logbook.runway(
      "import", try logbook.folder.write(Self.undated, to: "u.gpx"), "--date", "2026-06-05")
    try logbook.fly(.alpha)
    try logbook.fly(.beta)
    // 250 and 400 s/km, then those without, as they were stored.
    let all = ["Alpha run", "Beta", "timeless", "undated"]
    #expect(try logbook.names(["--sort", "pace"]) == all)
    for limit in 1...4 {
      #expect(try logbook.names(["--sort", "pace", "--limit", "\(limit)"]) == Array(all[..<limit]))
    }
    #expect(try logbook.names(["--sort", "pace", "--until", "2026-06-01"]) == ["Alpha run"])
    for flight in try logbook.runway("flights", "--json").json().array {
      #expect(flight["pace"].isNull == !["Alpha run", "Beta"].contains(flight["name"].string))
    }
  }

  @Test func `a name that nothing bears is said to be unknown`() throws {
    let logbook = try LogbookOnDisk()
    try logbook.fly(.alpha)
    let unknown = [
      (["flights", "--mission", "tempo"], "runway: there is no mission “tempo”\n"),
      (["flights", "--tag", "race", "--json"], "runway: there is no tag “race”\n"),
      (["missions", "tempo"], "runway: there is no mission “tempo”\n"),
    ]
    for (arguments, message) in unknown {
      let result = try logbook.runway(arguments)
      #expect(result.status == 66)
      #expect(result.standardError == message)
      #expect(result.standardOutput == "")
    }
    // Known names that no flight bears are a choice of none.
    try logbook.runway("missions", "tempo", "--pace", "5:00")
    try logbook.runway("tag", "latest", "race")
    try logbook.runway("tag", "latest", "--remove", "race")
    for choice in [["--mission", "TEMPO"], ["--tag", "Race"]] {
      let result = try logbook.runway(["flights"] + choice)
      #expect(result.status == 0)
      #expect(result.standardOutput == "No flight matches.\n")
      #expect(try logbook.names(choice).isEmpty)
    }
  }

  @Test func `a mission that is saved again keeps what is not given`() throws {
    let logbook = try LogbookOnDisk()
    func saved(_ arguments: String...) throws -> [Double?] {
      let result = try logbook.runway(["missions", "Tempo", "--json"] + arguments)
      #expect(result.status == 0, "\(result.standardError)")
      let missions = try result.json().array
      #expect(missions.count == 1)
      let mission = try #require(missions.first)
      return [mission["pace"].double, mission["tolerance"].double, mission["distance"].double]
    }
    #expect(
      try saved("--pace", "5:00", "--tolerance", "8", "--distance", "5km") == [300, 8, 5_000])
    #expect(try saved("--pace", "4:00") == [240, 8, 5_000])
    #expect(try saved("--tolerance", "12") == [240, 12, 5_000])
    #expect(try saved("--distance", "10km") == [240, 12, 10_000])
    try logbook.runway("missions", "easy", "--pace", "6:30")
    #expect(try saved() == [240, 12, 10_000])
    #expect(
      try logbook.runway("missions", "tempo").lines.map { $0.split(separator: " ").first }
        == ["MISSION", "Tempo"])
    #expect(try logbook.runway("missions").lines.count == 3)
    // A tolerance alone makes no mission.
    let nothing = try logbook.runway("missions", "new", "--tolerance", "5")
    #expect(nothing.status == 64)
    #expect(nothing.standardError.contains("a mission needs a target pace: --pace 5:30"))
  }

  @Test func `a mission with a number overridden is another mission`() throws {
    let logbook = try LogbookOnDisk()
    try logbook.runway("missions", "tempo", "--pace", "5:00", "--tolerance", "8")
    func count() throws -> Int? {
      try logbook.runway("missions", "tempo", "--json").json()[0]["flightCount"].int
    }
    let overridden = try logbook.fly(.alpha, "--mission", "tempo", "--pace", "4:10")
    #expect(overridden["mission"]["pace"].double == 250)
    #expect(overridden["mission"]["tolerance"].double == 8)
    #expect(try count() == 0)
    // The same number as the saved one overrides nothing.
    try logbook.fly(.beta, "--mission", "tempo", "--pace", "5:00")
    #expect(try count() == 1)
    try logbook.runway("replay", "--flight", "latest", "--store")
    #expect(try count() == 1)
    try logbook.runway("replay", "--flight", "latest", "--store", "--pace", "6:00")
    #expect(try count() == 0)
    #expect(
      try logbook.runway("flights", "--mission", "tempo").standardOutput == "No flight matches.\n")
  }

  @Test func `what belongs together is found from either end`() throws {
    let logbook = try LogbookOnDisk()
    try logbook.runway("missions", "tempo", "--pace", "5:00")
    let first = try #require(try logbook.fly(.alpha, "--mission", "tempo")["id"].string)
    let second = try #require(try logbook.fly(.beta, "--mission", "tempo")["id"].string)
    try logbook.fly(.alphabet)
    try logbook.runway("tag", first, "race", "hills")
    try logbook.runway("tag", second, "race")

    // Flight → alerts, and alert → flight.
    let days = try logbook.runway("alerts", "--json").json()["days"].array
    let alerts = days.flatMap { $0["alerts"].array }
    #expect(Set(alerts.map { $0["flightID"].string }) == [first, second])
    for alert in alerts {
      let flight = try logbook.runway("show", alert["flightID"].string ?? "", "--json").json()
      #expect(flight["alerts"].array.map { $0["id"].string }.contains(alert["id"].string))
      #expect(flight["alertCount"].int == flight["alerts"].array.count)
    }
    // Flight → tags, and tag → flights.
    #expect(
      try logbook.runway("tag", first, "--json").json()["tags"].array.map(\.string)
        == ["hills", "race"])
    #expect(try logbook.names(["--tag", "race"]) == ["Beta", "Alpha run"])
    #expect(try logbook.names(["--tag", "hills"]) == ["Alpha run"])
    // Flight → mission, and mission → flights.
    #expect(try logbook.runway("show", first).standardOutput.contains("(tempo)"))
    #expect(try logbook.names(["--mission", "tempo"]) == ["Beta", "Alpha run"])
    #expect(try logbook.runway("missions", "tempo", "--json").json()[0]["flightCount"].int == 2)
  }

  @Test func `a flight tells its tags`() throws {
    let logbook = try LogbookOnDisk()
    try logbook.fly(.alpha)
    try logbook.runway("tag", "latest", "race", "hills")
    let text = try logbook.runway("tag", "latest")
    #expect(text.status == 0)
    #expect(text.lines.contains("Tags    hills, race"))
    let flight = try logbook.runway("tag", "latest", "--json").json()
    #expect(flight["tags"].array.map(\.string) == ["hills", "race"])
    #expect(try logbook.runway("tag", "latest", "--remove").status == 64)
    #expect(try logbook.runway("tag", "ffffffff").status == 66)
  }

  @Test(.enabled(if: SQLiteShell.isInstalled, "needs the sqlite3 shell"))
  func `an edit is all or nothing`() throws {
    let logbook = try LogbookOnDisk()
    try logbook.fly(.alpha)
    for column in ["name", "notes", "type"] {
      // A logbook that refuses one of the three.
      try SQLiteShell.run(
        """
        CREATE TRIGGER refusal BEFORE UPDATE OF \(column) ON flight
        BEGIN SELECT raise(ABORT, 'refused'); END
        """, on: logbook.path)
      let before = try logbook.runway("show", "latest").standardOutput
      let edit = try logbook.runway(
        "edit", "latest", "--name", "other", "--notes", "other", "--type", "other")
      #expect(edit.status == 74)
      #expect(try logbook.runway("show", "latest").standardOutput == before, "\(column)")
      try SQLiteShell.run("DROP TRIGGER refusal", on: logbook.path)
    }
  }

  @Test func `totals, best efforts and what stands above the list obey the filter`() throws {
    let logbook = try LogbookOnDisk()
    let now = Date(timeIntervalSince1970: Date().timeIntervalSince1970.rounded(.down))
    try logbook.fly(EvenRun("now", start: now, speed: 3, seconds: 200))
    try logbook.fly(.alpha)
    try logbook.fly(.beta)

    func fastestKilometre(_ filter: String...) throws -> Double? {
      let efforts = try logbook.runway(["stats", "--json"] + filter).json()["bestEfforts"].array
      return efforts.first { $0["name"].string == "1 km" }?["elapsedTime"].double?.rounded()
    }
    // 4 m/s and 2.5 m/s.
    #expect(try fastestKilometre() == 250)
    #expect(try fastestKilometre("--since", "2026-06-02", "--until", "2026-06-02") == 400)
    let future = try logbook.runway("stats", "--since", "2099-01-01", "--json").json()
    #expect(future["periods"].array.isEmpty)
    #expect(future["bestEfforts"].array.isEmpty)
    #expect(
      try logbook.runway("stats", "--since", "2099-01-01").standardOutput == "No flight matches.\n")
    let empty = try LogbookOnDisk()
    #expect(
      try empty.runway("stats").standardOutput
        == "No flights. “runway import PATH” brings some in.\n")

    #expect(try logbook.runway("flights").standardOutput.hasPrefix("Today"))
    #expect(try logbook.runway("flights", "--limit", "1").standardOutput.hasPrefix("Today"))
    for filter in [["--name", "Beta"], ["--until", "2026-06-02"], ["--max-distance", "1km"]] {
      #expect(
        try logbook.runway(["flights"] + filter).standardOutput.hasPrefix("DATE"), "\(filter)")
    }
  }

  @Test func `a logbook's flight is stored again by force`() throws {
    let logbook = try LogbookOnDisk()
    let id = try #require(try logbook.fly(.alpha, "--pace", "5:00")["id"].string)
    try logbook.runway("tag", "latest", "race")
    let document = logbook.folder.path("run.runway")
    try logbook.runway("export", "latest", "--format", "logbook", "-o", document)
    func importing(_ options: String...) throws -> [JSONValue] {
      let result = try logbook.runway(["import", document, "--json"] + options)
      #expect(result.status == 0)
      return try result.jsonLines()
    }
    let known = try importing("--dry-run")
    #expect(known.map { $0["status"].string } == ["duplicate"])
    #expect(known.map { $0["flight"]["id"].string } == [id])
    #expect(try importing("--dry-run", "--force").map { $0["status"].string } == ["imported"])
    #expect(try logbook.flightCount() == 1)

    let forced = try importing("--force")
    #expect(forced.map { $0["status"].string } == ["imported"])
    let copy = try #require(forced.first?["flight"]["id"].string)
    #expect(copy != id)
    #expect(try logbook.flightCount() == 2)
    #expect(
      try logbook.runway("export", copy, "--format", "json").standardOutput
        .replacing(copy, with: id)
        == logbook.runway("export", id, "--format", "json").standardOutput)
    #expect(try logbook.runway("check").status == 0)
    // What is not there keeps its identity.
    let other = try LogbookOnDisk()
    try other.runway("import", document, "--force")
    #expect(try other.latest()["id"].string == id)
  }
}

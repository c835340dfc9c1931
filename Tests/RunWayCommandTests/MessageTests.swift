import Foundation
import Testing

/// What the command says where it cannot do, or only in part, as it was told.
@Suite struct MessageTests {
  // MARK: Command lines

  static let wrongCalls: [([String], String)] = [
    (["import", ""], "“runway import” takes a path, not nothing"),
    (["replay", ""], "“runway replay” takes a path, not nothing"),
    (["backup", ""], "“runway backup” takes a path, not nothing"),
    (["export", "latest", "-o", ""], "--output takes a path, not nothing"),
    (["flights", "--logbook", ""], "--logbook takes a path, not nothing"),
    (["import", "--m", "5", "x"], "“--m” may mean --mission, --max-speed"),
    (["import", "--dry-run=yes", "x"], "--dry-run takes no value"),
    (["import", "--pace"], "--pace needs a value"),
    (["export", "latest", "-o"], "-o needs a value"),
    (["import", "--pace", "3", "x"], "--pace takes a pace such as 5:30, not “3”"),
    (["flights", "--pace-under", "5.5"], "--pace-under takes a pace such as 5:30, not “5.5”"),
    (["import", "--paces", "x"], "unknown option “--paces”"),
    (["flights", "-x"], "unknown option “-x”"),
    (["flights", "--limit", "-1"], "--limit takes a whole number of 0 or more, not “-1”"),
    (["flights", "--min-distance", "-1"], "--min-distance takes a distance such as 5km, not “-1”"),
    (["fly"], "there is no command “fly”"),
    (["help", "fly"], "there is no command “fly”"),
    (["--verbose"], "unknown option “--verbose”"),
    (["replay", "--flight", "latest", "--speed", "10"], "--speed does not go with --flight"),
    (["replay", "--flight", "latest", "run.gpx"], "--flight goes with no path"),
    (["replay", "--resume", "--no-store"], "--no-store does not go with --resume"),
  ]

  @Test(arguments: wrongCalls)
  func `a wrong call says what is wrong with it`(arguments: [String], message: String) throws {
    let result = try LogbookOnDisk().runway(arguments)
    let lines = result.standardError.split(separator: "\n").map(String.init)
    #expect(result.status == 64)
    #expect(result.standardOutput == "")
    try #require(lines.count == 3)
    #expect(lines[0] == "runway: \(message)")
    #expect(lines[1].hasPrefix("Usage: runway "))
    #expect(lines[2].hasPrefix("See “runway ") && lines[2].hasSuffix("--help”."))
  }

  @Test(arguments: [
    ["--min-distance", "0"], ["--limit", "99999999999999999999999"],
    ["--limit", "9223372036854775807"],
  ])
  func `a bound that leaves nothing out is one`(options: [String]) throws {
    let logbook = try LogbookOnDisk()
    try logbook.runway("import", Fixture.path("stops.gpx"))
    let all = try logbook.runway("flights", "--json").standardOutput
    #expect(try logbook.runway(["flights", "--json"] + options).standardOutput == all)
  }

  // MARK: Files and folders

  @Test func `a logbook that cannot be made says why`() throws {
    // Nothing can be made in /proc, not even by root.
    let result = try RunwayProcess.run(
      ["import", "--logbook", "/proc/logbook.sqlite", Fixture.path("stops.gpx")])
    #expect(result.status == 74)
    #expect(
      result.standardError
        == "runway: /proc/logbook.sqlite cannot be opened: No such file or directory\n")
  }

  @Test(.enabled(if: SQLiteShell.isInstalled, "needs the sqlite3 shell"))
  func `a foreign database is named once`() throws {
    let logbook = try LogbookOnDisk()
    let path = logbook.folder.path("foreign.sqlite")
    _ = try SQLiteShell.run("CREATE TABLE other (column)", on: path)
    let result = try logbook.runway("import", path)
    #expect(result.status == 65)
    #expect(
      result.standardError == "\(path): it is a database of another program, not a logbook\n")
  }

  @Test(arguments: ["import", "replay"])
  func `a source that is not there is named, and nothing else`(command: String) throws {
    let logbook = try LogbookOnDisk()
    let path = logbook.folder.path("nowhere.gpx")
    let result = try logbook.runway(command, path)
    #expect(result.status == 66)
    #expect(result.standardError == "\(path): No such file or directory\n")
  }

  @Test func `text is neither GPX nor NMEA, and no more is said`() throws {
    let path = Fixture.path("words.txt")
    let result = try LogbookOnDisk().runway("import", path)
    #expect(result.status == 65)
    #expect(result.standardError == "\(path): neither GPX nor NMEA\n")
  }

  /// A `$` and capitals are no sentence.
  @Test func `a script and a bill are neither GPX nor NMEA, and passed over in a folder`() throws {
    let logbook = try LogbookOnDisk()
    let folder = try TemporaryFolder()
    try folder.write("cost $100\n", to: "bill.txt")
    try folder.write("#!/bin/sh\necho $HOME\n", to: "run.sh")
    #expect(try logbook.runway("import", folder.path).status == 0)
    let result = try logbook.runway("import", folder.path("bill.txt"))
    #expect(result.status == 65)
    #expect(result.standardError == "\(folder.path("bill.txt")): neither GPX nor NMEA\n")
  }

  @Test(arguments: [[], ["--json"]])
  func `a folder without a track says so`(options: [String]) throws {
    let logbook = try LogbookOnDisk()
    let folder = try TemporaryFolder()
    for content in [nil, "Dear diary, I ran.\n"] {
      if let content { try folder.write(content, to: "diary.txt") }
      let result = try logbook.runway(["import"] + options + [folder.path])
      #expect(result.status == 0)
      #expect(result.standardError == "no GPX or NMEA file in \(folder.path)\n")
    }
  }

  @Test func `a link that leads nowhere is passed over in a folder, and fails by itself`() throws {
    let logbook = try LogbookOnDisk()
    let folder = try TemporaryFolder()
    try FileManager.default.copyItem(
      atPath: Fixture.path("stops.gpx"), toPath: folder.path("run.gpx"))
    let link = folder.path("gone.gpx")
    try FileManager.default.createSymbolicLink(
      atPath: link, withDestinationPath: folder.path("nothing"))
    let result = try logbook.runway("import", "--json", folder.path)
    #expect(result.status == 0)
    #expect(result.standardError == "\(link): passed over: a link that leads nowhere\n")
    #expect(try result.jsonLines().map { $0["status"].string } == ["skipped", "imported"])
    #expect(try logbook.runway("import", link).status == 66)
  }

  @Test func `what came by a pipe came from standard input`() throws {
    let logbook = try LogbookOnDisk()
    try logbook.runway("import", "-", input: Data(EvenRun.alpha.gpx.utf8))
    let shown = try logbook.runway("show", "latest")
    #expect(shown.lines.contains { $0.hasSuffix("  standard input, gpx, tests") })
    #expect(try logbook.latest()["source"]["path"].string == "-")
  }

  /// Seven sentences are bad, and five are named.
  @Test(arguments: [[], ["--dry-run"]])
  func `a log of nothing but rejected sentences names the first few`(options: [String]) throws {
    let logbook = try LogbookOnDisk()
    let gga = "$GPGGA,063000,5551.6000,N,00415.0000,W,1,08,1.1,84.2,M,39.0,M,,"
    let path = try logbook.folder.write(
      "\(gga)*ZZ\n\(gga)*00\n\(gga)\(gga)*4\n\n\(gga)\(gga)*ZZ\n\(gga)*ZZ\n", to: "bad.nmea")
    let result = try logbook.runway(["import"] + options + [path])
    #expect(result.status == 65)
    let sum = String(gga.dropFirst().utf8.reduce(0, ^), radix: 16, uppercase: true)
    #expect(
      result.standardError == """
        \(path):1: the checksum of GGA is not two hexadecimal digits
        \(path):2: the checksum is \(sum), not 00
        \(path):3: GGA is cut short
        \(path):3: the checksum of GGA is not two hexadecimal digits
        \(path):5: GGA is cut short
        \(path): no valid fix; rejected: 5 with a wrong checksum, 2 cut short

        """)
  }

  @Test func `a GPX without a time names the times that cannot be read`() throws {
    let logbook = try LogbookOnDisk()
    let path = try logbook.folder.write(
      """
      <gpx version="1.1" creator="tests"><trk><trkseg>
      <trkpt lat="48" lon="9"><time>noon</time></trkpt>
      <trkpt lat="48" lon="9.1"><time>one</time></trkpt>
      </trkseg></trk></gpx>
      """, to: "run.gpx")
    let result = try logbook.runway("import", path)
    #expect(result.status == 65)
    #expect(
      result.standardError == """
        \(path):2: time “noon” can't be read
        \(path):3: time “one” can't be read
        \(path): none of its points bears a time; --date stores it as distance only

        """)
  }

  @Test func `an archive in an archive is called one`() async throws {
    let folder = try TemporaryFolder()
    let result = try await script(
      """
      gzip < "$RUN" | gzip > "$1/twice.gz"
      "$RUNWAY" import "$1/twice.gz"
      """, folder: folder)
    #expect(result.status == 65)
    #expect(
      result.standardError
        == "\(folder.path("twice.gz")): neither GPX nor NMEA: its content is a gzip archive again\n"
    )
  }

  // MARK: Numbers for people

  /// 100 m in 700 s are 7000 s/km, 116:40, which is nobody's pace.
  @Test func `a pace of 100 minutes and more is none`() throws {
    let logbook = try LogbookOnDisk()
    // 0.0009 degrees of latitude are 99.5 m at the equator (110 574 m a degree).
    let points = (0...7).map { step in
      """
      <trkpt lat="\(String(format: "%.6f", 0.0009 * Double(step) / 7))" lon="9">\
      <time>2026-06-01T10:\(String(format: "%02d:%02d", step * 100 / 60, step * 100 % 60))Z</time></trkpt>
      """
    }
    let path = try logbook.folder.write(
      """
      <gpx version="1.1" creator="tests"><trk><trkseg>\(points.joined())</trkseg></trk></gpx>
      """, to: "slow.gpx")
    try logbook.runway("import", path)
    // The first 5 s keep the first step out of standing still, so that there is a distance and a time.
    let flight = try logbook.runway("show", "latest", "--json").json()
    let pace = try #require(flight["pace"].double)
    try #require(pace >= 6_000)
    let list = try logbook.runway("flights").lines
    #expect(list.last?.contains(":") == true)
    #expect(list.last?.contains("/km") == false)
    let row = try #require(list.last).split(separator: " ").map(String.init)
    let head = try #require(list.first { $0.hasPrefix("DATE") }).split(separator: " ")
    let column = try #require(head.firstIndex(of: "PACE"))
    // A date and its time of day are two words.
    #expect(row[column + 1] == "–")
  }

  @Test func `heights are feet throughout with imperial units`() throws {
    let logbook = try LogbookOnDisk()
    try logbook.runway("import", Fixture.path("ten-kilometres.gpx"))
    func climb(_ units: String) throws -> String? {
      try logbook.runway("show", "latest", "--units", units).lines.first { $0.hasPrefix("Climb") }
    }
    #expect(try climb("metric")?.hasSuffix(" m  (steps of 5 m or more)") == true)
    // 5 m ÷ 0.3048 m/ft = 16.4 ft.
    #expect(try climb("imperial")?.hasSuffix(" ft  (steps of 16 ft or more)") == true)
  }

  @Test func `whole numbers stand without a point in CSV`() throws {
    let logbook = try LogbookOnDisk()
    let path = try logbook.folder.write(
      """
      <gpx version="1.1" creator="tests"><trk><trkseg>
      <trkpt lat="48" lon="9.5"><ele>164.0</ele><time>2026-06-01T10:00:00Z</time></trkpt>
      <trkpt lat="48.0001" lon="9.50"><ele>164.25</ele><time>2026-06-01T10:00:10Z</time></trkpt>
      </trkseg></trk></gpx>
      """, to: "run.gpx")
    try logbook.runway("import", path)
    let rows = try logbook.runway("export", "latest", "--format", "csv").standardOutput
      .components(separatedBy: "\r\n").dropFirst().map { $0.components(separatedBy: ",") }
    try #require(rows.count == 3)
    #expect(rows[0][3...6] == ["48", "9.5", "164", "2026-06-01T10:00:00Z"])
    #expect(rows[1][3...6] == ["48.0001", "9.5", "164.25", "2026-06-01T10:00:10Z"])
  }

  // MARK: Midnight

  /// A zone in which it is seven seconds to midnight, by the C library's notation.
  private static func zoneBeforeMidnight() -> String {
    let time = Int(Date().timeIntervalSince1970) % 86_400
    var east = 86_393 - time
    if east > 43_200 { east -= 86_400 }
    let size = abs(east)
    // Its sign is that of the west.
    return String(
      format: "TST%@%d:%02d:%02d", east < 0 ? "+" : "-", size / 3_600, size / 60 % 60, size % 60)
  }

  @Test func `what was flown today was flown yesterday once midnight has passed`() async throws {
    let logbook = try LogbookOnDisk()
    let formatter = ISO8601DateFormatter()
    let points = (0..<60).map { second in
      let time = formatter.string(from: Date() - 3_600 + Double(second))
      return "<trkpt lat=\"0\" lon=\"\(9 + Double(second) / 40_000)\"><time>\(time)</time></trkpt>"
    }
    let path = try logbook.folder.write(
      """
      <gpx version="1.1" creator="tests"><trk><trkseg>\(points.joined())</trkseg></trk></gpx>
      """, to: "run.gpx")
    try logbook.runway("import", path)
    let environment = ["RUNWAY_LOGBOOK": logbook.path, "TZ": Self.zoneBeforeMidnight()]
    let flights = try RunningProcess(["flights", "--watch"], environment: environment)
    let today = try RunningProcess(
      ["flights", "--watch", "--json", "--since", "today"], environment: environment)
    #expect(await flights.line(within: .seconds(6)) { $0.hasPrefix("Today 22:59") } != nil)
    #expect(await today.line(within: .seconds(6)) { $0.hasPrefix("[{") } != nil)
    #expect(await flights.line(within: .seconds(12)) { $0.hasPrefix("Yesterday 22:59") } != nil)
    #expect(await today.line(within: .seconds(5)) { $0 == "[]" } != nil)
    for watcher in [flights, today] {
      watcher.kill(SIGINT)
      #expect(await watcher.end() != nil)
    }
  }
}

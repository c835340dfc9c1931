import Foundation
import Testing

/// Exports, as other programs see them.
@Suite struct ExportTests {
  private static let mission = ["--pace", "5:30", "--tolerance", "15", "--distance", "10km"]

  /// A logbook with one fixture.
  private func logbook(of fixtures: String..., options: [String] = mission) throws -> LogbookOnDisk
  {
    let logbook = try LogbookOnDisk()
    let paths = fixtures.map { Fixture.path($0) }
    try #require(logbook.runway(["import"] + options + paths).status == 0)
    return logbook
  }

  private static func isInstalled(_ program: String) -> Bool {
    FileManager.default.isExecutableFile(atPath: "/usr/bin/\(program)")
  }

  /// Runs another program to its end.
  private func run(_ program: String, _ arguments: [String], log: String) throws -> Int32 {
    try Data().write(to: URL(fileURLWithPath: log))
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    process.standardOutput = FileHandle(forWritingAtPath: log)
    process.standardError = process.standardOutput
    try process.run()
    process.waitUntilExit()
    return process.terminationStatus
  }

  /// How often a text holds another.
  private func count(_ part: String, in text: String) -> Int {
    text.components(separatedBy: part).count - 1
  }

  @Test(.enabled(if: isInstalled("xmllint"), "needs xmllint"))
  func `a GPX export is valid against the schema`() throws {
    let logbook = try logbook(
      of: "ten-kilometres.gpx", "ten-kilometres.nmea", "gpx-1.0.gpx", "stops.gpx", "latin-1.gpx")
    let export = logbook.folder.path("export.gpx")
    try #require(logbook.runway("export", "--all", "-o", export).status == 0)
    let schema = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("Schemas/gpx-1.1.xsd").path
    let log = logbook.folder.path("log")
    let status = try run(
      "/usr/bin/xmllint", ["--noout", "--schema", schema, export], log: log)
    #expect(status == 0, "\((try? String(contentsOfFile: log, encoding: .utf8)) ?? "")")
  }

  @Test(.enabled(if: isInstalled("gpsbabel"), "needs GPSBabel"))
  func `GPSBabel finds the points of a GPX export`() throws {
    // 3316 and 1157 points by the fixtures' expected.json.
    let logbook = try logbook(of: "ten-kilometres.gpx", "stops.gpx")
    let export = logbook.folder.path("export.gpx")
    try #require(logbook.runway("export", "--all", "-o", export).status == 0)
    let table = logbook.folder.path("points.csv")
    let status = try run(
      "/usr/bin/gpsbabel", ["-t", "-i", "gpx", "-f", export, "-o", "unicsv", "-F", table],
      log: logbook.folder.path("log"))
    #expect(status == 0)
    let rows = try String(contentsOfFile: table, encoding: .utf8)
      .split(whereSeparator: \.isNewline)
    #expect(rows.count == 1 + 3_316 + 1_157)
  }

  @Test func `points without times get none`() throws {
    let logbook = try logbook(of: "untimed.gpx", options: ["--date", "2026-06-09T12:00Z"])
    let gpx = try logbook.runway("export", "latest").standardOutput
    #expect(count("<trkpt ", in: gpx) == 200)
    #expect(!gpx.contains("<time>"))
  }

  @Test func `an undated track comes back at the date it was given`() throws {
    let logbook = try logbook(of: "untimed.gpx", options: ["--date", "2026-06-09T06:30+09:00"])
    let export = logbook.folder.path("export.gpx")
    try #require(logbook.runway("export", "latest", "-o", export).status == 0)
    let known = try logbook.runway("import", export, "--json").jsonLines()
    #expect(known.map { $0["status"].string } == ["duplicate"])
    let forced = try logbook.runway("import", export, "--json", "--force").jsonLines()
    #expect(forced.map { $0["status"].string } == ["imported"])
    for flight in try logbook.runway("flights", "--json").json().array {
      // 06:30 in a zone nine hours ahead.
      #expect(flight["startedAt"].string == "2026-06-08T21:30:00Z")
      #expect(flight["endedAt"].isNull && flight["movingTime"].isNull)
    }
    // A date that is given wins over the one that is told.
    let other = try LogbookOnDisk()
    try other.runway("import", export, "--date", "2020-01-02T00:00Z")
    #expect(
      try other.runway("show", "latest", "--json").json()["startedAt"].string
        == "2020-01-02T00:00:00Z")
    let replayed = try LogbookOnDisk()
    #expect(try replayed.runway("replay", export).status == 0)
    #expect(
      try replayed.runway("show", "latest", "--json").json()["startedAt"].string
        == "2026-06-08T21:30:00Z")
  }

  @Test(.enabled(if: isInstalled("xmllint"), "needs xmllint"))
  func `the 180th meridian is within the schema, and comes back to the last digit`() throws {
    // Every way for a point to be: alone, again and again alike, with sensors and without.
    let longitudes = ["179.9999", "180", "-180", "180.0", "180", "-179.9999", "180", "180"]
    let points = longitudes.enumerated().map { index, longitude in
      """
      <trkpt lat="0.\(index)" lon="\(longitude)"><time>2026-06-09T06:30:0\(index)Z</time>\
      \(index > 5 ? "<extensions><hr>140</hr></extensions>" : "")</trkpt>
      """
    }
    let logbook = try LogbookOnDisk()
    let source = try logbook.folder.write(
      """
      <gpx version="1.1" creator="tests" xmlns="http://www.topografix.com/GPX/1/1"><trk><trkseg>
      \(points.joined(separator: "\n"))
      </trkseg></trk></gpx>
      """, to: "meridian.gpx")
    let export = logbook.folder.path("export.gpx")
    try #require(logbook.runway("import", source).status == 0)
    try #require(logbook.runway("export", "latest", "-o", export).status == 0)
    let schema = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("Schemas/gpx-1.1.xsd").path
    let log = logbook.folder.path("log")
    #expect(
      try run("/usr/bin/xmllint", ["--noout", "--schema", schema, export], log: log) == 0,
      "\((try? String(contentsOfFile: log, encoding: .utf8)) ?? "")")
    let text = try String(contentsOfFile: export, encoding: .utf8)
    // The same meridian for those who read no extension.
    #expect(count("lon=\"-180\"", in: text) == 6)

    let target = try LogbookOnDisk()
    try #require(target.runway("import", export).status == 0)
    for coordinates in try [logbook, target].map({
      try $0.runway("export", "latest", "--format", "json").json()["coordinates"].array
    }) {
      #expect(coordinates.map { $0["longitude"].double } == longitudes.map { Double($0) })
    }
    let known = try logbook.runway("import", export, "--json").jsonLines()
    #expect(known.map { $0["status"].string } == ["duplicate"])
  }

  // The fixture has 2 points out of range, 3 duplicates, 4 that go back and a spike of 2.
  @Test func `points that don't count are given back`() throws {
    let fixture = try String(contentsOfFile: Fixture.path("stray-points.gpx"), encoding: .utf8)
    let logbook = try logbook(of: "stray-points.gpx", options: [])
    let flight = try logbook.runway("export", "latest", "--format", "json").json()
    let valid = count("<trkpt ", in: fixture) - 2
    let gpx = try logbook.runway("export", "latest").standardOutput
    #expect(count("<trkpt ", in: gpx) == valid)
    #expect(flight["coordinates"].array.count == valid)
    #expect(flight["coordinates"].array.count { $0["discarded"].string != nil } == 3 + 4 + 2)
  }

  @Test func `the speed of a spike travels along`() throws {
    let logbook = try logbook(of: "stray-points.gpx", options: ["--max-speed", "9.25"])
    let export = logbook.folder.path("export.gpx")
    try #require(logbook.runway("export", "latest", "-o", export).status == 0)
    let target = try LogbookOnDisk()
    try #require(target.runway("import", export).status == 0)
    #expect(
      try target.runway("export", "latest", "--format", "json").json()["maxSpeed"].double == 9.25)
  }

  @Test func `GeoJSON is cut at the 180th meridian`() throws {
    let logbook = try logbook(of: "date-line.gpx")
    let collection = try logbook.runway("export", "latest", "--format", "geojson").json()
    #expect(collection["type"].string == "FeatureCollection")
    let feature = collection["features"][0]
    #expect(feature["geometry"]["type"].string == "MultiLineString")
    let lines = feature["geometry"]["coordinates"].array
    // There and back.
    #expect(lines.count == 3)
    for line in lines {
      let longitudes = line.array.compactMap { $0[0].double }
      #expect(longitudes.count == line.array.count)
      #expect(line.array.allSatisfy { $0.array.count == 3 && abs($0[1].double ?? 91) <= 90 })
      #expect(zip(longitudes, longitudes.dropFirst()).allSatisfy { abs($0 - $1) <= 180 })
    }
    let times = feature["properties"]["coordTimes"].array
    #expect(times.map(\.array.count) == lines.map(\.array.count))
    // 555 points, and two more at each cut.
    #expect(lines.reduce(0) { $0 + $1.array.count } == 555 + 4)
    #expect(times.flatMap(\.array).count { $0.isNull } == 4)
  }

  @Test func `CSV has a header with units and a row a location`() throws {
    let logbook = try logbook(of: "stops.gpx", "smart-recording.gpx")
    let text = try logbook.runway("export", "--all", "--format", "csv").standardOutput
    let rows = text.components(separatedBy: "\r\n")
    #expect(rows.last == "")
    #expect(rows.dropLast().allSatisfy { !$0.unicodeScalars.contains("\n") })
    #expect(rows.count == 1 + 1_157 + 68 + 1)
    let columns = rows[0].split(separator: ",")
    for column in ["latitude (degrees)", "altitude (m)", "time (UTC)", "speed (m/s)"] {
      #expect(columns.contains { $0 == column })
    }
    #expect(rows.dropLast().allSatisfy { count(",", in: $0) == columns.count - 1 })
  }

  @Test func `JSON is one object for a flight and an array for several`() throws {
    let logbook = try logbook(of: "ten-kilometres.gpx", "smart-recording.gpx")
    let shown = try logbook.runway("show", "latest", "--json").json()
    let flight = try logbook.runway("export", "latest", "--format", "json").json()
    #expect(flight.keys == shown.keys.union(["coordinates"]))
    #expect(
      flight["coordinates"][0].keys == [
        "order", "segment", "latitude", "longitude", "altitude", "time", "speed", "course", "hdop",
        "heartRate", "cadence", "power", "discarded",
      ])
    #expect(try logbook.runway("export", "--all", "--format", "json").json().array.count == 2)
  }

  @Test func `a logbook of its own holds the same flights`() throws {
    let logbook = try logbook(of: "ten-kilometres.gpx", "stops.gpx")
    let document = logbook.folder.path("runs.runway")
    try #require(
      logbook.runway("export", "--all", "--format", "logbook", "-o", document).status == 0)
    let target = try LogbookOnDisk()
    try #require(target.runway("import", document).status == 0)
    let arguments = ["export", "--all", "--format", "json"]
    #expect(
      try target.runway(arguments).standardOutput == logbook.runway(arguments).standardOutput)
  }

  @Test func `several flights are written in the order they are named in`() throws {
    let logbook = try logbook(of: "ten-kilometres.gpx", "stops.gpx", "smart-recording.gpx")
    let ids = try logbook.runway("flights", "--json").json().array.compactMap { $0["id"].string }
    try #require(ids.count == 3)
    let named = [ids[2], ids[0]]
    func export(_ format: String) throws -> RunwayProcess.Result {
      try logbook.runway(["export", "--format", format] + named)
    }
    #expect(try export("json").json().array.map { $0["id"].string } == named)
    #expect(try export("gpx").standardOutput.components(separatedBy: "<trk>").count == 3)
    #expect(try export("geojson").json()["features"].array.count == 2)
    let rows = try export("csv").standardOutput.components(separatedBy: "\r\n").dropFirst()
    var flights: [String] = []
    for row in rows where !row.isEmpty {
      let id = String(row.prefix { $0 != "," })
      if flights.last != id { flights.append(id) }
    }
    #expect(flights == named)
    let absent = try logbook.runway("export", ids[0], "nobody")
    #expect(absent.status == 66)
    #expect(absent.standardOutput == "")
  }

  @Test(arguments: [
    ["export", "latest", "-o"], ["export", "--format", "logbook", "--all", "-o"], ["backup"],
  ])
  func `the logbook is never written over by what is made of it`(arguments: [String]) throws {
    let logbook = try logbook(of: "stops.gpx")
    let link = logbook.folder.path("link")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: logbook.path)
    for path in [logbook.path, link] {
      let result = try logbook.runway(arguments + [path])
      #expect(result.status == 74)
      #expect(result.standardError == "runway: \(path) is the logbook itself\n")
    }
    #expect(try logbook.flightCount() == 1)
    #expect(try logbook.runway("check").status == 0)
  }

  @Test func `a backup takes the place of nothing but a logbook`() throws {
    let logbook = try logbook(of: "stops.gpx")
    let file = try logbook.folder.write("before", to: "letter.txt")
    let device = try logbook.runway("backup", "/dev/null")
    #expect(device.status == 74)
    #expect(device.standardError == "runway: /dev/null cannot be written: it is no regular file\n")
    let letter = try logbook.runway("backup", file)
    #expect(letter.status == 74)
    #expect(
      letter.standardError == "runway: \(file) is not replaced: it is there, and no logbook\n")
    #expect(try String(contentsOfFile: file, encoding: .utf8) == "before")
    let folder = try logbook.runway("backup", logbook.folder.path)
    #expect(folder.status == 74)
    let nowhere = try logbook.runway("backup", logbook.folder.path("none/copy.sqlite"))
    #expect(nowhere.status == 74)
    #expect(nowhere.standardError.contains("there is no folder"))
    // Its own kind, and what is empty, may go.
    let copy = try logbook.folder.write("", to: "copy.sqlite")
    for _ in 0..<2 { #expect(try logbook.runway("backup", copy).status == 0) }
    #expect(try logbook.runway("flights", "--logbook", copy, "--json").json().array.count == 1)
  }

  @Test func `an export that fails leaves the file as it was`() throws {
    let logbook = try logbook(of: "ten-kilometres.gpx")
    let folder = try TemporaryFolder()
    let file = try folder.write("before", to: "run.gpx")
    #expect(try logbook.runway("export", "nobody", "-o", file).status != 0)
    // 128 blocks of 512 bytes are too few for the export's 700 kB.
    let status = try run(
      "/bin/sh",
      [
        "-c", "trap '' XFSZ; ulimit -f 128; exec \"$0\" \"$@\"", RunwayProcess.executable, "export",
        "--logbook", logbook.path, "latest", "-o", file,
      ], log: logbook.folder.path("log"))
    #expect(status == 74)
    #expect(try String(contentsOfFile: file, encoding: .utf8) == "before")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["run.gpx"])
    #expect(try logbook.runway("export", "latest", "-o", folder.path("none/run.gpx")).status == 74)
    #expect(try logbook.runway("export", "latest", "-o", file).status == 0)
    let content = try String(contentsOfFile: file, encoding: .utf8)
    #expect(try logbook.runway("export", "latest", "-o", "-").standardOutput == content)
  }

  @Test(arguments: [
    ["export"], ["export", "--all", "latest"], ["export", "--all", "--format", "logbook"],
    ["export", "latest", "--format", "fit"],
  ])
  func `what makes no sense is a usage error`(arguments: [String]) throws {
    let logbook = try logbook(of: "smart-recording.gpx")
    let result = try logbook.runway(arguments)
    #expect(result.status == 64)
    #expect(result.standardOutput.isEmpty)
  }
}

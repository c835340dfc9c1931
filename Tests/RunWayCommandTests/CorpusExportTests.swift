import Foundation
import Testing

/// What becomes of the corpus's flights in other programs, which read their exports.
@Suite(.enabled(if: Corpus.isPresent)) struct `Exports of the corpus` {
  /// Every flight of the corpus in every format, from one import with a mission, so that alerts are among them.
  private static let exports = Result {
    let logbook = try LogbookOnDisk()
    let options = [
      "--force", "--date", "2026-06-09T12:00Z", "--pace", "5:30", "--tolerance", "15",
      "--distance", "5km",
    ]
    // Some of the corpus is broken, and meant to be.
    try #require(logbook.runway(["import"] + options + [Corpus.folder ?? ""]).status == 1)
    try #require(logbook.flightCount() > 200)
    var exports: [String: String] = [:]
    for format in ["gpx", "geojson", "csv", "json"] {
      let result = try logbook.runway("export", "--all", "--format", format)
      try #require(result.status == 0)
      exports[format] = result.standardOutput
    }
    return exports
  }

  /// What the logbook holds, from the CSV export: a flight an element, and in it a segment an element.
  private static let stored = Result {
    try Point.flights(inRowsOf: #require(exports.get()["csv"]))
  }

  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private static func isInstalled(_ program: String) -> Bool {
    FileManager.default.isExecutableFile(atPath: "/usr/bin/\(program)")
  }

  private func file(_ format: String) throws -> String {
    try folder.write(#require(Self.exports.get()[format]), to: "export.\(format)")
  }

  /// Runs another program, which must succeed.
  ///
  /// - Returns: What it printed.
  private func run(_ program: String, _ arguments: [String]) throws -> String {
    let log = folder.path("log")
    try Data().write(to: URL(fileURLWithPath: log))
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/\(program)")
    process.arguments = arguments
    process.standardOutput = FileHandle(forWritingAtPath: log)
    process.standardError = process.standardOutput
    try process.run()
    process.waitUntilExit()
    let output = try String(contentsOfFile: log, encoding: .utf8)
    try #require(process.terminationStatus == 0, "\(output)")
    return output
  }

  @Test(.enabled(if: isInstalled("xmllint"), "needs xmllint"))
  func `GPX is valid against the schema`() throws {
    let schema = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("Schemas/gpx-1.1.xsd").path
    _ = try run("xmllint", ["--noout", "--schema", schema, file("gpx")])
  }

  @Test(.enabled(if: isInstalled("gpsbabel"), "needs GPSBabel"))
  func `GPSBabel finds the same points in GPX`() throws {
    let copy = folder.path("copy.gpx")
    _ = try run("gpsbabel", ["-t", "-i", "gpx", "-f", file("gpx"), "-o", "gpx", "-F", copy])
    let found = try Point.tracks(inLinesOf: String(contentsOfFile: copy, encoding: .utf8))
    let stored = try Self.stored.get()
    #expect(found.map { $0.map(\.count) } == stored.map { $0.map(\.count) })
    let pairs = zip(found.joined().joined(), stored.joined().joined())
    for (found, stored) in pairs where !found.isPrinted(from: stored) {
      Issue.record("\(stored) came out as \(found)")
    }
  }

  @Test func `GeoJSON keeps to RFC 7946`() throws {
    let collection = try JSONValue(#require(Self.exports.get()["geojson"]))
    let stored = try Self.stored.get()
    #expect(collection.keys == ["type", "features"])
    #expect(collection["type"].string == "FeatureCollection")
    #expect(collection["features"].array.count == stored.count)
    for (feature, segments) in zip(collection["features"].array, stored) {
      #expect(feature.keys == ["type", "id", "geometry", "properties"])
      #expect(feature["type"].string == "Feature")
      #expect(feature["geometry"].keys == ["type", "coordinates"])
      #expect(feature["geometry"]["type"].string == "MultiLineString")
      let lines = feature["geometry"]["coordinates"].array.map { $0.array.map(Vertex.init) }
      let times = feature["properties"]["coordTimes"].array.map(\.array)
      // A line has two positions or more (3.1.4).
      #expect(lines.allSatisfy { $0.count >= 2 })
      #expect(lines.joined().allSatisfy { $0.isPosition })
      // None crosses the 180th meridian (3.1.9).
      let steps = lines.flatMap { zip($0, $0.dropFirst()) }
      #expect(steps.allSatisfy { abs($0.x - $1.x) <= 180 })
      #expect(times.map(\.count) == lines.map(\.count))
      let vertices = zip(lines.joined(), times.joined())
      var waiting = Array(segments.joined())[...]
      var last: Vertex?
      for (vertex, time) in vertices {
        if let next = waiting.first, vertex.isPosition(of: next),
          time.string.map(Point.seconds) == next.time
        {
          waiting.removeFirst()
        } else {
          // A cut, or the second end of a line from a lone location.
          #expect((abs(vertex.x) == 180 && time.isNull) || vertex == last)
        }
        last = vertex
      }
      #expect(waiting.isEmpty)
    }
  }

  @Test(.enabled(if: isInstalled("python3"), "needs Python"))
  func `Python reads the same coordinates from CSV and JSON`() throws {
    let script = """
      import csv, datetime, json, sys
      with open(sys.argv[1], encoding="utf-8", newline="") as file:
          rows = list(csv.reader(file, strict=True))
      with open(sys.argv[2], encoding="utf-8") as file:
          flights = json.load(file, parse_constant=sys.exit)
      keys = ["latitude", "longitude", "altitude", "time", "speed", "course", "hdop", "heartRate",
              "cadence", "power", "discarded"]
      def read(key, text):
          if text == "" or key == "discarded": return text or None
          return datetime.datetime.fromisoformat(text) if key == "time" else float(text)
      one = [[row[0], int(row[1]), int(row[2])] + [read(key, text) for key, text in zip(keys, row[3:])]
             for row in rows[1:]]
      other = [[flight["id"], point["order"], point["segment"]]
               + [read(key, str(point[key])) if point[key] is not None else None for key in keys]
               for flight in flights for point in flight["coordinates"]]
      assert all(len(row) == len(rows[0]) == 3 + len(keys) for row in rows)
      assert one == other, next(pair for pair in zip(one, other) if pair[0] != pair[1])
      print(len(one))
      """
    let count = try run("python3", ["-c", script, file("csv"), file("json")])
    let stored = try Self.stored.get().joined().reduce(0) { $0 + $1.count }
    #expect(Int(count.dropLast()) == stored)
  }
}

/// A location as other programs know it.
private struct Point {
  var latitude: Double
  var longitude: Double
  var altitude: Double?
  /// Seconds from 1970.
  var time: Double?

  /// The seconds of a time like `2026-06-09T06:30:00.25Z`.
  static func seconds(_ text: String) -> Double {
    guard let whole = try? Date("\(text.prefix(19))Z", strategy: .iso8601) else { return .nan }
    return whole.timeIntervalSince1970 + (Double("0\(text.dropFirst(19).dropLast())") ?? 0)
  }

  /// Whether these are the other's values as GPSBabel prints them.
  ///
  /// It writes nine decimals of a degree and three of a metre, and keeps a moment in whole milliseconds, so that half a unit is
  /// lost, and beside it no more than a few of a `Double`'s own. −180° and 180° are one meridian.
  func isPrinted(from other: Point) -> Bool {
    func isClose(_ one: Double?, _ other: Double?, unit: Double) -> Bool {
      guard let one, let other else { return one == nil && other == nil }
      return abs(one - other) <= unit / 2 + 4 * max(one.ulp, other.ulp)
    }
    let turn = abs(longitude - other.longitude) > 180 ? 2 * other.longitude : 0
    return isClose(latitude, other.latitude, unit: 1e-9)
      && isClose(longitude + turn, other.longitude, unit: 1e-9)
      && isClose(altitude, other.altitude, unit: 1e-3) && isClose(time, other.time, unit: 1e-3)
  }

  /// The points of a CSV export.
  static func flights(inRowsOf text: String) -> [[[Point]]] {
    var flights: [[[Point]]] = []
    var open: (flight: Substring, segment: Substring) = ("", "")
    for row in text.split(separator: "\r\n").dropFirst() {
      let columns = row.split(separator: ",", omittingEmptySubsequences: false)
      let last = flights.count - (columns[0] == open.flight ? 1 : 0)
      if last == flights.count { flights.append([]) }
      if (columns[0], columns[2]) != open { flights[last].append([]) }
      open = (columns[0], columns[2])
      flights[last][flights[last].count - 1].append(
        Point(
          latitude: Double(columns[3]) ?? .nan, longitude: Double(columns[4]) ?? .nan,
          altitude: Double(columns[5]),
          time: columns[6].isEmpty ? nil : seconds(String(columns[6]))))
    }
    return flights
  }

  /// The points of a GPX by GPSBabel, which writes an element a line: a track an element, and in it a segment an element.
  static func tracks(inLinesOf text: String) -> [[[Point]]] {
    var tracks: [[[Point]]] = []
    var segment: [Point] = []
    for line in text.split(separator: "\n") {
      let parts = line.drop { $0 == " " }.split { "<>\"".contains($0) }
      switch parts.first {
      case "trk": tracks.append([])
      case "trkseg": segment = []
      case "trkpt lat=":
        segment.append(
          Point(latitude: Double(parts[1]) ?? .nan, longitude: Double(parts[3]) ?? .nan))
      case "ele": segment[segment.count - 1].altitude = Double(parts[1])
      // The document has a time of its own.
      case "time" where !segment.isEmpty:
        segment[segment.count - 1].time = seconds(String(parts[1]))
      case "/trkseg": tracks[tracks.count - 1].append(segment)
      default: break
      }
    }
    return tracks
  }
}

/// A position of GeoJSON.
private struct Vertex: Hashable {
  var x: Double
  var y: Double
  var z: Double?
  /// Whether it has two or three numbers, the first two of them in range.
  var isPosition: Bool

  init(_ json: JSONValue) {
    let numbers = json.array.map { $0.double ?? .nan }
    (x, y) = (numbers.first ?? .nan, numbers.dropFirst().first ?? .nan)
    z = numbers.dropFirst(2).first
    isPosition =
      2...3 ~= numbers.count && abs(x) <= 180 && abs(y) <= 90 && z?.isFinite ?? true
  }

  /// Whether this is where a location lies; Foundation's own reading of a number of 17 digits is some units in the last place off.
  func isPosition(of point: Point) -> Bool {
    func isClose(_ one: Double?, _ other: Double?) -> Bool {
      guard let one, let other else { return one == nil && other == nil }
      return abs(one - other) <= 8 * other.ulp
    }
    return isClose(x, point.longitude) && isClose(y, point.latitude) && isClose(z, point.altitude)
  }
}

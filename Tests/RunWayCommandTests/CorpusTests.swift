import Foundation
import Testing

@Suite(.enabled(if: Corpus.isPresent)) struct `The corpus through the command` {
  /// Files for which the manifest says otherwise, and why it is not followed; all others agree.
  static let deviations: [String: String] = [
    "gpsbabel-GGA-240-ZDA-late.nmea":
      "its last line is a ZDA of 2019-03-09, which the manifest's decoder passes over: it dates the log"
  ]

  /// 2 ppm or 2 cm.
  static func agrees(_ distance: Double, _ reference: Double) -> Bool {
    abs(distance - reference) <= max(0.02, reference * 2e-6)
  }

  static func sum(_ lines: [JSONValue], _ key: String) -> Double {
    lines.reduce(0) { $0 + ($1["flight"][key].double ?? 0) }
  }

  static func discards(_ lines: [JSONValue], _ keys: [String]) -> Int {
    lines.reduce(0) { total, line in
      keys.reduce(total) { $0 + (line["flight"]["discarded"][$1].int ?? 0) }
    }
  }

  // MARK: GPX

  @Test(arguments: Corpus.manifest("gpx"))
  func `a GPX file gives the manifest's points and distance, or a reason`(_ row: Corpus.Row) throws
  {
    let lines = Corpus.lines("gpx", row)
    try #require(!lines.isEmpty)
    let isWellFormed = row["xmllint"] == "ok" || row["xmllint"].contains("namespace error")
    let valid = Int(row["valid_points"]) ?? 0
    guard isWellFormed, valid > 0, !row.file.hasPrefix("bad-xxe") else {
      if row.file == "bad-xxe-file-entity-in-name.gpx", lines[0]["status"].string == "imported" {
        // “run &x;”, and the entity is nothing.
        #expect(lines[0]["flight"]["name"].string == "run")
        return
      }
      if row.file == "bad-nmea-named-gpx.gpx" { return }
      #expect(["failed", "skipped"].contains(lines[0]["status"].string))
      #expect((lines[0]["error"]["reason"].string ?? "").count > 5)
      return
    }
    #expect(lines.allSatisfy { $0["status"].string == "imported" })
    let counted = Int(Self.sum(lines, "coordinateCount"))
    #expect(counted + Self.discards(lines, ["duplicate", "backwards", "spike"]) == valid)
    #expect(Self.discards(lines, ["invalid"]) == (Int(row["points"]) ?? 0) - valid)
    if let reference = Double(row["geodesic_wgs84_m"]) {
      #expect(Self.agrees(Self.sum(lines, "rawDistance"), reference))
    }
    for line in lines { checkSanity(line["flight"]) }
  }

  @Test(arguments: Corpus.manifest("gpx").filter { $0["expected"].contains("distance only") })
  func `a track without times needs a date`(_ row: Corpus.Row) throws {
    let lines = Corpus.lines("gpx", row, dated: false)
    #expect(lines.count == 1)
    #expect(lines.first?["status"].string == "failed")
    #expect(lines.first?["error"]["reason"].string?.contains("--date") == true)
    for line in Corpus.lines("gpx", row) {
      #expect(line["flight"]["pace"].isNull)
      #expect(line["flight"]["elapsedTime"].isNull)
      #expect(line["flight"]["alertCount"].int == 0)
    }
  }

  /// The line an error names is libxml2's own.
  @Test(arguments: Corpus.manifest("gpx").filter { $0["xmllint"].hasPrefix("line ") })
  func `broken XML is refused with its line`(_ row: Corpus.Row) throws {
    let line = try #require(Corpus.lines("gpx", row).first)
    if line["status"].string == "imported" {
      // A prefix that is not declared is no more than a warning.
      #expect(row["xmllint"].contains("namespace error") || row.file == "bad-nmea-named-gpx.gpx")
      return
    }
    let number = row["xmllint"].dropFirst(5).prefix { $0.isNumber }
    guard let named = line["error"]["line"].int else {
      // No XML at all: the content is told apart before a parser sees it.
      #expect(
        ["empty", "zip", "HTML", "GPX"].contains {
          line["error"]["reason"].string?.contains($0) == true
        })
      return
    }
    #expect(named == Int(number))
  }

  /// Pairs of files that hold the same run in other bytes.
  @Test(arguments: [
    ("crlf-and-tabs-inside-values.gpx", "no-namespace-no-version-25pt.gpx"),
    ("huge-attribute-200kB.gpx", "no-namespace-no-version-25pt.gpx"),
    ("offset-plus0900-no-colon.gpx", "no-namespace-no-version-25pt.gpx"),
    ("offset-0100-25pt.gpx", "no-namespace-no-version-25pt.gpx"),
    ("iso8859-15-tracks.gpx", "link2gps-8seg.gpx"),
    ("windows-1252-umlaut-name.gpx", "link2gps-8seg.gpx"),
    ("offset-plus0900-strava-run.gpx", "strava-run-hr-cad-216pt-emoji-name.gpx"),
    ("prefixed-root-g-strava-run.gpx", "strava-run-hr-cad-216pt-emoji-name.gpx"),
    ("utf16le-bom-crlf-mytracks.gpx", "gpx10-google-mytracks-android.gpx"),
    ("utf8-bom-crlf-garmin-run.gpx", "garmin-connect-run-hr-206pt.gpx"),
  ])
  func `the same run in other bytes gives the same flight`(file: String, twin: String) throws {
    let flight = try #require(Corpus.imported["gpx/\(file)"]?.first)["flight"]
    let other = try #require(Corpus.imported["gpx/\(twin)"]?.first)["flight"]
    for key in ["distance", "rawDistance", "elapsedTime", "movingTime", "coordinateCount"] {
      #expect(flight[key].double == other[key].double)
    }
    #expect(flight["startedAt"].string == other["startedAt"].string)
  }

  @Test func `single points years off do not stretch the flight`() throws {
    let glitch = try #require(Corpus.imported["gpx/year-2043-glitch-time.gpx"]?.first)["flight"]
    #expect((glitch["elapsedTime"].double ?? .infinity) < 3_600)
    let island = try #require(Corpus.imported["gpx/null-island-point.gpx"]?.first)["flight"]
    #expect((island["distance"].double ?? .infinity) < 1_000)
  }

  @Test func `a name reads as its encoding says`() throws {
    let line = try #require(Corpus.imported["gpx/windows-1252-umlaut-name.gpx"]?.first)
    #expect(line["flight"]["name"].string == "Größe und Façade – Ärger")
  }

  // MARK: NMEA

  @Test(arguments: Corpus.manifest("nmea"))
  func `an NMEA log gives the manifest's fixes and distance, or a reason`(_ row: Corpus.Row) throws
  {
    let lines = Corpus.lines("nmea", row)
    let line = try #require(lines.first)
    let fixes = Int(row["fixes"]) ?? 0
    guard fixes > 0 else {
      #expect(["failed", "skipped"].contains(line["status"].string))
      return
    }
    #expect(line["status"].string == "imported")
    let discarded = Self.discards(lines, ["duplicate", "backwards", "spike"])
    #expect((line["flight"]["coordinateCount"].int ?? 0) + discarded == fixes)
    if let reference = Double(row["geodesic_m"]) {
      #expect(Self.agrees(line["flight"]["rawDistance"].double ?? -1, reference))
    }
    if let bad = Int(row["bad_checksum"]) {
      #expect((line["flight"]["rejected"]["checksum"].int ?? 0) == bad)
    }
    checkSanity(line["flight"])
  }

  @Test(
    arguments: Corpus.manifest("nmea").filter {
      $0["expected"].contains("no date in the file") && deviations[$0.file] == nil
    })
  func `a log without any date asks for one`(_ row: Corpus.Row) throws {
    let line = try #require(Corpus.lines("nmea", row, dated: false).first)
    #expect(line["status"].string == "failed")
    #expect(line["error"]["reason"].string?.contains("--date") == true)
    #expect(
      Corpus.lines("nmea", row).first?["flight"]["startedAt"].string?.hasPrefix("2026-06") == true)
  }

  // MARK: All

  /// What no flight may have, whatever its file says.
  func checkSanity(_ flight: JSONValue) {
    let elapsed = flight["elapsedTime"].double ?? 0
    #expect(elapsed >= 0)
    // Sums of steps, rounded at each.
    #expect((flight["movingTime"].double ?? 0) <= elapsed + 1e-6)
    #expect(
      (flight["distance"].double ?? -1) <= (flight["rawDistance"].double ?? -2) * (1 + 1e-9) + 100)
    if let pace = flight["pace"].double { #expect(pace > 0 && pace.isFinite) }
    #expect((flight["elevationLoss"].double ?? 0) >= 0)
  }
}

import Foundation
import Testing

/// One test for each public bug report of other programs: what is right there is right here.
///
/// The expected values are the manifest's, which were computed by other programs.
@Suite(.enabled(if: Corpus.isPresent)) struct `Bugs of others` {
  /// The lines of one file of the corpus.
  private func lines(_ file: String) throws -> [JSONValue] {
    let lines = Corpus.imported["bugs/\(file)"] ?? []
    try #require(!lines.isEmpty)
    return lines
  }

  /// The one flight of a file.
  private func flight(_ file: String) throws -> JSONValue {
    let lines = try lines(file)
    #expect(lines.count == 1)
    #expect(lines[0]["status"].string == "imported")
    return lines[0]["flight"]
  }

  private func expect(
    _ flight: JSONValue, fixes: Int, meters: Double, seconds: Double? = nil, start: String? = nil,
    end: String? = nil, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let discarded = ["duplicate", "backwards", "spike"].reduce(0) {
      $0 + (flight["discarded"][$1].int ?? 0)
    }
    #expect(
      (flight["coordinateCount"].int ?? 0) + discarded == fixes, sourceLocation: sourceLocation)
    #expect(
      abs((flight["rawDistance"].double ?? -1) - meters) < 0.02, sourceLocation: sourceLocation)
    if let seconds {
      #expect(
        abs((flight["elapsedTime"].double ?? -1) - seconds) < 1e-6, sourceLocation: sourceLocation)
    }
    if let start { #expect(flight["startedAt"].string == start, sourceLocation: sourceLocation) }
    if let end { #expect(flight["endedAt"].string == end, sourceLocation: sourceLocation) }
  }

  @Test func `01: an offset moves the instant`() throws {
    expect(
      try flight("01-offset-dropped.gpx"), fixes: 11, meters: 90.07, seconds: 40,
      start: "2024-05-18T06:30:00Z", end: "2024-05-18T06:30:40Z")
  }

  @Test func `03: fractions of a second are read`() throws {
    expect(
      try flight("03-fractional-seconds-linux.gpx"), fixes: 9, meters: 71.97, seconds: 24,
      start: "2024-05-18T06:30:00.001Z")
  }

  @Test func `05: a zone name in brackets is passed over`() throws {
    expect(
      try flight("05-zone-name-in-brackets.gpx"), fixes: 6, meters: 44.98, seconds: 20,
      start: "2024-05-18T06:30:00.25Z")
  }

  @Test func `07: two places at one second divide nothing by zero`() throws {
    let flight = try flight("07-same-second-different-place.gpx")
    expect(flight, fixes: 8, meters: 62.98, seconds: 12)
    #expect((flight["pace"].double ?? 0) > 0)
  }

  @Test func `09: midnight comes once`() throws {
    expect(
      try flight("09-midnight-gga-then-rmc.nmea"), fixes: 6, meters: 150.04, seconds: 200,
      start: "2024-02-29T23:58:40Z", end: "2024-03-01T00:02:00Z")
  }

  @Test func `11: a late sentence belongs to the day before`() throws {
    let flight = try flight("11-late-gll-after-date-change.nmea")
    #expect(flight["startedAt"].string == "2027-06-30T23:59:57Z")
    #expect(flight["endedAt"].string == "2027-07-01T00:00:01Z")
    // In time order 48.0 m; what comes late is not gone back to.
    #expect((flight["distance"].double ?? 0) < 60)
  }

  @Test func `13: a year of four digits is that year`() throws {
    let flight = try flight("13-four-digit-year.nmea")
    #expect(flight["startedAt"].string?.hasPrefix("2022-03-08T18:47:10") == true)
    expect(flight, fixes: 5, meters: 36.02)
  }

  @Test func `15: the navigational status voids no fix`() throws {
    expect(try flight("15-nav-status-V-but-fix-A.nmea"), fixes: 5, meters: 35.98)
  }

  @Test func `17: checksums may be in lower case`() throws {
    expect(try flight("17-lowercase-checksum.nmea"), fixes: 5, meters: 36.02)
  }

  @Test func `19: a sentence glued to the next is skipped and counted`() throws {
    let flight = try flight("19-two-sentences-glued.nmea")
    expect(flight, fixes: 5, meters: 44.96)
    #expect(flight["rejected"]["cut"].int == 1)
  }

  @Test func `21: an empty position is none`() throws {
    expect(try flight("21-empty-position-fields.nmea"), fixes: 4, meters: 26.94)
  }

  @Test func `23: long lines are read`() throws {
    expect(try flight("23-lines-over-82-characters.nmea"), fixes: 4, meters: 27.00)
  }

  @Test func `25: any talker is heard`() throws {
    expect(try flight("25-other-talkers.nmea"), fixes: 6, meters: 45.01)
  }

  @Test func `27: a zero too many does not move the place`() throws {
    expect(try flight("27-latitude-with-extra-zero.nmea"), fixes: 4, meters: 27.06)
  }

  @Test func `29: the way between two segments was not run`() throws {
    let flight = try flight("29-move-between-segments.gpx")
    expect(flight, fixes: 12, meters: 249.97)
    #expect(abs((flight["movingTime"].double ?? 0) - 60) < 1e-6)
    #expect((flight["distance"].double ?? 0) < 251)
  }

  @Test func `31: a pause that is only a gap was not run`() throws {
    let flight = try flight("31-pause-inside-one-segment.gpx")
    expect(flight, fixes: 12, meters: 34.10, seconds: 305)
    #expect(abs((flight["movingTime"].double ?? 0) - 10) <= 1)
  }

  @Test func `33: points without a time count for distance`() throws {
    let flight = try flight("33-some-points-untimed.gpx")
    expect(flight, fixes: 9, meters: 71.99, seconds: 30)
    #expect(abs((flight["distance"].double ?? 0) - 71.99) < 0.02)
  }

  @Test func `35: elements may bear a prefix`() throws {
    expect(try flight("35-gpx-elements-prefixed.gpx"), fixes: 6, meters: 44.95, seconds: 20)
  }

  @Test func `37: a missing elevation is not the sea's`() throws {
    let flight = try flight("37-missing-ele-not-zero.gpx")
    expect(flight, fixes: 8, meters: 63.03)
    #expect((flight["elevationGain"].double ?? 99) <= 2)
  }

  @Test func `39: a decimal comma is an error that names line and value`() throws {
    let line = try #require(try lines("39-decimal-comma.gpx").first)
    #expect(line["status"].string == "failed")
    #expect(line["error"]["line"].int == 5)
    #expect(line["error"]["reason"].string?.contains("49,97") == true)
  }

  @Test func `41: an empty segment at the end harms nothing`() throws {
    expect(try flight("41-empty-segment-at-end.gpx"), fixes: 5, meters: 36.03, seconds: 16)
  }

  @Test func `43: the year 0000 is not used`() throws {
    let flight = try flight("43-year-0000.gpx")
    expect(flight, fixes: 7, meters: 54.00, seconds: 24)
    #expect(flight["rejected"]["time"].int == 1)
  }

  @Test func `45: an external entity is nothing`() throws {
    let flight = try flight("45-external-entity.gpx")
    expect(flight, fixes: 3, meters: 17.98)
    #expect(flight["name"].isNull)
  }

  @Test func `47: the date line is crossed the short way`() throws {
    expect(try flight("47-across-the-date-line.gpx"), fixes: 9, meters: 341.57, seconds: 96)
  }

  @Test func `49: a pace per mile is minutes and seconds`() throws {
    let book = try LogbookOnDisk()
    let file = try #require(Corpus.folder) + "/bugs/49-pace-per-mile-7-03.gpx"
    // 423.000 s over 1609.224 m: 7:03 a mile, 4:23 a kilometre.
    #expect(
      try book.runway("import", "--units", "imperial", file).standardOutput.contains(" 7:03 /mi "))
    #expect(try book.runway("show", "latest").standardOutput.contains("4:23 /km"))
  }

  @Test func `51: a path that is not there is an error that names it`() throws {
    expect(try flight("51-read-me-then-delete-me.gpx"), fixes: 5, meters: 36.03)
    let book = try LogbookOnDisk()
    let result = try book.runway("import", "/nowhere/51.gpx")
    #expect(result.status == 66)
    #expect(result.standardError == "/nowhere/51.gpx: No such file or directory\n")
  }

  @Test func `53: a track with few times keeps its points`() throws {
    let flight = try flight("53-three-of-ten-timed.gpx")
    expect(flight, fixes: 10, meters: 81.02, seconds: 270)
    #expect(flight["coordinateCount"].int == 10)
  }

  @Test func `55: the date of a receiver without a fix is not believed`() throws {
    expect(
      try flight("55-void-start-date-050180.nmea"), fixes: 4, meters: 27.05,
      start: "2022-08-16T05:12:10Z", end: "2022-08-16T05:12:13Z")
  }
}

import Foundation
import Testing

/// What is exported and read again is the same run, to the last digit.
@Suite struct RoundTripTests {
  private static let corpus = ProcessInfo.processInfo.environment["RUNWAY_CORPUS"]

  /// The same mission, there and back.
  private static let options = ["--pace", "5:30", "--tolerance", "15", "--distance", "10km"]

  @Test func `a fixture exported as GPX comes back as the same flights`() throws {
    try roundTrip([Fixture.folder])
  }

  @Test(.enabled(if: corpus != nil, "RUNWAY_CORPUS names no folder"))
  func `a file of the corpus exported as GPX comes back as the same flights`() throws {
    let corpus = try #require(RoundTripTests.corpus)
    // The date is for those that bear none; the export tells it.
    try roundTrip(
      ["--date", "2026-06-09T12:00Z", "\(corpus)/gpx", "\(corpus)/nmea", "\(corpus)/bugs"])
  }

  /// Beside tracks with times, one without any is stored; its export stands alone.
  @Test func `an undated flight exported alone comes back`() throws {
    let source = try LogbookOnDisk()
    let timed = EvenRun("Timed", "2026-06-01T10:00:00Z", speed: 4, seconds: 60).gpx
    let untimed = EvenRun("Untimed", "2026-06-02T10:00:00Z", speed: 4, seconds: 60).gpx
      .replacingOccurrences(of: "<time>[^<]*</time>", with: "", options: .regularExpression)
    let start = try #require(untimed.range(of: "<trk>")).lowerBound
    let both = timed.replacingOccurrences(of: "</gpx>", with: untimed[start...])
    #expect(try source.runway("import", source.folder.write(both, to: "both.gpx")).status == 0)
    let id = try source.flightID(named: "Untimed")
    let export = source.folder.path("export.gpx")
    #expect(try source.runway("export", id, "-o", export).status == 0)
    for command in ["import", "replay"] {
      let target = try LogbookOnDisk()
      let result = try target.runway(command, export)
      #expect(result.status == 0, "\(result.standardError)")
      #expect(try target.latest()["startedAt"].isNull)
      // 4 m/s for 60 s.
      #expect(abs((try target.latest()["distance"].double ?? 0) - 240) < 0.1)
      #expect(try target.latest()["name"].string == "Untimed")
    }
    let known = try source.runway("import", "--json", export).jsonLines()
    #expect(known.map { $0["status"].string } == ["duplicate"])
  }

  private func roundTrip(_ paths: [String]) throws {
    let source = try LogbookOnDisk()
    let outcomes = try source.runway(["import", "--json"] + RoundTripTests.options + paths)
      .jsonLines()
    let imported = outcomes.filter { $0["status"].string == "imported" }.count
    try #require(imported > 10)
    let export = source.folder.path("export.gpx")
    try #require(source.runway("export", "--all", "-o", export).status == 0)

    let target = try LogbookOnDisk()
    let again = try target.runway(["import", "--json"] + RoundTripTests.options + [export])
      .jsonLines()
    #expect(again.count == imported)
    #expect(again.allSatisfy { $0["status"].string == "imported" })

    // Oldest first, and in the order of storing where two began at the same time.
    let before = try comparableFlights(in: source)
    let after = try comparableFlights(in: target)
    #expect(before.count == imported)
    #expect(after.count == imported)
    for (before, after) in zip(before, after) where before != after {
      let (one, other) =
        zip(before.utf8, after.utf8).first { $0 != $1 }.map { _ in
          let common = zip(before, after).prefix { $0 == $1 }.count
          let start = max(0, common - 100)
          return (before.dropFirst(start).prefix(200), after.dropFirst(start).prefix(200))
        } ?? (before.suffix(200), after.suffix(200))
      Issue.record("\(before.prefix(200)): \(one) came back as \(other)")
    }

    let known = try source.runway(["import", "--json"] + RoundTripTests.options + [export])
      .jsonLines()
    #expect(known.count == imported)
    #expect(known.allSatisfy { $0["status"].string == "duplicate" })
  }

  /// Each flight's JSON, a string a flight, without what belongs to the file it came from: the identity, the path and the
  /// format, and the counts of what could not be used, which is not exported.
  private func comparableFlights(in logbook: LogbookOnDisk) throws -> [String] {
    let text = try logbook.runway("export", "--all", "--format", "json").standardOutput
    return text.split(separator: "\n").map { line in
      // The coordinates, by far the most of it, stand last.
      let end = line.range(of: "\"coordinates\":[")?.lowerBound ?? line.endIndex
      let patterns = [
        "\"(id|flightID)\":\"[^\"]*\",", "\"path\":.*?(?=\"creator\":)", "\"invalid\":[0-9]+,",
        "\"rejected\":\\{[^}]*\\},", "^\\[", ",$",
      ]
      var head = String(line[..<end])
      for pattern in patterns {
        head = head.replacingOccurrences(of: pattern, with: "", options: .regularExpression)
      }
      let tail = numberingSegments(of: line[end...])
      return head + tail.trimmingCharacters(in: CharacterSet(charactersIn: ","))
    }
  }

  /// Numbers the segments of coordinates from 0: segments without a point are not exported, and so not counted again.
  private func numberingSegments(of coordinates: Substring) -> String {
    let parts = coordinates.components(separatedBy: "\"segment\":")
    var last: Substring?
    var number = -1
    return parts.dropFirst().reduce(into: parts[0]) { text, part in
      let segment = part.prefix { $0.isNumber }
      if segment != last { number += 1 }
      last = segment
      text += "\"segment\":\(number)" + part.dropFirst(segment.count)
    }
  }
}

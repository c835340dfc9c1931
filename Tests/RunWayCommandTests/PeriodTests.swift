import Foundation
import Testing

/// Months and years, and what has no date.
@Suite struct PeriodTests {
  @Test(arguments: [
    (["--since", "2026-06"], ["July", "June's end", "June"]),
    (["--until", "2026-06"], ["June's end", "June", "May"]),
    (["--since", "2026-06", "--until", "2026-06"], ["June's end", "June"]),
    (["--since", "2026-07"], ["July"]), (["--until", "2026-05"], ["May"]),
    (["--since", "2026"], ["July", "June's end", "June", "May"]), (["--until", "2025"], []),
    (["--since", "2027"], []), (["--until", "2026"], ["July", "June's end", "June", "May"]),
  ])
  func `a month and a year are bounds from their first moment to their last`(
    options: [String], names: [String]
  ) throws {
    let logbook = try LogbookOnDisk()
    // Berlin is two hours ahead of UTC.
    try logbook.fly(EvenRun("May", "2026-05-31T21:59:59Z", speed: 3, seconds: 60))
    try logbook.fly(EvenRun("June", "2026-05-31T22:00:00Z", speed: 3, seconds: 60))
    try logbook.fly(EvenRun("June's end", "2026-06-30T21:59:59Z", speed: 3, seconds: 60))
    try logbook.fly(EvenRun("July", "2026-06-30T22:00:00Z", speed: 3, seconds: 60))
    #expect(try logbook.names(["--tz", "Europe/Berlin"] + options) == names)
  }

  @Test func `totals tell the flights that no period can count`() throws {
    let logbook = try LogbookOnDisk()
    let untimed = EvenRun.beta.gpx.replacing(#/<time>[^<]*</time>/#, with: "")
      .replacing("Beta", with: "untimed")
    let track = try #require(untimed.components(separatedBy: "<trk>").last)
    let both = EvenRun.alpha.gpx.replacing("</gpx>", with: "<trk>" + track)
    let path = try logbook.folder.write(both, to: "both.gpx")
    try logbook.runway("import", path)
    #expect(Set(try logbook.names()) == ["Alpha run", "untimed"])
    let line = "Not counted: 1 flight without a date"
    let stats = try logbook.runway("stats").lines
    #expect(stats.count { $0 == line } == 1)
    #expect(stats[2] == line)
    #expect(try logbook.runway("stats", "--limit", "0").lines.contains(line))
    // A flight without a date is in no span of dates.
    #expect(try !logbook.runway("stats", "--since", "2026").standardOutput.contains("Not counted"))
    #expect(try logbook.runway("stats", "--json").json().keys == ["by", "periods", "bestEfforts"])
    try logbook.runway("delete", "--yes", logbook.flightID(named: "untimed"))
    #expect(try !logbook.runway("stats").standardOutput.contains("Not counted"))
  }
}

import Testing

/// Which flights a pace lets through, and lists the other way round.
@Suite struct FlightOrderTests {
  /// Alpha run, Beta and alphabet, in the order of their dates: 250, 400 and 333.3 s/km, which is 4:10, 6:40 and 5:33.
  private func logbook() throws -> LogbookOnDisk {
    let logbook = try LogbookOnDisk()
    for run in [EvenRun.alpha, .beta, .alphabet] { try logbook.fly(run) }
    return logbook
  }

  private func flyUndated(in logbook: LogbookOnDisk) throws {
    let path = try logbook.folder.write(
      """
      <gpx version="1.1" creator="tests" xmlns="http://www.topografix.com/GPX/1/1"><trk>
      <name>undated</name><trkseg><trkpt lat="0" lon="8"/><trkpt lat="0" lon="8.01"/></trkseg>
      </trk></gpx>
      """, to: "undated.gpx")
    #expect(try logbook.runway("import", path, "--date", "2026-06-04").status == 0)
  }

  @Test func `a pace chooses flights`() throws {
    let logbook = try logbook()
    try flyUndated(in: logbook)
    #expect(try logbook.names(["--pace-under", "5:34"]) == ["alphabet", "Alpha run"])
    #expect(try logbook.names(["--pace-under", "5:33"]) == ["Alpha run"])
    #expect(try logbook.names(["--pace-over", "5:33"]) == ["alphabet", "Beta"])
    #expect(try logbook.names(["--pace-over", "5:34"]) == ["Beta"])
    #expect(try logbook.names(["--pace-over", "4:20", "--pace-under", "6:30"]) == ["alphabet"])
    #expect(try logbook.names(["--pace-over", "7:00"]) == [])
    // A mile is 1609.344 m: 333.3 s/km are 8:56 a mile.
    for arguments in [
      ["--pace-under", "8:57", "--units", "imperial"], ["--pace-under", "8:57/mi"],
    ] {
      #expect(try logbook.names(arguments) == ["alphabet", "Alpha run"])
    }
    let list = try logbook.runway("flights", "--pace-under", "5:00", "--sort", "pace")
    #expect(list.standardOutput.hasPrefix("DATE"))
  }

  @Test func `a pace that is none is a usage error`() throws {
    let logbook = try logbook()
    for option in ["--pace-under", "--pace-over"] {
      let result = try logbook.runway("flights", option, "5:60")
      #expect(result.status == 64)
      #expect(
        result.standardError.hasPrefix("runway: \(option) takes a pace such as 5:30, not “5:60”\n"))
    }
  }

  @Test func `each order can be reversed, and what is unknown comes last`() throws {
    let logbook = try logbook()
    try flyUndated(in: logbook)
    #expect(
      try logbook.names(["--reverse"]) == ["Alpha run", "Beta", "alphabet", "undated"])
    // 600, 1113, 1200 and 1500 m: a hundredth of a degree along the equator is 1113 m.
    #expect(
      try logbook.names(["--sort", "distance", "--reverse"])
        == ["alphabet", "undated", "Alpha run", "Beta"])
    #expect(
      try logbook.names(["--sort", "pace", "--reverse"])
        == ["Beta", "alphabet", "Alpha run", "undated"])
    #expect(
      try logbook.names(["--sort", "pace", "--reverse", "--limit", "2"]) == ["Beta", "alphabet"])
    #expect(try logbook.runway("edit", "latest", "--name", "").status == 0)
    #expect(
      try logbook.names(["--sort", "name", "--reverse"]) == ["Beta", "alphabet", "Alpha run", ""])
  }
}

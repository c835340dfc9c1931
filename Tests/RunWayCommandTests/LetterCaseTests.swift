import Testing

/// Names are found whatever the case of their letters, beyond ASCII too.
@Suite struct LetterCaseTests {
  private func logbook() throws -> LogbookOnDisk {
    let logbook = try LogbookOnDisk()
    try logbook.fly(
      EvenRun("Größe Übung", "2026-06-01T10:00:00Z", speed: 4, seconds: 30))
    try logbook.fly(EvenRun("Grob", "2026-06-02T10:00:00Z", speed: 4, seconds: 40))
    return logbook
  }

  // “ß” has no other capital than “SS” in Unicode's table; ö is written as one letter and as two.
  @Test(arguments: [
    "GRÖ", "größe ü", "GRÖSSE ÜBUNG", "übung", "GRO\u{308}SSE", "ößE",
  ])
  func `a part of a name is found`(part: String) throws {
    #expect(try logbook().names(["--name", part]) == ["Größe Übung"])
  }

  @Test func `letters that differ by more than their case do not match`() throws {
    #expect(try logbook().names(["--name", "gro"]) == ["Grob"])
    #expect(try logbook().names(["--name", "ubung"]) == [])
  }

  @Test(arguments: ["übung", "ÜBUNG", "U\u{308}bung"])
  func `a tag is one, however it is written`(other: String) throws {
    let logbook = try logbook()
    try logbook.runway("tag", "latest", "Übung")
    #expect(try logbook.runway("tag", "latest", other).status == 0)
    let tags = try logbook.runway("tag", "--json").json().array
    #expect(tags.map { $0["name"].string } == ["Übung"])
    #expect(tags.map { $0["flightCount"].int } == [1])
    #expect(try logbook.names(["--tag", other]) == ["Grob"])
    #expect(try logbook.runway("tag", "latest", "--remove", other).status == 0)
    #expect(try logbook.latest()["tags"].array.isEmpty)
    #expect(try logbook.runway("tag", "--delete", other).status == 0)
    #expect(try logbook.runway("tag", "--json").json().array.isEmpty)
  }

  // In Unicode's order of small letters: Latin, “z” before “ä” and “ö”, then Greek, then Cyrillic. ö is written as one
  // letter and as two.
  @Test func `lists are sorted whatever the case of their letters`() throws {
    let sorted = [
      "alpha", "Beta", "Äpfel", "äpfel 2", "O\u{308}de", "öde 2", "Öde 3", "λόγος", "Λόγος 2",
      "Яблоко", "яблоко 2",
    ]
    let logbook = try LogbookOnDisk()
    let first = try #require(
      try logbook.fly(EvenRun("run", "2026-06-01T10:00:00Z", speed: 4, seconds: 30))["id"].string)
    for (index, name) in sorted.reversed().enumerated() {
      try logbook.runway("missions", name, "--pace", "5:00")
      try logbook.runway("tag", first, name)
      if index > 0 {
        try logbook.runway("import", "--force", logbook.folder.path("run.gpx"))
      }
    }
    for (flight, name) in zip(
      try logbook.runway("flights", "--json").json().array, sorted.reversed())
    {
      try logbook.runway("edit", try #require(flight["id"].string), "--name", name)
    }
    #expect(try logbook.names(["--sort", "name"]) == sorted)
    #expect(try logbook.names(["--sort", "name", "--reverse"]) == sorted.reversed())
    for command in ["missions", "tag"] {
      let names = try logbook.runway(command, "--json").json().array.map { $0["name"].string }
      #expect(names == sorted)
    }
    #expect(
      try logbook.runway("show", first, "--json").json()["tags"].array.map(\.string) == sorted)
  }

  @Test func `a mission is one, however it is written`() throws {
    let logbook = try logbook()
    try logbook.runway("missions", "Läufe", "--pace", "5:30")
    try logbook.runway("missions", "LÄUFE", "--pace", "5:00")
    let missions = try logbook.runway("missions", "--json").json().array
    #expect(missions.map { $0["name"].string } == ["Läufe"])
    #expect(missions.map { $0["pace"].double } == [300])
    let run = EvenRun("Third", "2026-06-03T10:00:00Z", speed: 4, seconds: 50)
    try logbook.fly(run, "--mission", "läufe")
    #expect(try logbook.names(["--mission", "LÄUFE"]) == ["Third"])
    #expect(try logbook.runway("missions", "--delete", "lÄufe").status == 0)
    #expect(try logbook.runway("missions", "--json").json().array.isEmpty)
  }
}

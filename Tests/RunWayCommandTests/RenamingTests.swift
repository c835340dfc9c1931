import Testing

/// Other names for missions and tags, and a mission's distance taken away.
@Suite struct RenamingTests {
  @Test func `a mission's flights tell its new name, and keep its numbers`() throws {
    let logbook = try LogbookOnDisk()
    try logbook.runway("missions", "tempo", "--pace", "5:00", "--distance", "5km")
    try logbook.fly(.alpha, "--mission", "tempo")
    let renamed = try logbook.runway("missions", "--rename", "TEMPO", "Läufe", "--json")
    #expect(renamed.status == 0)
    let mission = try renamed.json()[0]
    #expect(mission["name"].string == "Läufe")
    #expect(mission["flightCount"].int == 1)
    #expect(mission["pace"].double == 300)
    #expect(try logbook.runway("show", "latest").standardOutput.contains("(Läufe)"))
    #expect(try logbook.latest()["mission"]["distance"].double == 5_000)
    #expect(try logbook.latest()["mission"]["name"].string == "Läufe")
    #expect(try logbook.names(["--mission", "läufe"]) == ["Alpha run"])
    #expect(try logbook.runway("flights", "--mission", "tempo").status == 66)
    // Its own name, otherwise written.
    #expect(try logbook.runway("missions", "--rename", "läufe", "LÄUFE").status == 0)
    #expect(
      try logbook.runway("missions", "--json").json().array.map { $0["name"].string } == ["LÄUFE"])
    #expect(try logbook.runway("check").status == 0)
  }

  @Test func `a tag is renamed on all flights`() throws {
    let logbook = try LogbookOnDisk()
    for run in [EvenRun.alpha, .beta] {
      try logbook.fly(run)
      try logbook.runway("tag", "latest", "trail")
    }
    let renamed = try logbook.runway("tag", "--rename", "Trail", "forest", "--json")
    #expect(renamed.status == 0)
    let tags = try renamed.json().array
    #expect(tags.map { $0["name"].string } == ["forest"])
    #expect(tags.map { $0["flightCount"].int } == [2])
    #expect(try logbook.names(["--tag", "forest"]) == ["Beta", "Alpha run"])
    #expect(try logbook.latest()["tags"].array.map(\.string) == ["forest"])
    let written = try logbook.runway("tag", "--rename", "forest", "Forest")
    #expect(written.standardOutput == "TAG     FLIGHTS\nForest        2\n")
  }

  @Test func `a name that is unknown, taken or blank changes nothing`() throws {
    let logbook = try LogbookOnDisk()
    try logbook.fly(.alpha)
    for name in ["one", "Über"] {
      try logbook.runway("missions", name, "--pace", "5:00")
      try logbook.runway("tag", "latest", name)
    }
    let before = try [logbook.runway("missions"), logbook.runway("tag")].map(\.standardOutput)
    for (command, what) in [("missions", "mission"), ("tag", "tag")] {
      let refusals: [(arguments: [String], status: Int32, message: String)] = [
        (["none", "two"], 66, "there is no \(what) “none”"),
        (["one", "ÜBER"], 64, "there is a \(what) “ÜBER” already"),
        (["über", "ONE"], 64, "there is a \(what) “ONE” already"),
        (["one", " "], 64, "a \(what) needs a name"),
      ]
      for refusal in refusals {
        let result = try logbook.runway([command, "--rename"] + refusal.arguments)
        #expect(result.status == refusal.status)
        #expect(result.standardError == "runway: \(refusal.message)\n")
        #expect(result.standardOutput == "")
      }
      for arguments in [["one"], ["one", "two", "three"], ["one", "--delete", "one"]] {
        #expect(try logbook.runway([command, "--rename"] + arguments).status == 64)
      }
    }
    #expect(try logbook.runway("missions", "--rename", "one", "two", "--pace", "5:00").status == 64)
    #expect(try logbook.runway("tag", "--rename", "one", "two", "--remove").status == 64)
    #expect(
      try [logbook.runway("missions"), logbook.runway("tag")].map(\.standardOutput) == before)
  }

  @Test(arguments: ["missions", "tag"])
  func `nothing is made where there is nothing to rename`(command: String) throws {
    let logbook = try LogbookOnDisk()
    #expect(try logbook.runway(command, "--rename", "one", "two").status == 66)
    #expect(try logbook.folder.names == [])
  }

  @Test func `a mission's distance can be taken away`() throws {
    let logbook = try LogbookOnDisk()
    try logbook.runway(
      "missions", "tempo", "--pace", "5:00", "--tolerance", "8", "--distance", "1km")
    try logbook.fly(.alpha, "--mission", "tempo")
    let mission = try logbook.runway("missions", "tempo", "--no-distance", "--json").json()[0]
    #expect(mission["distance"].isNull)
    #expect(mission["pace"].double == 300)
    #expect(mission["tolerance"].double == 8)
    #expect(try logbook.latest()["mission"]["distance"].double == 1_000)
    let unknown = try logbook.runway("missions", "none", "--no-distance")
    #expect(unknown.status == 66)
    #expect(unknown.standardError == "runway: there is no mission “none”\n")
    for arguments in [
      ["tempo", "--no-distance", "--distance", "5km"], ["--no-distance"],
      ["--delete", "tempo", "--no-distance"],
    ] {
      #expect(try logbook.runway(["missions"] + arguments).status == 64)
    }
  }
}

import Testing

/// What may be a tag's name, and how a tag is called.
@Suite struct TagNameTests {
  @Test func `a comma is refused, for tags are listed by commas`() throws {
    let logbook = try LogbookOnDisk()
    try logbook.fly(.alpha)
    try logbook.runway("tag", "latest", "race")
    for arguments in [["latest", "fine", "hilly,long"], ["--rename", "race", "hilly,long"]] {
      let refused = try logbook.runway(["tag"] + arguments)
      #expect(refused.status == 64)
      #expect(
        refused.standardError == "runway: a tag's name holds no comma, as “hilly,long” does\n")
    }
    #expect(try logbook.latest()["tags"].array.map(\.string) == ["race"])
  }

  @Test func `a mark before a name is none of it`() throws {
    let logbook = try LogbookOnDisk()
    try logbook.fly(.alpha)
    try logbook.runway("tag", "latest", "#race", "race", "##hilly")
    #expect(try logbook.latest()["tags"].array.map(\.string) == ["hilly", "race"])
    #expect(try logbook.runway("flights").standardOutput.contains(" #hilly #race "))
    #expect(try logbook.names(["--tag", "#Race"]) == ["Alpha run"])
    #expect(try logbook.runway("tag", "latest", "--remove", "#race").status == 0)
    #expect(try logbook.runway("tag", "--rename", "#hilly", "#steep").status == 0)
    #expect(try logbook.latest()["tags"].array.map(\.string) == ["steep"])
    #expect(try logbook.runway("tag", "--delete", "#race").status == 0)
    let blank = try logbook.runway("tag", "latest", "#")
    #expect(blank.status == 64)
    #expect(blank.standardError == "runway: a tag needs a name\n")
  }

  @Test(.enabled(if: SQLiteShell.isInstalled, "needs the sqlite3 shell"))
  func `a tag that was named otherwise once is still found`() throws {
    let logbook = try LogbookOnDisk()
    try logbook.fly(.alpha)
    try logbook.runway("tag", "latest", "one", "two")
    _ = try SQLiteShell.run("UPDATE tag SET name = '#race' WHERE name = 'one'", on: logbook.path)
    _ = try SQLiteShell.run("UPDATE tag SET name = 'a,b' WHERE name = 'two'", on: logbook.path)
    #expect(try logbook.names(["--tag", "#race"]) == ["Alpha run"])
    #expect(try logbook.names(["--tag", "a,b"]) == ["Alpha run"])
    #expect(try logbook.runway("tag", "--rename", "#race", "race").status == 0)
    #expect(try logbook.runway("tag", "--rename", "a,b", "c").status == 0)
    #expect(try logbook.latest()["tags"].array.map(\.string) == ["c", "race"])
  }

  @Test func `a name that nothing bears is quoted`() throws {
    let logbook = try LogbookOnDisk()
    try logbook.fly(.alpha)
    for arguments in [
      ["tag", "--delete", ""], ["tag", "--rename", "", "x"], ["flights", "--tag", ""],
    ] {
      let result = try logbook.runway(arguments)
      #expect(result.status == 66)
      #expect(result.standardError == "runway: there is no tag “”\n")
    }
    for arguments in [
      ["missions", ""], ["missions", "--delete", ""], ["flights", "--mission", ""],
    ] {
      let result = try logbook.runway(arguments)
      #expect(result.status == 66)
      #expect(result.standardError == "runway: there is no mission “”\n")
    }
  }
}

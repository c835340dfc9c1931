import Foundation
import Testing

/// What cannot be a logbook is refused by every command, and nothing is made beside it.
@Suite struct LogbookPlaceTests {
  private static let commands = [
    "import STOPS", "import --dry-run STOPS", "import FOLDER", "replay STOPS",
    "replay --no-store STOPS",
    "replay --resume STOPS", "replay --flight latest", "replay --flight latest --store --pace 5:00",
    "flights", "flights --sort name --limit 1", "show latest", "alerts", "stats",
    "edit latest --name x", "tag", "tag latest", "tag latest x", "tag latest x --remove",
    "tag --rename x y", "tag --delete x", "missions", "missions x", "missions x --pace 5:00",
    "missions --rename x y", "missions --delete x", "delete latest --yes", "export latest",
    "export --all -o FOLDER/out.gpx", "export --all --format logbook -o FOLDER/out.runway",
    "backup FOLDER/copy.sqlite", "check", "check --repair", "logbook", "logbook --weight 70",
  ]

  private func expectRefusal(of path: String, as noun: String) throws {
    let inputs = try TemporaryFolder()
    for command in Self.commands {
      let arguments = command.split(separator: " ").map(String.init).map {
        $0.replacing("STOPS", with: Fixture.path("stops.gpx")).replacing(
          "FOLDER", with: inputs.path)
      }
      for isNamed in [true, false] {
        let result = try RunwayProcess.run(
          arguments + (isNamed ? ["--logbook", path] : []),
          environment: isNamed ? [:] : ["RUNWAY_LOGBOOK": path])
        #expect(result.status == 74, "\(command)")
        #expect(
          result.standardError == "runway: \(path) cannot be opened: it is \(noun)\n", "\(command)")
        #expect(result.standardOutput == "", "\(command)")
      }
    }
    #expect(try inputs.names == [])
  }

  @Test func `a device is no logbook`() throws {
    let folder = try TemporaryFolder()
    let link = folder.path("link")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "/dev/null")
    try expectRefusal(of: "/dev/null", as: "a device")
    try expectRefusal(of: link, as: "a device")
    let devices = try FileManager.default.contentsOfDirectory(atPath: "/dev")
    #expect(devices.filter { $0.hasPrefix("null") } == ["null"])
    #expect(try folder.names == ["link"])
  }

  @Test func `a pipe is no logbook`() throws {
    let folder = try TemporaryFolder()
    try #require(mkfifo(folder.path("pipe"), 0o600) == 0)
    try expectRefusal(of: folder.path("pipe"), as: "a pipe")
    #expect(try folder.names == ["pipe"])
  }

  @Test func `a socket is no logbook`() throws {
    let folder = try TemporaryFolder()
    // `mknod` makes a socket's name without a process that listens: https://man7.org/linux/man-pages/man2/mknod.2.html
    try #require(mknod(folder.path("socket"), S_IFSOCK | 0o600, 0) == 0)
    try expectRefusal(of: folder.path("socket"), as: "a socket")
    #expect(try folder.names == ["socket"])
  }

  @Test func `a folder is no logbook`() throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      atPath: folder.path("folder"), withIntermediateDirectories: false)
    try expectRefusal(of: folder.path("folder"), as: "a folder")
    #expect(try folder.names == ["folder"])
  }
}

/// A logbook is made no sooner than there is something to store.
@Suite struct LogbookBirthTests {
  @Test(arguments: [["import"], ["replay"], ["replay", "--salvage"]])
  func `what is no track makes no logbook`(arguments: [String]) throws {
    let logbook = try LogbookOnDisk()
    let inputs = try TemporaryFolder()
    try inputs.write("SQLite format 3\u{0} and no more", to: "broken.sqlite")
    try inputs.write("a letter\n", to: "letter.txt")
    try inputs.write("<gpx><trk><trkseg><trkpt ", to: "broken.gpx")
    for name in try inputs.names {
      #expect(try logbook.runway(arguments + [inputs.path(name)]).status == 65, "\(name)")
    }
    #expect(try logbook.runway(arguments + [inputs.path("none.gpx")]).status == 66)
    #expect(try logbook.folder.names == [])
    // Once there is a track among them, it is made and the rest is done.
    #expect(try logbook.runway("import", inputs.path, Fixture.path("stops.gpx")).status == 1)
    #expect(try logbook.flightCount() == 1)
  }

  @Test func `an empty folder makes no logbook`() throws {
    let logbook = try LogbookOnDisk()
    let empty = try TemporaryFolder()
    #expect(try logbook.runway("import", empty.path).status == 0)
    #expect(try logbook.folder.names == [])
    #expect(try logbook.runway("replay", Fixture.path("stops.gpx")).status == 0)
    #expect(try logbook.flightCount() == 1)
  }
}

import Foundation
import Testing

/// What the command prints for people, whole: a change of it is seen in review.
///
/// The numbers are held against independent ones elsewhere (`FixtureTests`); here it is their dress that counts. To record
/// anew: `RUNWAY_RECORD_SNAPSHOTS=1 swift test --filter SnapshotTests`.
@Suite struct SnapshotTests {
  struct Scene: CustomTestStringConvertible, Sendable {
    /// The snapshot's file name.
    var name: String
    /// The command lines, run one after another on one logbook in the folder of the fixtures.
    var commands: [String]

    var testDescription: String { name }
  }

  private static let mission = "--pace 5:30 --tolerance 15 --distance 10km"

  static let scenes = [
    Scene(
      name: "import",
      commands: [
        "import \(mission) ten-kilometres.gpx stops.gpx damaged route-only.gpx",
        "import stops.gpx", "import --dry-run midnight.gpx", "import nowhere.gpx",
      ]),
    Scene(
      name: "lists",
      commands: [
        "import ten-kilometres.gpx stops.gpx midnight.gpx date-line.gpx \(mission)",
        "tag latest race hilly", "edit latest --name 10-km-Lauf", "flights",
        "flights --sort distance",
        "flights --units imperial --tz Asia/Tokyo", "alerts", "alerts --state overspeed --limit 1",
        "stats --by month", "tag",
      ]),
    Scene(
      name: "show",
      commands: [
        "import ten-kilometres.gpx \(mission)", "show latest", "show latest --units imperial",
      ]),
    Scene(
      name: "replay",
      commands: ["replay ten-kilometres.nmea \(mission)", "replay --no-store untimed.gpx"]),
    Scene(
      name: "missions",
      commands: [
        "missions tempo --pace 4:45 --tolerance 8", "missions", "import stops.gpx --mission tempo",
        "missions tempo", "missions --delete tempo",
      ]),
    Scene(
      name: "usage",
      commands: [
        "", "--version", "fly", "import", "import --pace 5:60 stops.gpx", "show", "show 0000",
        "replay --speed 0", "flights --until yesterday --since tomorrow",
      ]),
    Scene(
      name: "help",
      commands: ["help"]
        + [
          "import", "replay", "flights", "show", "alerts", "stats", "edit", "tag", "missions",
          "delete", "export", "backup", "check", "logbook", "completions",
        ].map { "\($0) --help" }),
  ]

  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("Snapshots")

  @Test(arguments: scenes)
  func `what is printed is what was agreed on`(scene: Scene) throws {
    let logbook = try LogbookOnDisk()
    var names = StableNames()
    var text = ""
    for command in scene.commands {
      let result = try RunwayProcess.run(
        command.split(separator: " ").map(String.init),
        environment: ["RUNWAY_LOGBOOK": logbook.path], folder: Fixture.folder)
      text += "$ runway \(command)\n" + names.replacing(in: result.standardOutput)
      if !result.standardError.isEmpty {
        text += "-- on standard error\n" + names.replacing(in: result.standardError)
      }
      text += "-- status \(result.status)\n\n"
    }
    let file = Self.folder.appendingPathComponent("\(scene.name).txt")
    let isKnown = FileManager.default.fileExists(atPath: file.path)
    let records = ProcessInfo.processInfo.environment["RUNWAY_RECORD_SNAPSHOTS"] != nil
    if records || !isKnown {
      try FileManager.default.createDirectory(at: Self.folder, withIntermediateDirectories: true)
      try text.write(to: file, atomically: true, encoding: .utf8)
      if !isKnown { Issue.record("\(file.lastPathComponent) was missing, and is recorded now") }
      return
    }
    let agreed = try String(contentsOf: file, encoding: .utf8)
    #expect(text == agreed)
  }
}

/// Gives identities, which are made by chance, names of the same width in the order of their coming.
private struct StableNames {
  private var names: [String: String] = [:]

  mutating func replacing(in text: String) -> String {
    text.replacing(#/\b([0-9a-f]{8})((?:-[0-9a-f]{4}){3}-[0-9a-f]{12})?\b/#) { match in
      let id = String(match.output.1)
      let name = names[id] ?? "id-" + String(format: "%05d", names.count + 1)
      names[id] = name
      return match.output.2 == nil ? name : name + "-0000-4000-8000-000000000000"
    }
  }
}

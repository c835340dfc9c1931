import Foundation
import RunWayModel

/// Writes `Fixtures/`, or a track of any length for the benchmarks.
@main
enum FixtureGenerator {
  static let usage = """
    Usage: runway-fixtures [FOLDER]              write the fixtures, by default to Fixtures
           runway-fixtures gpx|nmea COUNT FILE   write a track of so many points or epochs
           runway-fixtures folder FILES COUNT FOLDER   write so many GPX files of so many points

    """

  static func main() throws {
    let arguments = CommandLine.arguments.dropFirst()
    switch (arguments.first, arguments.count) {
    case (nil, 0):
      try writeFixtures(to: "Fixtures")
    case ("gpx", 3), ("nmea", 3):
      guard let count = Int(arguments[2]), count > 0 else { return exitWithUsage() }
      try writeTrack(EndlessTrack(count: count), format: arguments[1], to: arguments[3])
    case ("folder", 4):
      guard let files = Int(arguments[2]), let count = Int(arguments[3]), count > 0 else {
        return exitWithUsage()
      }
      try FileManager.default.createDirectory(
        atPath: arguments[4], withIntermediateDirectories: true)
      for number in 0..<files {
        try writeTrack(
          EndlessTrack(count: count, number: number), format: "gpx",
          to: "\(arguments[4])/\(number).gpx")
      }
    case (let folder?, 1) where !folder.hasPrefix("-"):
      try writeFixtures(to: folder)
    default:
      exitWithUsage()
    }
  }

  private static func writeFixtures(to folder: String) throws {
    for fixture in Fixture.catalogue {
      let file = URL(filePath: folder).appending(path: fixture.path)
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(fixture.bytes).write(to: file)
    }
  }

  private static func writeTrack(
    _ track: EndlessTrack, format: String, to path: String
  ) throws {
    try Output.write(to: path) { output in
      if format == "gpx" {
        track.writeGPX(to: output)
      } else {
        track.writeNMEA(to: output)
      }
    }
  }

  private static func exitWithUsage() {
    FileHandle.standardError.write(Data(usage.utf8))
    exit(64)
  }
}

/// A file that is written piece by piece.
struct Output {
  private let file: FileHandle

  static func write(to path: String, _ body: (Output) throws -> Void) throws {
    guard FileManager.default.createFile(atPath: path, contents: nil) else {
      throw CocoaError(.fileWriteUnknown)
    }
    let file = try FileHandle(forWritingTo: URL(filePath: path))
    try body(Output(file: file))
    try file.close()
  }

  func write(_ bytes: [UInt8]) {
    file.write(Data(bytes))
  }
}

import Foundation
import Testing

/// Logbooks among the inputs of an import.
@Suite struct MixedInputTests {
  /// A logbook of one free flight of its own.
  private func document(in folder: TemporaryFolder) throws -> String {
    let source = try LogbookOnDisk()
    try source.fly(.alpha)
    let path = folder.path("run.runway")
    try #require(
      source.runway("export", "latest", "--format", "logbook", "-o", path).status == 0)
    return path
  }

  @Test(arguments: [false, true])
  func `what is said of tracks is said of tracks alone`(logbookIsFirst: Bool) throws {
    let logbook = try LogbookOnDisk()
    let document = try document(in: logbook.folder)
    let track = try logbook.folder.write(EvenRun.beta.gpx, to: "Beta.gpx")
    let result = try logbook.runway(
      ["import", "--json"] + (logbookIsFirst ? [document, track] : [track, document]) + [
        "--join", "--salvage", "--format", "gpx", "--max-speed", "9", "--date", "2026-06-05",
        "--pace", "5:00", "--tolerance", "20", "--distance", "1km",
      ])
    #expect(result.status == 0)
    #expect(result.standardError == "")
    let flights = try result.jsonLines().map { $0["flight"] }
    #expect(
      flights.map { $0["name"].string }
        == (logbookIsFirst ? ["Alpha run", "Beta"] : ["Beta", "Alpha run"]))
    for flight in flights {
      let isTrack = flight["name"].string == "Beta"
      #expect(flight["mission"]["pace"].double == (isTrack ? 300 : nil))
      #expect(flight["maxSpeed"].double == (isTrack ? 9 : 12.5))
    }
  }

  @Test func `a piped logbook is told to be saved first`() async throws {
    let folder = try TemporaryFolder()
    _ = try document(in: folder)
    let result = try await script(
      #"""
      cat "$1/run.runway" | "$RUNWAY" import "$STOPS" -
      echo "status $?"
      "$RUNWAY" import - < "$1/run.runway"
      echo "status $?"
      ls "$1"
      """#, folder: folder)
    #expect(result.lines.first?.hasPrefix("imported ") == true)
    #expect(
      result.lines.dropFirst().filter { !$0.hasPrefix("logbook.sqlite-") }
        == ["status 1", "status 65", "logbook.sqlite", "run.runway"])
    let message = "-: a logbook is not read from a pipe: save it as a file, and import that"
    #expect(
      result.standardError == "\(message)\n1 imported, 1 failed\n\(message)\n")
  }
}

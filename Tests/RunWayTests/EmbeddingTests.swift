import Foundation
import RunWayLogbook
import RunWayModel
import Testing

@Suite struct `Embedding the library` {
  static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
  }

  @Test @MainActor func `the example flies a file and stores it with its alerts`() async throws {
    let logbook = try Logbook()
    let mission = Mission(
      pace: Pace(secondsPerKilometer: 330), tolerance: 15, distance: .kilometers(10))
    let path = Self.root.appendingPathComponent("Fixtures/ten-kilometres.gpx").path
    let report = try await record(path, mission: mission, in: logbook)
    // The fixture strays so that each alert occurs.
    #expect(Set(report.alerts.map(\.state)) == [.sinkRate, .overspeed, .minimums])
    let flight = try #require(try logbook.flights().first)
    #expect(flight.alertCount == report.alerts.count)
    #expect(flight.totals == report.totals)
    #expect(flight.source.path == path)
  }

  @Test(arguments: ["README.md", "Sources/RunWay.docc/RunWay.md"])
  func `the documents show the example as it is compiled`(path: String) throws {
    let source = try Self.text("Tests/RunWayTests/EmbeddingExample.swift")
    let example = try #require(
      source.components(separatedBy: "// example:embedding\n").last?
        .components(separatedBy: "// example:end").first)
    #expect(example.count > 400)
    #expect(try Self.text(path).contains("```swift\n\(example)```"))
  }
}

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
    try await record(path, mission: mission, in: logbook)
    let flight = try #require(try logbook.flights().first)
    // The fixture strays so that each alert occurs.
    #expect(
      Set(try logbook.alerts(of: flight.id).map(\.state)) == [.sinkRate, .overspeed, .minimums])
    #expect(flight.name == "Ten kilometres")
    #expect(flight.source.path == path)
  }

  @Test @MainActor func `the example stores every track of a file, and dates a log by its end`()
    async throws
  {
    let logbook = try Logbook()
    for name in ["multi-track.gpx", "late-date.nmea"] {
      let path = Self.root.appendingPathComponent("Fixtures/\(name)").path
      try await record(path, mission: nil, in: logbook)
    }
    let flights = try logbook.flights()
    let tracks =
      try Self.text("Fixtures/multi-track.gpx").components(separatedBy: "<trk>").count - 1
    #expect(flights.count == tracks + 1)
    // The log's first sentences bear no date.
    #expect(flights.allSatisfy { $0.totals.startedAt?.iso8601.hasPrefix("2026-06-") == true })
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

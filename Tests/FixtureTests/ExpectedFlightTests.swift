import Foundation
import RunWayIngest
import RunWayModel
import RunWayTracking
import Testing

/// What `Tests/Tools/reference.py` computed of a fixture's track.
struct ExpectedFlight: Decodable, Sendable, CustomTestStringConvertible {
  struct Mission: Decodable, Sendable {
    var pace: Double
    var tolerance: Double
    var distance: Double
  }

  struct Split: Decodable, Sendable {
    var distance: Double
    var elapsedTime: Double
    var movingTime: Double
    var elevationGain: Double
    var elevationLoss: Double
  }

  struct BestEffort: Decodable, Sendable {
    var name: String
    var elapsedTime: Double
    var startDistance: Double
  }

  struct Alert: Decodable, Sendable {
    var state: String
    var timestamp: String
    var endedAt: String
    var distance: Double
    var pace: Double?
  }

  var file: String
  var track: Int
  var points: Int
  var segments: Int
  var startedAt: String
  var endedAt: String
  var rawDistance: Double
  var distance: Double
  var elapsedTime: Double
  var movingTime: Double
  var elevationGain: Double
  var elevationLoss: Double
  var splits: [Split]
  var mileSplits: [Split]
  var bestEfforts: [BestEffort]
  var mission: Mission?
  var alerts: [Alert]?

  var testDescription: String { "\(file), track \(track)" }

  static let all: [ExpectedFlight] = {
    let file = Fixtures.folder.appending(path: "expected.json")
    guard let data = try? Data(contentsOf: file) else { return [] }
    return (try? JSONDecoder().decode([ExpectedFlight].self, from: data)) ?? []
  }()
}

@Suite struct `What the fixtures amount to` {
  @Test func `has been computed`() {
    #expect(ExpectedFlight.all.count >= 10)
  }

  @Test(arguments: ExpectedFlight.all)
  func `agrees with the independent computation`(expected: ExpectedFlight) throws {
    let report = try fly(expected)
    let totals = report.totals

    #expect(totals.coordinateCount == expected.points)
    #expect(totals.discarded.total == 0)
    #expect(totals.segmentCount == expected.segments)
    #expect(totals.startedAt?.iso8601 == expected.startedAt)
    #expect(totals.endedAt?.iso8601 == expected.endedAt)
    #expect(isClose(totals.rawDistance.meters, expected.rawDistance))
    #expect(isClose(totals.distance.meters, expected.distance))
    #expect(isClose(totals.elapsedTime, expected.elapsedTime))
    #expect(isClose(totals.movingTime, expected.movingTime))
    #expect(isClose(totals.elevationGain, expected.elevationGain))
    #expect(isClose(totals.elevationLoss, expected.elevationLoss))
    expectSplits(report.kilometerSplits, expected.splits)
    expectSplits(report.mileSplits, expected.mileSplits)

    #expect(report.bestEfforts.map(\.kind.rawValue) == expected.bestEfforts.map(\.name))
    for (effort, other) in zip(report.bestEfforts, expected.bestEfforts) {
      #expect(isClose(effort.elapsedTime, other.elapsedTime))
      #expect(isClose(effort.startDistance.meters, other.startDistance))
    }
    expectAlerts(report.alerts, expected.alerts ?? [])
  }

  private func expectSplits(_ splits: [Split], _ expected: [ExpectedFlight.Split]) {
    #expect(splits.count == expected.count)
    for (split, other) in zip(splits, expected) {
      #expect(isClose(split.distance.meters, other.distance))
      #expect(isClose(split.elapsedTime, other.elapsedTime))
      #expect(isClose(split.movingTime, other.movingTime))
      #expect(isClose(split.elevationGain, other.elevationGain))
      #expect(isClose(split.elevationLoss, other.elevationLoss))
    }
  }

  private func expectAlerts(_ alerts: [Alert], _ expected: [ExpectedFlight.Alert]) {
    #expect(alerts.map(\.state.rawValue) == expected.map(\.state))
    for (alert, other) in zip(alerts, expected) {
      #expect(alert.timestamp.iso8601 == other.timestamp)
      #expect(alert.endedAt?.iso8601 == other.endedAt)
      #expect(isClose(alert.distance.meters, other.distance))
      #expect(isClose(alert.pace?.secondsPerKilometer, other.pace))
    }
  }

  /// The reference gives six decimals; steps of 3 m differ from GeographicLib's by less than 10⁻¹⁰ of them.
  private func isClose(_ value: Double?, _ expected: Double?) -> Bool {
    guard let value, let expected else { return value == nil && expected == nil }
    return abs(value - expected) < 1e-4
  }

  /// Decodes the track and flies it.
  private func fly(_ expected: ExpectedFlight) throws -> FlightReport {
    let bytes = try Fixtures.bytes(expected.file)
    let tracks =
      expected.file.hasSuffix(".gpx")
      ? try tracks(of: bytes, by: GPXDecoder()) : try tracks(of: bytes, by: NMEADecoder())
    try #require(tracks.indices.contains(expected.track))
    let mission = expected.mission.map { mission in
      Mission(
        pace: Pace(secondsPerKilometer: mission.pace), tolerance: mission.tolerance,
        distance: .meters(mission.distance))
    }
    var computer = FlightComputer(mission: mission)
    var update = FlightUpdate()
    computer.process(tracks[expected.track], into: &update)
    return computer.finish(into: &update)
  }

  private func tracks(
    of bytes: [UInt8], by decoder: some LocationDecoder
  ) throws -> [[Location]] {
    var decoder = decoder
    var elements: [TrackElement] = []
    try bytes.withUnsafeBytes { try decoder.consume($0, into: &elements) }
    try decoder.finish(into: &elements)
    var tracks: [[Location]] = []
    for element in elements {
      switch element {
      case .began: tracks.append([])
      case .locations(let locations): tracks[tracks.count - 1] += locations
      case .redated, .ended: break
      }
    }
    return tracks
  }
}

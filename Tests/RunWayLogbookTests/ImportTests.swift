import RunWayLogbook
import RunWayModel
import Testing

@MainActor @Suite struct ImportTests {
  @Test func `a stored flight comes back as it was given`() throws {
    let logbook = try Logbook(.inMemory)
    let mission = Mission(pace: Pace(secondsPerKilometer: 330), distance: .kilometers(10))
    let locations = Samples.locations(300)
    let report = Samples.report(
      locations, alerts: [Samples.alert(0), Samples.alert(1, .minimums, at: 200)])
    let transaction = try logbook.beginImport()
    let header = NewFlight(
      source: FlightSource(path: "run.gpx", format: .gpx), mission: mission)
    let outcome = try transaction.store(
      header, locations: locations, discards: [Discard(order: 5, reason: .spike)],
      report: report, info: TrackInfo(name: "Run", creator: "Watch", calories: 512),
      rejected: ["time": 3])
    try transaction.commit()
    #expect(outcome == .stored(header.id))

    let flight = try logbook.flight(matching: "latest")
    var expected = Flight(
      id: header.id, name: "Run",
      source: FlightSource(path: "run.gpx", format: .gpx, creator: "Watch"), mission: mission,
      totals: report.totals, rejected: ["time": 3], alertCount: 2, calories: 512, fuel: 512)
    expected.options = FlightOptions()
    #expect(flight == expected)
    #expect(try logbook.alerts(of: header.id) == report.alerts)
    #expect(try logbook.splits(of: header.id, unit: .kilometer) == report.kilometerSplits)
    #expect(try logbook.splits(of: header.id, unit: .mile) == report.mileSplits)
    #expect(
      try logbook.bestEfforts(of: header.id).map(\.kind) == [.fourHundredMeters, .oneKilometer])
    let coordinates = try logbook.coordinates(of: header.id)
    #expect(coordinates.map(\.location) == locations)
    #expect(coordinates.map(\.order) == Array(0..<300))
    #expect(coordinates.filter { $0.discarded != nil }.map(\.order) == [5])
  }
}

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

  @Test func `an input that was undone lets others write until the next flight`() async throws {
    try await withTemporaryFolder { folder in
      let path = "\(folder)/logbook.sqlite"
      let one = try Logbook(.file(path))
      let other = try Logbook(.file(path))
      let transaction = try one.beginImport()
      try transaction.beginFlight(NewFlight())
      try transaction.append(Samples.locations(100))
      try transaction.undoInput()
      try Samples.store(in: other, seed: 1)
      let locations = Samples.locations(10, seed: 2)
      // What was stored in the meantime is known.
      let known = Samples.locations(10, seed: 1)
      let outcome = try transaction.store(
        NewFlight(), locations: known, report: Samples.report(known))
      #expect(try outcome == .duplicate(of: #require(try other.flights().first).id))
      let header = NewFlight()
      #expect(
        try transaction.store(header, locations: locations, report: Samples.report(locations))
          == .stored(header.id))
      try transaction.commit()
      #expect(try one.flights().count == 2)
    }
  }
}

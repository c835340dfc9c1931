import RunWayLogbook
import RunWayModel
import RunWaySamples
import Testing

@MainActor struct SampleLogbookTests {
  @Test
  func `the sample logbook holds the sample flights, newest first`() throws {
    let logbook = try Logbook.sample()
    let flights = try logbook.flights()
    #expect(flights.map(\.name) == SampleFlight.all.reversed().map(\.info.name))
    #expect(logbook.location == .inMemory)
    for (flight, sample) in zip(flights, SampleFlight.all.reversed()) {
      #expect(flight.mission == sample.mission)
      #expect(try logbook.coordinates(of: flight.id).count == sample.locations.count)
    }
  }

  @Test
  func `its flights are measured and judged`() throws {
    let logbook = try Logbook.sample()
    let longest = try #require(try logbook.flights(sort: .longestFirst, limit: 1).first)
    #expect(longest.name == "Ten kilometres")
    // Its stages add up to 10,040 m, and its pace strays by 1 %, both ways.
    #expect(abs(longest.totals.distance.meters - 10_040) < 10)
    let alerts = try logbook.alerts(where: AlertFilter(flight: longest.id))
    // Newest first: the finish, the slow 400 m, the fast 800 m, the slow 600 m.
    #expect(alerts.map(\.alert.state) == [.minimums, .sinkRate, .overspeed, .sinkRate])
    #expect(try logbook.splits(of: longest.id, unit: .kilometer).count == 11)
    #expect(try logbook.bestEfforts(of: longest.id).last?.kind == .tenKilometers)
    #expect(try logbook.check().isEmpty)
  }

  @Test
  func `logbooks open at the same time do not touch each other`() throws {
    let one = try Logbook.sample()
    let other = try Logbook.sample()
    let latest = try #require(try one.flights(limit: 1).first)
    try one.rename(latest.id, to: "Renamed")
    try one.tag(latest.id, "race")
    try other.delete(other.flights().dropFirst().map(\.id))
    #expect(try one.flights().count == SampleFlight.all.count)
    #expect(try other.flights().count == 1)
    #expect(try other.flights().first?.name == "Round the moat")
    #expect(try other.tags().isEmpty)
  }
}

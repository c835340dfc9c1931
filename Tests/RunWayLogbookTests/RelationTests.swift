import RunWayModel
import Testing

@testable import RunWayLogbook

/// Relations, and changing what is stored.
@MainActor @Suite struct RelationTests {
  @Test func `deleting a flight deletes its children and keeps its tags`() throws {
    let logbook = try Logbook(.inMemory)
    let first = try Samples.store(in: logbook, seed: 1, alerts: [Samples.alert(0)])
    let second = try Samples.store(in: logbook, seed: 2, alerts: [Samples.alert(0)])
    try logbook.tag(first, "hills")
    try logbook.tag(second, "hills")
    try logbook.delete([first])
    for table in ["flight", "coordinate", "alert", "split", "bestEffort", "flightTag"] {
      let key = table == "flight" ? "key" : "flight"
      let keys = try logbook.connection.rows("SELECT DISTINCT \(key) FROM \(table)") { $0.int(0) }
      #expect(keys == [2], "\(table)")
    }
    #expect(try logbook.tags().map(\.name) == ["hills"])
    #expect(try logbook.tags().map(\.flightCount) == [1])
    try logbook.deleteTag("HILLS")
    #expect(try logbook.flight(second)?.tags == [])
  }

  @Test func `deleting is all or nothing`() throws {
    let logbook = try Logbook(.inMemory)
    let id = try Samples.store(in: logbook)
    let error = #expect(throws: LogbookError.self) {
      try logbook.delete([id, FlightID(rawValue: "none")])
    }
    #expect(error?.message == "there is no flight none")
    #expect(try logbook.flightCount() == 1)
  }

  @Test func `tags are put on and taken off all or none`() throws {
    let logbook = try Logbook(.inMemory)
    let id = try Samples.store(in: logbook)
    #expect(throws: LogbookError.self) { try logbook.tag(id, ["hills", " "]) }
    #expect(try logbook.tags().isEmpty)
    try logbook.tag(id, ["hills", "club"])
    let error = #expect(throws: LogbookError.self) { try logbook.untag(id, ["hills", "none"]) }
    #expect(error?.code == .notFound)
    #expect(try logbook.flight(id)?.tags == ["club", "hills"])
    try logbook.untag(id, ["hills", "CLUB"])
    #expect(try logbook.flight(id)?.tags == [])
    #expect(try logbook.tags().count == 2)
  }

  @Test func `deleting a mission keeps the flights and their numbers`() throws {
    let logbook = try Logbook(.inMemory)
    let tempo = Mission(pace: Pace(secondsPerKilometer: 300), tolerance: 8)
    try logbook.saveMission(tempo, named: "Tempo")
    let id = try Samples.store(in: logbook, NewFlight(mission: tempo, missionName: "tempo"))
    #expect(try logbook.flight(id)?.missionName == "Tempo")
    #expect(try logbook.missions().map(\.flightCount) == [1])
    let slower = Mission(pace: Pace(secondsPerKilometer: 320))
    try logbook.saveMission(slower, named: "TEMPO")
    #expect(try logbook.mission(named: "Tempo") == slower)
    #expect(try logbook.flight(id)?.mission == tempo)
    try logbook.deleteMission(named: "Tempo")
    let flight = try #require(try logbook.flight(id))
    #expect(flight.missionName == nil)
    #expect(flight.mission == tempo)
    #expect(throws: LogbookError.self) { try logbook.deleteMission(named: "Tempo") }
    #expect(throws: LogbookError.self) { try logbook.saveMission(tempo, named: " ") }
  }

  @Test func `the inverse of each relation can be read`() throws {
    let logbook = try Logbook(.inMemory)
    let id = try Samples.store(in: logbook, alerts: [Samples.alert(0)])
    try logbook.tag(id, "hills")
    let alert = try #require(try logbook.alerts().first)
    #expect(alert.id == "\(id)/0")
    #expect(try logbook.flight(of: alert)?.id == id)
    var filter = FlightFilter()
    filter.tag = "Hills"
    #expect(try logbook.flights(where: filter).map(\.id) == [id])
  }

  @Test func `notes, name and type can be changed and removed`() throws {
    let logbook = try Logbook(.inMemory)
    let id = try Samples.store(in: logbook)
    try logbook.rename(id, to: "Fog")
    try logbook.setNotes("Cold.\u{0}Wet.", of: id)
    try logbook.setType("trail", of: id)
    var flight = try #require(try logbook.flight(id))
    #expect(flight.name == "Fog")
    #expect(flight.notes == "Cold.\u{0}Wet.")
    #expect(flight.type == "trail")
    try logbook.setNotes(nil, of: id)
    try logbook.rename(id, to: "")
    flight = try #require(try logbook.flight(id))
    #expect(flight.notes == nil)
    #expect(flight.name == "")
    #expect(throws: LogbookError.self) {
      try logbook.rename(FlightID(rawValue: "x"), to: nil)
    }
  }

  @Test func `fuel follows the weight unless the source says it`() throws {
    let logbook = try Logbook(.inMemory)
    // 400 locations of 3 m each: 1.2 km.
    let id = try Samples.store(in: logbook, count: 400)
    #expect(try logbook.flight(id)?.fuel == nil)
    try logbook.setWeight(70)
    // 1.036 kcal × 70 kg × 1.2 km
    #expect(abs((try logbook.flight(id)?.fuel ?? 0) - 87.024) < 1e-9)
    try logbook.setWeight(nil)
    #expect(try logbook.flight(id)?.fuel == nil)
  }

  @Test func `judging anew replaces the alerts and leaves the coordinates`() throws {
    let logbook = try Logbook(.inMemory)
    let id = try Samples.store(in: logbook, count: 20, alerts: [Samples.alert(0)])
    let mission = Mission(pace: Pace(secondsPerKilometer: 290))
    let report = Samples.report(
      Samples.locations(20), alerts: [Samples.alert(0, .overspeed, at: 5)])
    let verdict = Discard(order: 7, reason: .spike)
    try logbook.rejudge(
      id, mission: mission, options: FlightOptions(maxSpeed: 3), report: report,
      discards: [verdict])
    #expect(try logbook.alerts(of: id) == report.alerts)
    #expect(try logbook.flight(id)?.mission == mission)
    #expect(try logbook.flight(id)?.options.maxSpeed == 3)
    let coordinates = try logbook.coordinates(of: id)
    #expect(coordinates.count == 20)
    #expect(coordinates.filter { $0.discarded != nil }.map(\.order) == [verdict.order])
  }

  // MARK: Filters and order

  private func makeThree() throws -> (logbook: Logbook, ids: [FlightID]) {
    let logbook = try Logbook(.inMemory)
    // They start at 0 s, 200 s and 1 s.
    let ids = try [
      Samples.store(in: logbook, count: 100, seed: 0),
      Samples.store(
        in: logbook, NewFlight(mission: Mission(pace: Pace(secondsPerKilometer: 300))), count: 300,
        seed: 0.2),
      Samples.store(in: logbook, count: 200, seed: 1e-3),
    ]
    try logbook.rename(ids[0], to: "Äpfel")
    try logbook.rename(ids[1], to: "birch")
    return (logbook, ids)
  }

  @Test func `flights are filtered and sorted`() throws {
    let (logbook, ids) = try makeThree()
    func found(_ sort: FlightSort = .oldestFirst, _ change: (inout FlightFilter) -> Void = { _ in })
      throws -> [FlightID]
    {
      var filter = FlightFilter()
      change(&filter)
      return try logbook.flights(where: filter, sort: sort).map(\.id)
    }
    #expect(try found() == [ids[0], ids[2], ids[1]])
    #expect(try found(.newestFirst) == [ids[1], ids[2], ids[0]])
    #expect(try found(.longestFirst) == [ids[1], ids[2], ids[0]])
    #expect(try found(FlightSort(.stored)) == ids)
    // Without a name comes last either way.
    #expect(try found(FlightSort(.name)).last == ids[2])
    #expect(try found(FlightSort(.name, ascending: false)).last == ids[2])
    #expect(try found { $0.minimumDistance = .meters(600) } == [ids[2], ids[1]])
    #expect(try found { $0.maximumDistance = .meters(600) } == [ids[0], ids[2]])
    #expect(try found { $0.mode = .modeA } == [ids[1]])
    #expect(try found { $0.mode = .modeB } == [ids[0], ids[2]])
    #expect(try found { $0.name = "IRC" } == [ids[1]])
    #expect(try found { $0.since = Samples.start.shifted(byMicroseconds: 1) } == [ids[2], ids[1]])
    #expect(try found { $0.until = Samples.start } == [])
    // All three take 0.9 s for 3 m: 300 s a kilometre.
    #expect(try found { $0.slowestPace = Pace(secondsPerKilometer: 300.001) }.count == 3)
    #expect(try found { $0.slowestPace = Pace(secondsPerKilometer: 299) } == [])
    #expect(try found { $0.fastestPace = Pace(secondsPerKilometer: 299) }.count == 3)
    #expect(try logbook.flights(limit: 1).map(\.id) == [ids[1]])
  }

  @Test func `a flight is found by a prefix or as the latest`() throws {
    let logbook = try Logbook(.inMemory)
    #expect(throws: LogbookError(.notFound, "there is no flight yet")) {
      try logbook.flightID(matching: "latest")
    }
    let ids = ["aa11", "aa22", "b"].map { FlightID(rawValue: $0) }
    for (index, id) in ids.enumerated() {
      try Samples.store(in: logbook, NewFlight(id: id), seed: -Double(index) / 1_000)
    }
    #expect(try logbook.flightID(matching: "latest") == ids[0])
    #expect(try logbook.flightID(matching: "AA2") == ids[1])
    #expect(try logbook.flightID(matching: "b") == ids[2])
    #expect(
      throws: LogbookError(.ambiguous, "“aa” may mean several flights: aa11, aa22")
    ) { try logbook.flightID(matching: "aa") }
    #expect(throws: LogbookError(.notFound, "there is no flight c%")) {
      try logbook.flightID(matching: "c%")
    }
    #expect(throws: LogbookError.self) { try logbook.flightID(matching: "") }
  }

  @Test func `alerts come newest first, counts cover the filter`() throws {
    let logbook = try Logbook(.inMemory)
    let first = try Samples.store(
      in: logbook, seed: 1, alerts: [Samples.alert(0), Samples.alert(1, .minimums, at: 500)])
    let second = try Samples.store(in: logbook, seed: 2, alerts: [Samples.alert(0, at: 200)])
    #expect(
      try logbook.alerts().map(\.id) == ["\(first)/1", "\(second)/0", "\(first)/0"])
    #expect(try logbook.alerts(limit: 1).map(\.id) == ["\(first)/1"])
    #expect(try logbook.alertCounts() == [.sinkRate: 2, .minimums: 1])
    #expect(
      try logbook.alertCounts(where: AlertFilter(flight: first)) == [.sinkRate: 1, .minimums: 1])
    let since = AlertFilter(since: Samples.start.shifted(byMicroseconds: 200_000_000))
    #expect(try logbook.alertCounts(where: since) == [.sinkRate: 1, .minimums: 1])
    #expect(
      try logbook.alerts(where: AlertFilter(state: .sinkRate, flight: second)).map(\.id)
        == ["\(second)/0"])
    struct Stop: Error {}
    #expect(throws: Stop.self) { try logbook.forEachAlert { _ in throw Stop() } }
  }

  @Test func `totals are sums, and their pace that of the sums`() throws {
    let (logbook, _) = try makeThree()
    let start = Samples.start
    let totals = try logbook.totals(
      between: [0, 200_000_000, 300_000_000].map { start.shifted(byMicroseconds: $0) })
    #expect(totals.map(\.flightCount) == [2, 1])
    #expect(totals.map(\.distance) == [.meters(900), .meters(900)])
    #expect(totals[0].movingTime == 270)
    #expect(totals[0].pace == Pace(secondsPerKilometer: 300))
    #expect(try logbook.totals().flightCount == 3)
    #expect(try logbook.bestEfforts().map(\.effort.kind) == [.fourHundredMeters, .oneKilometer])
  }
}

import RunWayLogbook
import RunWayModel
import Testing

/// That each query can be observed, with the type that it gives.
@MainActor @Suite(.timeLimit(.minutes(1))) struct ObservedQueryTests {
  private let logbook: Logbook
  private let id: FlightID

  init() throws {
    logbook = try Logbook(.inMemory)
    id = try Samples.store(in: logbook, alerts: [Samples.alert(0)])
    try logbook.tag(id, "hills")
    try logbook.saveMission(Mission(pace: Pace(secondsPerKilometer: 300)), named: "Tempo")
  }

  /// What a sequence yields at once.
  private func first<Value>(_ changes: AsyncThrowingStream<Value, any Error>) async throws -> Value
  {
    for try await value in changes { return value }
    throw CancellationError()
  }

  @Test func `the queries that have a sequence of their own`() async throws {
    let flights: [Flight] = try await first(logbook.observeFlights())
    #expect(flights.map(\.id) == [id])
    let flight: Flight? = try await first(logbook.observeFlight(id))
    #expect(flight?.tags == ["hills"])
    let coordinates: [Coordinate] = try await first(logbook.observeCoordinates(of: id, from: 7))
    #expect(coordinates.map(\.order) == [7, 8, 9])
    let splits: [Split] = try await first(logbook.observeSplits(of: id, unit: .mile))
    #expect(splits.map(\.elapsedTime) == [460])
    let efforts: [BestEffort] = try await first(logbook.observeBestEfforts(of: id))
    #expect(efforts.map(\.elapsedTime) == [110, 320])
    let alerts: [LoggedAlert] = try await first(logbook.observeAlerts())
    #expect(alerts == [LoggedAlert(flightID: id, alert: Samples.alert(0))])
    let ownAlerts: [Alert] = try await first(logbook.observeAlerts(of: id))
    #expect(ownAlerts == [Samples.alert(0)])
    let counts: [GPWSState: Int] = try await first(logbook.observeAlertCounts())
    #expect(counts == [.sinkRate: 1])
    let totals: PeriodTotals = try await first(logbook.observeTotals())
    #expect(totals.distance == .meters(30))
    let noon = Samples.start.shifted(byMicroseconds: 19_800_000_000)
    let periods: [PeriodTotals] = try await first(
      logbook.observeTotals(between: [Samples.start, noon, noon.shifted(byMicroseconds: 1)]))
    #expect(periods.map(\.flightCount) == [1, 0])
    let best: [LoggedBestEffort] = try await first(logbook.observeBestEfforts())
    #expect(best.map(\.flightID) == [id, id])
    #expect(best.map(\.effort.kind) == [.fourHundredMeters, .oneKilometer])
    let tags: [Logbook.Tag] = try await first(logbook.observeTags())
    #expect(tags.map(\.name) == ["hills"])
    #expect(tags.map(\.flightCount) == [1])
    let missions: [Logbook.SavedMission] = try await first(logbook.observeMissions())
    #expect(missions.map(\.name) == ["Tempo"])
  }

  @Test func `every other query`() async throws {
    let id = id
    let alert = LoggedAlert(flightID: id, alert: Samples.alert(0))
    let count: Int = try await first(logbook.observe { try $0.flightCount() })
    #expect(count == 1)
    let latest: Flight = try await first(logbook.observe { try $0.flight(matching: "latest") })
    #expect(latest.id == id)
    let named: FlightID = try await first(logbook.observe { try $0.flightID(matching: "latest") })
    #expect(named == id)
    let parent: Flight? = try await first(logbook.observe { try $0.flight(of: alert) })
    #expect(parent?.id == id)
    let effort: LoggedBestEffort? = try await first(
      logbook.observe { try $0.bestEffort(over: .oneKilometer) })
    #expect(effort?.effort.elapsedTime == 320)
    let tag: String = try await first(logbook.observe { try $0.tagName(matching: "hills") })
    #expect(tag == "hills")
    let mission: Mission = try await first(logbook.observe { try $0.mission(named: "Tempo") })
    #expect(mission.pace == Pace(secondsPerKilometer: 300))
    let saved: Logbook.SavedMission = try await first(
      logbook.observe { try $0.savedMission(named: "Tempo") })
    #expect(saved.flightCount == 0)
    let weight: Double? = try await first(logbook.observe { try $0.weight() })
    #expect(weight == nil)
    let interrupted: [FlightID] = try await first(
      logbook.observe { try $0.interruptedFlights() })
    #expect(interrupted == [])
    let info: Logbook.Info = try await first(logbook.observe { try $0.info() })
    #expect(info.coordinateCount == 10)
    let faults: [LogbookFault] = try await first(logbook.observe { try $0.check() })
    #expect(faults == [])
    let fault: LogbookFault? = try await first(logbook.observe { try $0.countFault(of: id) })
    #expect(fault == nil)
    let recording = Samples.fingerprint(Samples.locations(10))
    let fingerprint: RecordingFingerprint? = try await first(
      logbook.observe { try $0.fingerprint(of: id) })
    #expect(fingerprint == recording)
    let known: FlightID? = try await first(logbook.observe { try $0.flight(of: recording) })
    #expect(known == id)
  }

  /// What they take one by one is observed as what is made of it.
  @Test func `the queries that call a closure`() async throws {
    let id = id
    let distances: [Distance] = try await first(
      logbook.observe { logbook in
        var distances: [Distance] = []
        try logbook.forEachSummary { distances.append($0.distance) }
        return distances
      })
    #expect(distances == [.meters(30)])
    let states: [GPWSState] = try await first(
      logbook.observe { logbook in
        var states: [GPWSState] = []
        try logbook.forEachAlert { states.append($0.alert.state) }
        return states
      })
    #expect(states == [.sinkRate])
    let batches: [Int] = try await first(
      logbook.observe { logbook in
        var batches: [Int] = []
        try logbook.forEachCoordinateBatch(of: id, size: 6) { batches.append($0.count) }
        return batches
      })
    #expect(batches == [6, 4])
  }

  @Test func `tags, missions, totals and best efforts yield again when theirs change`() async throws
  {
    var tags = logbook.observeTags().makeAsyncIterator()
    var missions = logbook.observeMissions().makeAsyncIterator()
    var totals = logbook.observeTotals().makeAsyncIterator()
    var efforts = logbook.observeBestEfforts().makeAsyncIterator()
    #expect(try await tags.next()?.map(\.flightCount) == [1])
    #expect(try await missions.next()?.map(\.name) == ["Tempo"])
    #expect(try await totals.next()?.flightCount == 1)
    #expect(try await efforts.next()?.count == 2)
    try logbook.renameMission("Tempo", to: "Threshold")
    #expect(try await missions.next()?.map(\.name) == ["Threshold"])
    try logbook.delete([id])
    #expect(try await tags.next()?.map(\.flightCount) == [0])
    #expect(try await totals.next()?.flightCount == 0)
    #expect(try await efforts.next() == [])
  }
}

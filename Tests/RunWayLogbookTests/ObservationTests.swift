import Observation
import RunWayLogbook
import RunWayModel
import Synchronization
import Testing

@MainActor @Suite(.timeLimit(.minutes(1))) struct ObservationTests {
  @Test func `an observed query yields at once and after each change`() async throws {
    let logbook = try Logbook(.inMemory)
    var changes = logbook.observeFlights().makeAsyncIterator()
    #expect(try await changes.next() == [])
    let id = try Samples.store(in: logbook)
    #expect(try await changes.next()?.map(\.id) == [id])
    try logbook.rename(id, to: "Morning")
    #expect(try await changes.next()?.first?.name == "Morning")
    try logbook.tag(id, "hills")
    #expect(try await changes.next()?.first?.tags == ["hills"])
    try logbook.delete([id])
    #expect(try await changes.next() == [])
  }

  @Test func `a cascade wakes those who read the children`() async throws {
    let logbook = try Logbook(.inMemory)
    let id = try Samples.store(in: logbook, alerts: [Samples.alert(0)])
    var changes = logbook.observeAlertCounts().makeAsyncIterator()
    #expect(try await changes.next() == [.sinkRate: 1])
    try logbook.delete([id])
    #expect(try await changes.next() == [:])
  }

  @Test func `unrelated tables wake nobody, and the last of many changes is seen`() async throws {
    let logbook = try Logbook(.inMemory)
    var runs = 0
    var changes = logbook.observe { logbook in
      runs += 1
      return try logbook.alertCounts()
    }.makeAsyncIterator()
    #expect(try await changes.next() == [:])
    try logbook.saveMission(Mission(pace: Pace(secondsPerKilometer: 300)), named: "Tempo")
    try logbook.setWeight(70)
    try await Task.sleep(for: .milliseconds(50))
    #expect(runs == 1)
    for seed in 1...20 {
      try Samples.store(in: logbook, seed: Double(seed), alerts: [Samples.alert(0)])
    }
    var last: [GPWSState: Int]? = nil
    while last != [.sinkRate: 20] { last = try await changes.next() }
    #expect(runs < 10)
  }

  @Test func `a change by another connection is seen`() async throws {
    try await withTemporaryFolder { folder in
      let path = "\(folder)/logbook.sqlite"
      let writer = try Logbook(.file(path))
      let reader = try Logbook(.file(path), readOnly: true)
      var changes = reader.observeFlights().makeAsyncIterator()
      #expect(try await changes.next() == [])
      let id = try Samples.store(in: writer)
      #expect(try await changes.next()?.map(\.id) == [id])
    }
  }

  @Test func `what another connection does to other tables yields nothing`() async throws {
    try await withTemporaryFolder { folder in
      let path = "\(folder)/logbook.sqlite"
      let writer = try Logbook(.file(path))
      let id = try Samples.store(in: writer, alerts: [Samples.alert(0)])
      let reader = try Logbook(.file(path), readOnly: true)
      var runs = 0
      let changes = reader.observe { logbook in
        runs += 1
        return try logbook.alerts().map(\.alert.state)
      }
      var results: [[GPWSState]] = []
      let task = Task { for try await states in changes { results.append(states) } }
      defer { task.cancel() }
      func waits(until condition: () -> Bool) async throws {
        while !condition() { try await Task.sleep(for: .milliseconds(10)) }
      }
      try await waits { results == [[.sinkRate]] }

      let unrelated: [() throws -> Void] = [
        { try writer.tag(id, "hills") },
        { try writer.saveMission(Mission(pace: Pace(secondsPerKilometer: 300)), named: "Tempo") },
        { try writer.renameTag("hills", to: "trails") },
        { try writer.deleteMission(named: "Tempo") },
      ]
      for change in unrelated {
        let before = runs
        try change()
        // The other connection tells that it wrote, and not what: the query must have been asked in vain.
        try await waits { runs > before }
        #expect(results == [[.sinkRate]])
      }
      try Samples.store(in: writer, seed: 1, alerts: [Samples.alert(0, .overspeed)])
      try await waits { results.count > 1 }
      // Longer than it takes to notice that something changed.
      try await Task.sleep(for: .milliseconds(600))
      #expect(results.count == 2)
      #expect(results.last?.sorted { $0.rawValue < $1.rawValue } == [.overspeed, .sinkRate])
    }
  }

  @Test func `a reader sees the logbook that another one makes`() async throws {
    try await withTemporaryFolder { folder in
      let path = "\(folder)/logbook.sqlite"
      let reader = try Logbook(.file(path), readOnly: true)
      var changes = reader.observeFlights().makeAsyncIterator()
      #expect(try await changes.next() == [])
      #expect(!exists(path))
      let writer = try Logbook(.file(path))
      let id = try Samples.store(in: writer)
      var last: [FlightID]? = []
      while last != [id] { last = try await changes.next()?.map(\.id) }
    }
  }

  @Test func `a flight that nobody flies any more is seen to be interrupted`() async throws {
    try await withTemporaryFolder { folder in
      let path = "\(folder)/logbook.sqlite"
      let writer = try Logbook(.file(path))
      let reader = try Logbook(.file(path), readOnly: true)
      var flight: LiveFlight? = try writer.beginLiveFlight(NewFlight())
      var changes = reader.observeFlights().makeAsyncIterator()
      #expect(try await changes.next()?.map(\.live) == [true])
      #expect(flight != nil)
      flight = nil
      #expect(try await changes.next()?.map(\.interrupted) == [true])
    }
  }

  @Test func `observation ends when its task is cancelled`() async throws {
    let logbook = try Logbook(.inMemory)
    let changes = logbook.observeFlights()
    let task = Task {
      var count = 0
      for try await _ in changes { count += 1 }
      return count
    }
    try await Task.sleep(for: .milliseconds(20))
    task.cancel()
    #expect(try await task.value == 1)
  }

  @Test func `observation ends with the logbook`() async throws {
    var logbook: Logbook? = try Logbook(.inMemory)
    var changes = logbook?.observeFlights().makeAsyncIterator()
    #expect(try await changes?.next() == [])
    logbook = nil
    #expect(try await changes?.next() == nil)
  }

  /// Counts how often those who track a query are told that it has changed.
  private func tracking(_ query: () throws -> Void) throws -> () -> Int {
    let count = Counter()
    let result = withObservationTracking {
      Result { try query() }
    } onChange: {
      count.value.withLock { $0 += 1 }
    }
    try result.get()
    return { count.value.withLock(\.self) }
  }

  private final class Counter: Sendable {
    let value = Mutex(0)
  }

  @Test func `whoever tracks what they read is told of its change, once`() throws {
    let logbook = try Logbook(.inMemory)
    let id = try Samples.store(in: logbook, alerts: [Samples.alert(0)])
    let alerts = try tracking { _ = try logbook.alertCounts() }
    let flights = try tracking { _ = try logbook.flight(id) }
    let weight = try tracking { _ = try logbook.weight() }

    try logbook.rename(id, to: "Morning")
    #expect([alerts(), flights(), weight()] == [0, 1, 0])
    // What is undone was no change.
    struct Undone: Error {}
    try? logbook.exclusively {
      try logbook.delete([id])
      throw Undone()
    }
    #expect(alerts() == 0)
    try logbook.exclusively {
      try logbook.delete([id])
      #expect(alerts() == 0)
    }
    #expect([alerts(), flights(), weight()] == [1, 1, 0])
    try Samples.store(in: logbook, alerts: [Samples.alert(0)])
    #expect(alerts() == 1)
  }

  @Test func `whoever tracks what they read is told what another connection did`() async throws {
    try await withTemporaryFolder { folder in
      let path = "\(folder)/logbook.sqlite"
      let writer = try Logbook(.file(path))
      let reader = try Logbook(.file(path), readOnly: true)
      let noticing = Task { await reader.noticeOtherProcesses() }
      defer { noticing.cancel() }
      await Task.yield()
      let flights = try tracking { _ = try reader.flights() }
      try Samples.store(in: writer)
      while flights() == 0 { try await Task.sleep(for: .milliseconds(10)) }
      #expect(try reader.flightCount() == 1)
    }
  }

  @Test func `what an open transaction writes is not seen before it is committed`() async throws {
    let logbook = try Logbook(.inMemory)
    var changes = logbook.observeFlights().makeAsyncIterator()
    #expect(try await changes.next() == [])
    let first = try Samples.store(in: logbook)
    let transaction = try logbook.beginImport()
    let locations = Samples.locations(10, seed: 1)
    _ = try transaction.store(NewFlight(), locations: locations, report: Samples.report(locations))
    // Long enough for the first change to be looked at, and to be looked at again.
    try await Task.sleep(for: .milliseconds(400))
    transaction.rollback()
    #expect(try await changes.next()?.map(\.id) == [first])
  }
}

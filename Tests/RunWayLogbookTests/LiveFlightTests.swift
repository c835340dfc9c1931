import Glibc
import RunWayModel
import Testing

@testable import RunWayLogbook

@MainActor @Suite struct LiveFlightTests {
  @Test func `a live flight is seen by others as it is flown`() async throws {
    try await withTemporaryFolder { folder in
      let path = "\(folder)/logbook.sqlite"
      let logbook = try Logbook(.file(path))
      let reader = try Logbook(.file(path), readOnly: true)
      let locations = Samples.locations(100)
      let live = try logbook.beginLiveFlight(NewFlight())
      var data = FlightData()
      data.timestamp = locations[49].time
      data.distance = .meters(147)
      data.elapsedTime = 49
      data.movingTime = 48
      try live.append(
        Array(locations[..<50]), discards: [Discard(order: 3, reason: .duplicate)], data: data)
      try live.upsert(Samples.alert(0))
      var seen = try #require(try reader.flight(live.id))
      #expect(seen.live && !seen.interrupted)
      #expect(seen.totals.startedAt == locations[0].time)
      #expect(seen.totals.endedAt == locations[49].time)
      #expect(seen.totals.coordinateCount == 49)
      #expect(seen.totals.distance == .meters(147))
      #expect(seen.alertCount == 1)
      #expect(try reader.interruptedFlights() == [])

      var alert = Samples.alert(0)
      alert.endedAt = nil
      try live.upsert(alert)
      #expect(try reader.alerts(of: live.id) == [alert])
      try live.append(Array(locations[50...]))
      var report = Samples.report(locations, alerts: [Samples.alert(0)])
      report.totals.coordinateCount = 99
      #expect(try live.finish(report: report) == .stored(live.id))
      seen = try #require(try reader.flight(live.id))
      #expect(!seen.live && !seen.interrupted)
      #expect(seen.totals == report.totals)
      #expect(try reader.coordinates(of: live.id).map(\.location) == locations)
      #expect(try reader.check() == [])
    }
  }

  @Test func `a busy logbook takes nothing, and the same rows later`() async throws {
    try await withTemporaryFolder { folder in
      let path = "\(folder)/logbook.sqlite"
      let logbook = try Logbook(.file(path))
      let importer = try Logbook(.file(path))
      let locations = Samples.locations(10)
      let live = try logbook.beginLiveFlight(NewFlight())
      let transaction = try importer.beginImport()
      #expect(throws: LogbookError.self) { try live.append(locations) }
      #expect(live.nextOrder == 0)
      try transaction.commit()
      try live.append(locations)
      #expect(live.nextOrder == 10)
      #expect(try logbook.coordinates(of: live.id).map(\.location) == locations)
    }
  }

  @Test func `an interrupted flight is taken over, a flown one is not`() async throws {
    try await withTemporaryFolder { folder in
      let path = "\(folder)/logbook.sqlite"
      let locations = Samples.locations(30)
      let other = try Logbook(.file(path))
      let id: FlightID
      do {
        let logbook = try Logbook(.file(path))
        let live = try logbook.beginLiveFlight(NewFlight())
        id = live.id
        try live.append(Array(locations[..<20]))
        #expect(throws: LogbookError.self) { _ = try other.resume(id) }
        #expect(throws: LogbookError.self) { try other.delete([id]) }
        #expect(throws: LogbookError.self) { _ = try logbook.resume(id) }
        withExtendedLifetime(live) {}
      }
      #expect(try other.interruptedFlights() == [id])
      #expect(try other.flight(id)?.interrupted == true)
      let resumed = try other.resume(id)
      #expect(resumed.nextOrder == 20)
      #expect(try other.interruptedFlights() == [])
      try resumed.append(Array(locations[20...]))
      _ = try resumed.finish(report: Samples.report(locations))
      #expect(try other.coordinates(of: id).map(\.location) == locations)
      #expect(try other.interruptedFlights() == [])
      #expect(throws: LogbookError.self) { _ = try other.resume(id) }
    }
  }

  @Test func `a known recording is flown and not stored, except by force`() throws {
    let logbook = try Logbook(.inMemory)
    let known = try Samples.store(in: logbook, count: 30)
    let locations = Samples.locations(30)
    let first = try logbook.beginLiveFlight(NewFlight())
    try first.append(locations)
    #expect(try first.finish(report: Samples.report(locations)) == .duplicate(of: known))
    #expect(try logbook.flights().map(\.id) == [known])
    let second = try logbook.beginLiveFlight(NewFlight())
    try second.append(locations)
    #expect(
      try second.finish(report: Samples.report(locations), force: true) == .stored(second.id))
    #expect(try logbook.flightCount() == 2)
  }

  @Test func `a date that comes late moves what is stored`() throws {
    let logbook = try Logbook(.inMemory)
    let locations = Samples.locations(20)
    let day = Timestamp.microsecondsPerDay
    let undated = locations.map { location in
      var moved = location
      moved.time = location.time?.shifted(byMicroseconds: -day)
      return moved
    }
    let live = try logbook.beginLiveFlight(NewFlight())
    try live.append(Array(undated[..<15]))
    var alert = Samples.alert(0)
    alert.timestamp = alert.timestamp.shifted(byMicroseconds: -day)
    alert.endedAt = nil
    try live.upsert(alert)
    try live.redate(byMicroseconds: day)
    try live.append(Array(locations[15...]))
    #expect(try logbook.coordinates(of: live.id).map(\.location) == locations)
    #expect(try logbook.alerts(of: live.id).map(\.timestamp) == [Samples.alert(0).timestamp])
  }

  @Test func `a discarded flight leaves nothing`() throws {
    let logbook = try Logbook(.inMemory)
    let live = try logbook.beginLiveFlight(NewFlight())
    try live.append(Samples.locations(5))
    try live.upsert(Samples.alert(0))
    try live.discard()
    #expect(try logbook.flightCount() == 0)
    #expect(try logbook.alertCounts() == [:])
    #expect(try logbook.info().coordinateCount == 0)
  }

  @Test func `a flight that another process flies is not repaired`() async throws {
    try await withTemporaryFolder { folder in
      let path = "\(folder)/logbook.sqlite"
      let other = try Logbook(.file(path))
      let locations = Samples.locations(30)
      let live = try Logbook(.file(path)).beginLiveFlight(NewFlight())
      try live.append(locations)
      try live.upsert(Samples.alert(0))
      let before = try other.flight(live.id)
      #expect {
        try other.repair(live.id, report: Samples.report(Samples.locations(5)), discards: [])
      } throws: {
        ($0 as? LogbookError)?.code == .busy
      }
      #expect(try other.flight(live.id) == before)
      #expect(try other.alerts(of: live.id) == [Samples.alert(0)])
      #expect(try live.finish(report: Samples.report(locations)) == .stored(live.id))
    }
  }

  @Test func `whoever may write the logbook may fly`() async throws {
    try await withTemporaryFolder { folder in
      let path = "\(folder)/logbook.sqlite"
      _ = try Logbook(.file(path))
      chmod(path, 0o664)
      let live = try Logbook(.file(path)).beginLiveFlight(NewFlight())
      var status = stat()
      #expect(stat("\(path)-live", &status) == 0)
      #expect(status.st_mode & 0o777 == 0o664)
      try live.discard()
    }
  }

  @Test func `a flight in the air is counted with the coordinates that do not count`() throws {
    let logbook = try Logbook(.inMemory)
    let live = try logbook.beginLiveFlight(NewFlight())
    try live.append(Samples.locations(5), discards: [Discard(order: 2, reason: .spike)])
    #expect(try logbook.info().coordinateCount == 5)
    try live.discard()
  }

  @Test(arguments: [nil, "their own"])
  func `what was said of a flight that turns out to be known goes to the known one`(
    notes: String?
  ) throws {
    let logbook = try Logbook(.inMemory)
    let known = try Samples.store(in: logbook, count: 30)
    try logbook.tag(known, "hills")
    if let notes { try logbook.setNotes(notes, of: known) }
    let live = try logbook.beginLiveFlight(NewFlight())
    let locations = Samples.locations(30)
    try live.append(locations)
    try logbook.tag(live.id, ["hills", "race"])
    try logbook.setNotes("a headwind", of: live.id)
    #expect(try live.finish(report: Samples.report(locations)) == .duplicate(of: known))
    let flight = try #require(try logbook.flight(known))
    #expect(flight.tags == ["hills", "race"])
    #expect(flight.notes == notes ?? "a headwind")
    #expect(try logbook.flightCount() == 1)
  }
}

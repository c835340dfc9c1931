import RunWayModel
import Testing

@testable import RunWayLogbook

@MainActor @Suite struct DocumentTests {
  /// Everything that is stored of a flight.
  private func everything(of id: FlightID, in logbook: Logbook) throws -> [String] {
    [
      "\(try logbook.flight(id) as Any)", "\(try logbook.coordinates(of: id))",
      "\(try logbook.alerts(of: id))", "\(try logbook.splits(of: id, unit: .kilometer))",
      "\(try logbook.splits(of: id, unit: .mile))", "\(try logbook.bestEfforts(of: id))",
    ]
  }

  private func makeLogbook(_ location: LogbookLocation = .inMemory) throws -> (Logbook, FlightID) {
    let logbook = try Logbook(location)
    let tempo = Mission(pace: Pace(secondsPerKilometer: 300), distance: .kilometers(5))
    try logbook.saveMission(tempo, named: "Tempo")
    try Samples.store(in: logbook, seed: 1)
    let id = try Samples.store(
      in: logbook, NewFlight(mission: tempo, missionName: "Tempo"), count: 200, seed: 2,
      alerts: [Samples.alert(0), Samples.alert(1, .overspeed, at: 300)])
    try logbook.tag(id, "hills")
    try logbook.tag(id, "club")
    try logbook.rename(id, to: "Evening")
    return (logbook, id)
  }

  @Test func `a flight is a document and comes back whole`() async throws {
    try await withTemporaryFolder { folder in
      let (logbook, id) = try makeLogbook()
      let path = "\(folder)/run.runway"
      try logbook.exportDocument([id], to: path)
      #expect(names(in: folder) == ["run.runway"])
      let other = try Logbook(.inMemory)
      try Samples.store(in: other, seed: 3)
      let before = bytes(of: path)
      #expect(try other.merge(from: path).stored == [id])
      #expect(try everything(of: id, in: other) == everything(of: id, in: logbook))
      #expect(try other.mission(named: "tempo").distance == .kilometers(5))
      #expect(try other.tags().map(\.name) == ["club", "hills"])
      #expect(try other.check() == [])
      // Again, it is there already.
      let again = try other.merge(from: path)
      #expect(again.stored == [])
      #expect(again.duplicates == [.init(id: id, existing: id)])
      #expect(bytes(of: path) == before)
      #expect(names(in: folder) == ["run.runway"])
    }
  }

  @Test func `a whole logbook merges, the same recording only once`() async throws {
    try await withTemporaryFolder { folder in
      let path = "\(folder)/logbook.sqlite"
      let (source, id) = try makeLogbook(.file(path))
      let target = try Logbook(.inMemory)
      let same = try Samples.store(in: target, count: 10, seed: 1)
      try source.setWeight(70)
      let rehearsal = try target.rehearseMerge(from: path)
      #expect(try target.flightCount() == 1)
      let report = try target.merge(from: path)
      #expect(rehearsal == report)
      #expect(report.stored == [id])
      #expect(report.duplicates.map(\.existing) == [same])
      #expect(try target.flightCount() == 2)
      #expect(try target.weight() == 70)
      #expect(try source.flightCount() == 2)
    }
  }

  @Test func `names that differ in case are one when merged`() async throws {
    try await withTemporaryFolder { folder in
      let path = "\(folder)/other.sqlite"
      let other = try Logbook(.file(path))
      let mission = Mission(pace: Pace(secondsPerKilometer: 300))
      try other.saveMission(mission, named: "LÄUFE")
      let theirs = try Samples.store(
        in: other, NewFlight(mission: mission, missionName: "läufe"), seed: 1)
      try other.tag(theirs, "ÜBUNG")
      let logbook = try Logbook(.inMemory)
      try logbook.saveMission(mission, named: "Läufe")
      try logbook.tag(try Samples.store(in: logbook, seed: 2), "Übung")
      _ = try logbook.merge(from: path)
      #expect(try logbook.tags().map(\.name) == ["Übung"])
      #expect(try logbook.tags().map(\.flightCount) == [2])
      #expect(try logbook.missions().map(\.name) == ["Läufe"])
      #expect(try logbook.flight(theirs)?.missionName == "Läufe")
    }
  }

  @Test func `a flight in the air is not merged`() async throws {
    try await withTemporaryFolder { folder in
      let path = "\(folder)/logbook.sqlite"
      let source = try Logbook(.file(path))
      let live = try source.beginLiveFlight(NewFlight())
      try live.append(Samples.locations(3))
      let target = try Logbook(.inMemory)
      #expect(try target.rehearseMerge(from: path).stored == [])
      #expect(try target.merge(from: path, force: true).stored == [])
      withExtendedLifetime(live) {}
    }
  }

  @Test func `a backup is a logbook with all that is committed`() async throws {
    try await withTemporaryFolder { folder in
      let (logbook, id) = try makeLogbook(.file("\(folder)/logbook.sqlite"))
      let live = try logbook.beginLiveFlight(NewFlight())
      try live.append(Samples.locations(30))
      try logbook.backup(to: "\(folder)/backup.sqlite")
      let copy = try Logbook(.file("\(folder)/backup.sqlite"))
      #expect(try everything(of: id, in: copy) == everything(of: id, in: logbook))
      #expect(try copy.coordinates(of: live.id).count == 30)
      #expect(try copy.check() == [])
      let error = #expect(throws: LogbookError.self) {
        try logbook.backup(to: "\(folder)/logbook.sqlite")
      }
      #expect(error?.message == "\(folder)/logbook.sqlite is the logbook itself")
    }
  }

  @Test func `a document that cannot be written leaves nothing`() async throws {
    try await withTemporaryFolder { folder in
      let (logbook, id) = try makeLogbook()
      #expect(throws: LogbookError.self) {
        try logbook.exportDocument([id], to: "\(folder)/none/../../run.runway")
      }
      #expect(throws: LogbookError.self) {
        try logbook.exportDocument([FlightID(rawValue: "none")], to: "\(folder)/run.runway")
      }
      #expect(names(in: folder) == [])
    }
  }

  @Test func `a logbook says what it holds`() throws {
    let (logbook, id) = try makeLogbook()
    let info = try logbook.info()
    #expect(info.path == nil)
    #expect(info.schemaVersion == 1)
    #expect(info.flightCount == 2)
    #expect(info.alertCount == 2)
    #expect(info.coordinateCount == 210)
    #expect(info.tagCount == 2)
    #expect(info.missionCount == 1)
    #expect(info.size ?? 0 > 0)
    #expect(try logbook.check() == [])
    try logbook.connection.run(#"DELETE FROM coordinate WHERE "order" = 100"#)
    #expect(
      try logbook.check() == [
        LogbookFault(
          .missingCoordinates, flightID: id,
          "199 coordinates are stored, and they are numbered up to 200"),
        LogbookFault(.totals, flightID: id, "200 coordinates are said to count, and 199 do"),
      ])
  }

  @Test func `logbooks open side by side never touch each other`() throws {
    let (one, id) = try makeLogbook()
    let other = try Logbook(.inMemory)
    #expect(try other.flight(id) == nil)
    #expect(try one.flightCount() == 2)
  }
}

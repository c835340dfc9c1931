import RunWayModel
import Testing

@testable import RunWayLogbook

/// Reads of several statements are of one moment, and nobody writes between what a writer reads and writes.
@MainActor @Suite struct SnapshotTests {
  @Test func `a flight is read whole while another connection deletes it`() async throws {
    try await withTemporaryFolder { folder in
      let writer = try Logbook(.file("\(folder)/logbook.sqlite"))
      let id = try Samples.store(in: writer, count: 100)
      let reader = try Logbook(.file("\(folder)/logbook.sqlite"), readOnly: true)
      var count = 0
      try reader.forEachCoordinateBatch(of: id, size: 10) { batch in
        if count == 0 { try writer.delete([id]) }
        count += batch.count
      }
      #expect(count == 100)
      #expect(try reader.flights() == [])
    }
  }

  @Test func `what a closure reads is of one moment`() async throws {
    try await withTemporaryFolder { folder in
      let writer = try Logbook(.file("\(folder)/logbook.sqlite"))
      let id = try Samples.store(in: writer, alerts: [Samples.alert(0)])
      let reader = try Logbook(.file("\(folder)/logbook.sqlite"), readOnly: true)
      try reader.snapshot {
        #expect(try reader.flight(id)?.alertCount == 1)
        try writer.delete([id])
        #expect(try reader.alerts(of: id).count == 1)
        #expect(try reader.flight(id) != nil)
        // Inside, it is the same moment.
        #expect(try reader.snapshot { try reader.flightCount() } == 1)
      }
      #expect(try reader.flight(id) == nil)
    }
  }

  @Test func `nobody writes while a writer reads, and what it wrote goes with its error`()
    async throws
  {
    struct Stop: Error {}
    try await withTemporaryFolder { folder in
      let logbook = try Logbook(.file("\(folder)/logbook.sqlite"))
      let id = try Samples.store(in: logbook)
      let other = try Logbook(.file("\(folder)/logbook.sqlite"))
      other.connection.busyTimeout = 50
      var refusal: (any Error)?
      #expect(throws: Stop.self) {
        try logbook.exclusively {
          try logbook.rename(id, to: "Evening")
          do { try other.delete([id]) } catch { refusal = error }
          throw Stop()
        }
      }
      #expect((refusal as? LogbookError)?.code == .busy)
      #expect(try other.flight(id)?.name == nil)
      try other.delete([id])
    }
  }

  @Test func `orders that no flight can have do not trap`() async throws {
    let logbook = try Logbook()
    let id = try Samples.store(in: logbook, count: 3)
    try logbook.connection.run(
      #"UPDATE coordinate SET "order" = ? WHERE "order" = 2"#, Int64.max)
    var orders: [Int] = []
    try logbook.forEachCoordinateBatch(of: id, size: 1) { orders += $0.map(\.order) }
    #expect(orders == [0, 1, .max])
  }
}

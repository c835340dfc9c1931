import Foundation
import Testing

/// A flight that ended by SIGKILL while it was fed, or touched down shortly before.
struct KilledFlight {
  let logbook: LogbookOnDisk
  /// What it had told.
  let told: [RunningProcess.Line]
  /// How it ended: 0 where it touched down before it was killed.
  let status: Int32?
  let killed: ContinuousClock.Instant
  /// Whether its input came to an end.
  let isFedWhole: Bool
  let note: Comment

  init(
    fedWith bytes: [UInt8], inPiecesOf pieceSize: Int, for life: Duration, name: String
  ) async throws {
    logbook = try LogbookOnDisk()
    let replay = try logbook.replay()
    let feed = Task.detached {
      var rest = bytes[...]
      while !rest.isEmpty, !Task.isCancelled, replay.write(rest.prefix(pieceSize)) {
        rest = rest.dropFirst(pieceSize)
        try await Task.sleep(for: .milliseconds(10))
      }
      if rest.isEmpty { replay.closeInput() }
      return rest.isEmpty
    }
    try await Task.sleep(for: life)
    replay.kill(SIGKILL)
    killed = ContinuousClock.now
    feed.cancel()
    status = await replay.end()
    isFedWhole = (try? await feed.value) ?? false
    told = replay.lines
    note = "\(name), killed after \(life)"
  }

  /// Looks at what is left of it, and has it completed.
  func checkLogbook(_ log: ReceiverLog) throws {
    let hasLanded = told.contains { $0.text.contains("\"touchdown\"") }
    // A second for the promise; as it began the process may not even have opened the logbook.
    let promised = told.filter { $0.arrival < killed - .seconds(1) }.last { !$0.text.isEmpty }
    guard FileManager.default.fileExists(atPath: logbook.path),
      try SQLiteShell.run("SELECT count(*) FROM flight", on: logbook.path) == "1"
    else {
      #expect(promised == nil, note)
      return
    }
    #expect(try SQLiteShell.isSound(logbook.path), note)
    let count = try #require(try logbook.coordinateCount())
    if count == 0 {
      // Killed between its beginning and its first location; any writer removes it.
      #expect(promised == nil && !hasLanded, note)
      #expect(try logbook.runway("logbook", "--weight", "70").status == 0, note)
      #expect(try logbook.flightCount() == 0, note)
      return
    }
    let order = try SQLiteShell.run(
      "SELECT min(\"order\"), max(\"order\"), max(time) FROM coordinates", on: logbook.path)
    let columns = order.split(separator: "|").map(String.init)
    #expect(columns[0] == "0" && columns[1] == "\(count - 1)", note)
    if let promised, let newest = try? JSONValue(promised.text)["timestamp"].string {
      // ISO 8601 in UTC sorts as text.
      #expect(columns[2].dropLast() >= newest.dropLast(), note)
    }

    let hasTouchedDown =
      try SQLiteShell.run("SELECT touchedDown FROM flight", on: logbook.path) == "1"
    // It touches down at the end of its input only, and says so once that is stored.
    if hasLanded || status == 0 { #expect(hasTouchedDown, note) }
    if !isFedWhole { #expect(!hasTouchedDown, note) }
    let listed = try logbook.runway("flights", "--json").json()
    #expect(listed.array.count == 1, note)
    #expect(listed[0]["interrupted"].bool == !hasTouchedDown, note)
    #expect(listed[0]["live"].bool == false, note)
    #expect(listed[0]["coordinateCount"].int ?? 0 <= count, note)
    // Any writer completes it.
    let writer = try logbook.runway("logbook", "--weight", "70")
    #expect(writer.status == 0, note)
    #expect(try SQLiteShell.isSound(logbook.path), note)
    #expect(try logbook.coordinateCount() == count, note)
    let shown = try logbook.runway("show", "latest", "--json").json()
    #expect(shown["interrupted"].bool == false, note)
    #expect(try judgement(shown) == imported(log.bytes(0..<count)), note)
    let check = try logbook.runway("check", "--json").json()
    #expect(check["findings"].array.isEmpty, "\(note): \(check)")
  }
}

import Foundation
import Testing

/// A run as a receiver tells it, an epoch a second.
private struct ReceiverLog {
  /// The sentences of each second.
  let epochs: [[UInt8]]

  init() throws {
    var epochs: [[UInt8]] = []
    let text = try Fixture.data("ten-kilometres.nmea")
    for line in text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: true) {
      if line.starts(with: Array("$GPRMC".utf8)) { epochs.append([]) }
      epochs[epochs.count - 1] += line + [UInt8(ascii: "\n")]
    }
    self.epochs = epochs
  }

  func bytes(_ range: some RangeExpression<Int>) -> [UInt8] { epochs[range].flatMap { $0 } }
}

/// Numbers that are the same in each run of the tests (SplitMix64).
private struct Moments {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }

  mutating func milliseconds(_ range: ClosedRange<Int>) -> Duration {
    .milliseconds(range.lowerBound + Int(next() % UInt64(range.count)))
  }
}

/// What is judged of a flight: everything that does not depend on how it came into the logbook.
private func judgement(_ show: JSONValue) -> [String: String] {
  var result: [String: String] = [:]
  for key in [
    "startedAt", "endedAt", "mode", "distance", "rawDistance", "elapsedTime", "movingTime", "pace",
    "elevationGain", "elevationLoss", "coordinateCount", "segmentCount", "alertCount", "discarded",
    "mission", "splits", "bestEfforts", "interrupted", "live",
  ] { result[key] = show[key].canonical }
  let alerts = show["alerts"].array.map { alert in
    ["state", "timestamp", "endedAt", "pace", "peakPace", "distance", "latitude", "longitude"]
      .map { "\($0) \(alert[$0].canonical)" }.joined(separator: ", ")
  }
  result["alerts"] = alerts.joined(separator: "\n")
  return result
}

extension JSONValue {
  /// The value as text, the same for equal values.
  fileprivate var canonical: String {
    guard JSONSerialization.isValidJSONObject(["value": value]),
      let data = try? JSONSerialization.data(withJSONObject: ["value": value], options: .sortedKeys)
    else { return "missing" }
    return String(decoding: data, as: UTF8.self)
  }
}

extension LogbookOnDisk {
  /// A replay that reads from a pipe.
  fileprivate func replay(_ options: String..., mission: Bool = true) throws -> RunningProcess {
    try RunningProcess(
      RunwayProcess.executable,
      ["replay", "--json"] + (mission ? missionOptions : []) + options,
      environment: ["RUNWAY_LOGBOOK": path])
  }

  fileprivate func coordinateCount() throws -> Int? {
    Int(try SQLiteShell.run("SELECT count(*) FROM coordinate", on: path))
  }

  /// Waits until so many coordinates are stored.
  fileprivate func waits(
    forCoordinates count: Int, within limit: Duration
  ) async throws -> Bool {
    let end = ContinuousClock.now + limit
    while ContinuousClock.now < end {
      if try coordinateCount() == count { return true }
      try await Task.sleep(for: .milliseconds(20))
    }
    return false
  }

  fileprivate func show(_ flight: String = "latest") throws -> [String: String] {
    judgement(try runway("show", flight, "--json").json())
  }
}

/// All three alerts occur with it in the ten kilometres.
private let missionOptions = ["--pace", "5:30", "--tolerance", "15", "--distance", "10km"]

/// What an import of the same bytes amounts to.
private func imported(_ bytes: [UInt8]) throws -> [String: String] {
  let logbook = try LogbookOnDisk()
  try logbook.runway(["import", "-"] + missionOptions, input: Data(bytes))
  return try logbook.show()
}

@Suite(.enabled(if: SQLiteShell.isInstalled, "needs the sqlite3 shell"))
struct SurvivalTests {
  /// Ten at a time, five times: 50 kills.
  @Test(arguments: 0..<10)
  func `a live flight outlives SIGKILL at any moment`(series: Int) async throws {
    let log = try ReceiverLog()
    var moments = Moments(state: UInt64(series))
    for number in 0..<5 {
      let logbook = try LogbookOnDisk()
      let replay = try logbook.replay()
      // Small pieces that respect no sentence, so that the kill comes amid everything. At most the whole
      // log is sent in the time, so that alerts begin and end, and some flights touch down before.
      let life = moments.milliseconds(200...2_300)
      let pieceSize = 500 + Int(moments.next() % 8_000)
      let feed = Task.detached {
        var rest = log.bytes(0...)[...]
        while !rest.isEmpty, !Task.isCancelled, replay.write(rest.prefix(pieceSize)) {
          rest = rest.dropFirst(pieceSize)
          try await Task.sleep(for: .milliseconds(10))
        }
        if rest.isEmpty { replay.closeInput() }
      }
      try await Task.sleep(for: life)
      replay.kill(SIGKILL)
      let killed = ContinuousClock.now
      feed.cancel()
      let status = await replay.end()
      _ = await feed.result
      let note: Comment = "series \(series), number \(number), killed after \(life)"
      let told = replay.lines
      let hasLanded = told.contains { $0.text.contains("\"touchdown\"") }
      // A second for the promise; as it began the process may not even have opened the logbook.
      let promised = told.filter { $0.arrival < killed - .seconds(1) }.last { !$0.text.isEmpty }

      guard FileManager.default.fileExists(atPath: logbook.path),
        try SQLiteShell.run("SELECT count(*) FROM flight", on: logbook.path) == "1"
      else {
        #expect(promised == nil, note)
        continue
      }
      #expect(try SQLiteShell.isSound(logbook.path), note)
      let count = try #require(try logbook.coordinateCount())
      let order = try SQLiteShell.run(
        "SELECT min(\"order\"), max(\"order\"), max(time) FROM coordinates", on: logbook.path)
      let columns = order.split(separator: "|").map(String.init)
      #expect(columns[0] == "0" && columns[1] == "\(count - 1)", note)
      if let promised, let newest = try? JSONValue(promised.text)["timestamp"].string {
        // ISO 8601 in UTC sorts as text.
        #expect(columns[2].dropLast() >= newest.dropLast(), note)
      }

      let listed = try logbook.runway("flights", "--json").json()
      #expect(listed.array.count == 1, note)
      if hasLanded || status == 0 {
        #expect(listed[0]["interrupted"].bool == false, note)
      } else if listed[0]["interrupted"].bool == true {
        #expect(listed[0]["coordinateCount"].int ?? 0 <= count, note)
      }
      // Any writer completes it.
      let writer = try logbook.runway("logbook", "--weight", "70")
      #expect(writer.status == 0, note)
      #expect(try SQLiteShell.isSound(logbook.path), note)
      #expect(try logbook.coordinateCount() == count, note)
      #expect(try logbook.show() == imported(log.bytes(0..<count)), note)
      let check = try logbook.runway("check", "--json").json()
      #expect(check["findings"].array.isEmpty, "\(note): \(check)")
    }
  }
}

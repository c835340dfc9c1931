import Foundation

/// What is judged of a flight: everything that does not depend on how it came into the logbook.
func judgement(_ show: JSONValue) -> [String: String] {
  var result: [String: String] = [:]
  for key in [
    "startedAt", "endedAt", "mode", "distance", "rawDistance", "elapsedTime", "movingTime", "pace",
    "elevationGain", "elevationLoss", "coordinateCount", "segmentCount", "alertCount", "discarded",
    "rejected", "mission", "splits", "bestEfforts", "interrupted", "live",
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
  var canonical: String {
    guard JSONSerialization.isValidJSONObject(["value": value]),
      let data = try? JSONSerialization.data(withJSONObject: ["value": value], options: .sortedKeys)
    else { return "missing" }
    return String(decoding: data, as: UTF8.self)
  }
}

extension LogbookOnDisk {
  /// A replay that reads from a pipe.
  func replay(_ options: String..., mission: Bool = true) throws -> RunningProcess {
    try RunningProcess(
      ["replay", "--json"] + (mission ? missionOptions : []) + options,
      environment: ["RUNWAY_LOGBOOK": path])
  }

  func coordinateCount() throws -> Int? {
    Int(try SQLiteShell.run("SELECT count(*) FROM coordinate", on: path))
  }

  /// Waits until so many coordinates are stored.
  func waits(
    forCoordinates count: Int, within limit: Duration
  ) async throws -> Bool {
    let end = ContinuousClock.now + limit
    while ContinuousClock.now < end {
      if try coordinateCount() == count { return true }
      try await Task.sleep(for: .milliseconds(20))
    }
    return false
  }

  func show(_ flight: String = "latest") throws -> [String: String] {
    judgement(try runway("show", flight, "--json").json())
  }
}

/// All three alerts occur with it in the ten kilometres.
let missionOptions = ["--pace", "5:30", "--tolerance", "15", "--distance", "10km"]

/// What an import of the same bytes amounts to.
func imported(_ bytes: [UInt8]) throws -> [String: String] {
  let logbook = try LogbookOnDisk()
  try logbook.runway(["import", "-"] + missionOptions, input: Data(bytes))
  return try logbook.show()
}

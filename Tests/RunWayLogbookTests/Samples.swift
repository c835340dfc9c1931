import RunWayLogbook
import RunWayModel

/// Flights made up for tests: nothing in them is measured.
enum Samples {
  static let start = Timestamp(microseconds: 1_780_986_600_000_000)  // 2026-06-09T06:30:00Z

  static func locations(_ count: Int, seed: Double = 0) -> [Location] {
    (0..<count).map { index in
      let steps = Double(index)
      var location = Location(latitude: 35.1 + seed + steps * 2.7e-5, longitude: 139.2)
      location.longitude += steps / 3e5
      if index % 7 != 0 { location.altitude = 12.5 + steps / 10 }
      let moved = Int64(index) * 1_000_000 + Int64(seed * 1e9)
      location.time = start.shifted(byMicroseconds: moved)
      location.heartRate = 140 + Double(index % 20)
      location.segment = Int32(index / 1_000)
      return location
    }
  }

  static func fingerprint(_ locations: [Location]) -> RecordingFingerprint {
    var fingerprinter = RecordingFingerprinter()
    for location in locations where location.isValid { fingerprinter.update(with: location) }
    return fingerprinter.fingerprint
  }

  static func alert(
    _ number: Int, _ state: GPWSState = .sinkRate, at second: Int64 = 60
  ) -> Alert {
    Alert(
      number: number, state: state, timestamp: start.shifted(byMicroseconds: second * 1_000_000),
      endedAt: start.shifted(byMicroseconds: (second + 20) * 1_000_000),
      pace: Pace(secondsPerKilometer: 345.5), peakPace: Pace(secondsPerKilometer: 360),
      distance: .meters(1_234.5), latitude: 35.1, longitude: 139.2)
  }

  static func report(_ locations: [Location], alerts: [Alert] = []) -> FlightReport {
    var totals = FlightTotals()
    totals.startedAt = locations.compactMap(\.time).min()
    totals.endedAt = locations.compactMap(\.time).max()
    totals.distance = .meters(Double(locations.count) * 3)
    totals.rawDistance = .meters(Double(locations.count) * 3.01)
    totals.elapsedTime = Double(locations.count)
    totals.movingTime = Double(locations.count) * 0.9
    totals.elevationGain = 12
    totals.coordinateCount = locations.count
    totals.segmentCount = 1
    return FlightReport(
      totals: totals, alerts: alerts,
      kilometerSplits: [
        Split(index: 1, distance: .kilometers(1), elapsedTime: 330, movingTime: 329.5),
        Split(index: 2, distance: .meters(412.25), elapsedTime: 130, movingTime: 130),
      ],
      mileSplits: [Split(index: 1, distance: .meters(1_412.25), elapsedTime: 460, movingTime: 459)],
      bestEfforts: [
        BestEffort(kind: .oneKilometer, elapsedTime: 320, startDistance: .meters(100)),
        BestEffort(kind: .fourHundredMeters, elapsedTime: 110, startDistance: .meters(50)),
      ],
      fingerprint: fingerprint(locations))
  }

  /// Stores a flight and gives its identity.
  @MainActor @discardableResult
  static func store(
    in logbook: Logbook, _ header: NewFlight = NewFlight(), count: Int = 10, seed: Double = 0,
    alerts: [Alert] = [], force: Bool = false
  ) throws -> FlightID {
    let locations = locations(count, seed: seed)
    let transaction = try logbook.beginImport()
    let outcome = try transaction.store(
      header, locations: locations, report: report(locations, alerts: alerts), force: force)
    try transaction.commit()
    switch outcome {
    case .stored(let id): return id
    case .duplicate(let id): return id
    }
  }
}

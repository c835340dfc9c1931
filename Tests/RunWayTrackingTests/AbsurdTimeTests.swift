import RunWayModel
import RunWayTracking
import Testing

/// Times that are years off: of receivers whose date is that of a cold start or of a rolled-over week.
@Suite struct AbsurdTimeTests {
  private static let year = 365 * 86_400.0

  /// 61 locations, 3 m and 1 s apart, with some times moved by so many years.
  private func run(_ offs: [Int: Double], segment: (Int) -> Int32 = { _ in 0 }) -> [Location] {
    (0...60).map {
      Track.location(
        at: Double($0) + (offs[$0] ?? 0) * Self.year, 3 * Double($0), segment: segment($0))
    }
  }

  private func backwards(_ update: FlightUpdate) -> [Int] {
    update.discards.filter { $0.reason == .backwards }.map(\.order).sorted()
  }

  // Wherever it stands, a single location that is left out costs its time only: the way between its neighbours
  // is a straight line. Left out at an end, it costs that step of 3 m and 1 s.
  @Test(arguments: [0, 1, 30, 58, 59, 60], [-54.0, -20, -1.1, 1.1, 17, 600])
  func `a single time years off is not used`(place: Int, years: Double) {
    let (update, report) = fly(run([place: years]))
    #expect(backwards(update) == [place])
    let seconds = place == 0 || place == 60 ? 59.0 : 60
    #expect(report.totals.elapsedTime == seconds)
    #expect(report.totals.movingTime == seconds)
    #expect(report.totals.distance.meters.isClose(to: 3 * seconds))
    #expect(report.totals.startedAt == Track.time(place == 0 ? 1 : 0))
    #expect(report.totals.endedAt == Track.time(place == 60 ? 59 : 60))
  }

  @Test(arguments: [-20.0, 17])
  func `three times in a row are dropped in the middle, and four are a stretch of their own`(
    years: Double
  ) {
    let three = fly(run([30: years, 31: years, 32: years]))
    #expect(backwards(three.update) == [30, 31, 32])
    #expect(three.report.totals.distance.meters.isClose(to: 180))
    #expect(three.report.totals.elapsedTime == 60)
    let four = fly(run([30: years, 31: years, 32: years, 33: years])).report.totals
    // 29 + 3 + 26 steps, and no year among the moving time.
    #expect(four.movingTime == 58)
    #expect(four.distance.meters.isClose(to: 174))
  }

  @Test func `what lies years apart in segments of the source counts`() {
    let track = run(Dictionary(uniqueKeysWithValues: (30...60).map { ($0, 2.0) })) {
      $0 < 30 ? 0 : 1
    }
    let (update, report) = fly(track)
    #expect(update.discards.isEmpty)
    #expect(report.totals.movingTime == 59)
    #expect(report.totals.distance.meters.isClose(to: 177))
    // In one segment of the source too: it breaks where the years lie.
    let one = fly(run(Dictionary(uniqueKeysWithValues: (30...60).map { ($0, 2.0) })))
    #expect(one.update.discards.isEmpty)
    #expect(one.report.totals.movingTime == 59)
  }

  @Test func `of two locations nobody knows which time is off`() {
    let track = [Track.location(at: 0, 0), Track.location(at: 20 * Self.year, 3)]
    let (update, report) = fly(track)
    #expect(update.discards.isEmpty)
    #expect(report.totals.movingTime == 0)
  }

  @Test func `a flight whose first time was off takes off again`() {
    let mission = Mission(
      pace: Pace(secondsPerKilometer: 330), tolerance: 15, distance: .meters(180))
    let (update, report) = fly(run([0: -20]), mission: mission)
    let takeoffs = update.events.compactMap { event in
      if case .takeoff(let data) = event { data.timestamp } else { nil }
    }
    #expect(takeoffs == [Track.time(-20 * Self.year), Track.time(1)])
    // The whole of it against the flight of the 60 others.
    var others = fly(Array(run([:]).dropFirst()), mission: mission).report
    others.totals.discarded.backwards = 1
    others.totals.rawDistance = report.totals.rawDistance
    #expect(report.totals == others.totals)
    #expect(report.alerts == others.alerts)
    #expect(report.kilometerSplits == others.kilometerSplits)
  }
}

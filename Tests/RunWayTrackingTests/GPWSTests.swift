import RunWayModel
import RunWayTracking
import Testing

/// Target 330 s/km, tolerance 20: sink rate from 350 on, overspeed below 310, inner bounds 340 and 320.
@Suite struct GPWSTests {
  private let mission = Mission(
    pace: Pace(secondsPerKilometer: 330), tolerance: 20, distance: .meters(100_000))

  private func fix(
    _ seconds: Double, _ pace: Double?, distance: Double? = nil, movingTime: Double? = nil,
    settled: Bool = true
  ) -> GPWSFix {
    GPWSFix(
      timestamp: Track.time(seconds), latitude: 1, longitude: seconds,
      distance: .meters(distance ?? seconds * 3), pace: pace.map(Pace.init(secondsPerKilometer:)),
      movingTime: movingTime ?? seconds, isSettled: settled)
  }

  private func watch(
    _ fixes: [GPWSFix], mission: Mission? = nil
  ) -> (callouts: [Callout], alerts: [Alert]) {
    var gpws = GPWS(mission: mission ?? self.mission)
    var events: [FlightEvent] = []
    for fix in fixes { gpws.evaluate(fix, into: &events) }
    gpws.touchdown(into: &events)
    let callouts = events.compactMap { event -> Callout? in
      if case .callout(let callout) = event { callout } else { nil }
    }
    return (callouts, gpws.alerts)
  }

  /// One location a second at each of the paces, `seconds` of them.
  private func legs(_ legs: [(seconds: Int, pace: Double?)]) -> [GPWSFix] {
    var fixes: [GPWSFix] = []
    for leg in legs {
      for _ in 0..<leg.seconds { fixes.append(fix(Double(fixes.count), leg.pace)) }
    }
    return fixes
  }

  private func seconds(_ time: Timestamp?) -> Double? { time?.seconds(since: Track.start) }

  // MARK: Bounds and stretches

  @Test(
    arguments: [
      (349.999, nil), (350.0, GPWSState.sinkRate), (310.0, nil), (309.999, .overspeed),
      (340.0, nil), (330.0, nil), (1e9, .sinkRate), (1e-9, .overspeed),
    ] as [(Double, GPWSState?)])
  func `the bound belongs to the slow side alone`(pace: Double, state: GPWSState?) {
    let (_, alerts) = watch(legs([(10, 330), (60, pace)]))
    #expect(alerts.map(\.state) == (state.map { [$0] } ?? []))
  }

  @Test func `a stretch is ten seconds from its first location to its last`() {
    // Slow at 10 … 19 s: nine seconds. Slow at 10 … 20 s: ten.
    #expect(watch(legs([(10, 330), (10, 360), (30, 330)])).alerts.isEmpty)
    #expect(watch(legs([(10, 330), (11, 360), (30, 330)])).alerts.count == 1)
  }

  @Test func `an alert bears time, place, pace and distance of its stretch's first location`()
    throws
  {
    let (callouts, alerts) = watch(legs([(10, 330), (5, 360), (30, 370), (30, 330)]))
    let alert = try #require(alerts.first)
    #expect(alerts.count == 1)
    #expect(seconds(alert.timestamp) == 10)
    #expect(alert.longitude == 10)
    #expect(alert.distance == .meters(30))
    #expect(alert.pace == Pace(secondsPerKilometer: 360))
    #expect(alert.peakPace == Pace(secondsPerKilometer: 370))
    // Back inside from 45 s on; complete at 55 s.
    #expect(seconds(alert.endedAt) == 45)
    #expect(callouts.map(\.state) == [.sinkRate, .normal])
    #expect(callouts.map { seconds($0.timestamp) } == [20, 55])
  }

  @Test func `an alert ends only on the target's side of the inner bound`() {
    // 345 is inside the tolerance and beyond the inner bound of 340.
    let (_, still) = watch(legs([(10, 330), (20, 360), (100, 345)]))
    #expect(seconds(still.first?.endedAt) == 129, "touchdown")
    let (_, ended) = watch(legs([(10, 330), (20, 360), (100, 340)]))
    #expect(seconds(ended.first?.endedAt) == 30)
    // Nine seconds inside are not enough.
    let (_, broken) = watch(legs([(10, 330), (20, 360), (10, 330), (20, 360), (20, 330)]))
    #expect(broken.count == 1)
    #expect(seconds(broken.first?.endedAt) == 60)
  }

  @Test func `overspeed mirrors sink rate`() {
    let (callouts, alerts) = watch(legs([(10, 330), (20, 300), (5, 290), (20, 320)]))
    #expect(alerts.map(\.state) == [.overspeed])
    #expect(alerts.first?.peakPace == Pace(secondsPerKilometer: 290))
    #expect(seconds(alerts.first?.timestamp) == 10)
    #expect(seconds(alerts.first?.endedAt) == 35)
    #expect(callouts.map(\.state) == [.overspeed, .normal])
  }

  // MARK: Arming

  @Test func `a runner who never gets there is told after 120 s of moving time`() {
    let (callouts, alerts) = watch(legs([(200, 400)]))
    #expect(alerts.count == 1)
    // Armed at 120 s, where the stretch begins.
    #expect(seconds(alerts.first?.timestamp) == 120)
    #expect(seconds(callouts.first?.timestamp) == 130)
    #expect(watch(legs([(120, 400)])).alerts.isEmpty)
  }

  @Test(arguments: [310.0, 350])
  func `the ends of the tolerance arm`(pace: Double) {
    let (_, alerts) = watch(legs([(1, pace), (30, 400)]))
    // 350 itself is already slow.
    #expect(seconds(alerts.first?.timestamp) == (pace == 350 ? 0 : 1))
  }

  // MARK: Rule 5

  @Test func `standing ends an alert at once`() {
    let (callouts, alerts) = watch(legs([(10, 330), (20, 360), (30, nil)]))
    #expect(seconds(alerts.first?.endedAt) == 30)
    #expect(callouts.map(\.state) == [.sinkRate, .normal])
    #expect(callouts.last?.pace == nil)
  }

  @Test func `the first seconds of a flight or segment are not judged`() {
    var fixes = legs([(10, 330), (40, 360)])
    for index in 30..<35 { fixes[index].isSettled = false }
    let (_, alerts) = watch(fixes)
    // The first episode lasts 10 … 30 s. The second stretch begins at 35 and is complete at 45; the 20 s are over at 50.
    #expect(alerts.count == 1)
    #expect(seconds(alerts.first?.endedAt) == 30)
  }

  // MARK: The 20 seconds

  @Test func `alternating states within 20 s are stored once they last`() {
    // Sink rate from 10 s; fast from 40 s on: the sink rate ends at 40 and overspeed begins there. Its
    // stretch is complete at 50 s, the 20 s are over at 60.
    let track = legs([(10, 330), (30, 360), (30, 300), (30, 330)])
    var gpws = GPWS(mission: mission)
    var events: [FlightEvent] = []
    var openings: [Double] = []
    for fix in track {
      events.removeAll()
      gpws.evaluate(fix, into: &events)
      for event in events {
        if case .alertOpened = event {
          openings.append(fix.timestamp.seconds(since: Track.start))
        }
      }
    }
    gpws.touchdown(into: &events)
    #expect(openings == [20, 60])
    #expect(gpws.alerts.map(\.state) == [.sinkRate, .overspeed])
    #expect(seconds(gpws.alerts[0].endedAt) == 40)
    #expect(seconds(gpws.alerts[1].timestamp) == 40)
    #expect(gpws.alerts[1].distance == .meters(120))
    let callouts = watch(track).callouts
    #expect(callouts.map(\.state) == [.sinkRate, .overspeed, .normal], "no glide path between")
    #expect(callouts.map { seconds($0.timestamp) } == [20, 50, 80])
  }

  @Test(arguments: [(360.0, 290.0, 300.0), (300, 370, 360)])
  func `the opposite episode keeps the peak of its own stretch`(
    first: Double, peak: Double, second: Double
  ) {
    // The second episode's farthest pace stands at 40 … 44 s, before the episode is recognised at 50.
    let (_, alerts) = watch(legs([(10, 330), (30, first), (5, peak), (25, second), (30, 330)]))
    #expect(alerts.map(\.peakPace?.secondsPerKilometer) == [first, peak])
  }

  @Test func `an episode that ends within the 20 s is called out and never stored`() {
    // Overspeed from 40 s, called at 50, and standing from 55 on.
    let (callouts, alerts) = watch(legs([(10, 330), (30, 360), (15, 300), (30, nil)]))
    #expect(alerts.map(\.state) == [.sinkRate])
    #expect(callouts.map(\.state) == [.sinkRate, .overspeed, .normal])
  }

  @Test func `an episode that comes back before the 20 s are over is not stored`() {
    // Sink rate to 40 s, overspeed from there to 55. It takes until 65 to know, and the 20 s are over at 60.
    let (callouts, alerts) = watch(legs([(10, 330), (30, 360), (15, 300), (30, 330)]))
    #expect(alerts.map(\.state) == [.sinkRate])
    #expect(callouts.map { seconds($0.timestamp) } == [20, 50, 65])
  }

  @Test(
    arguments: [
      // Fast again until 92 s and inside for good; standing at 62; touchdown at 62.
      ([(30, 300), (20, 330)], 92), ([(10, nil)], 62), ([(1, 330)], 62),
    ] as [([(Int, Double?)], Double)])
  func `an episode that is only for a while inside when the 20 s are over is stored`(
    rest: [(Int, Double?)], end: Double
  ) {
    // Inside from 55 s on for seven seconds: the episode lasts all the while.
    let (_, alerts) = watch(
      legs([(10, 330), (30, 360), (15, 300), (7, 330)] + rest.map { (seconds: $0.0, pace: $0.1) }))
    #expect(alerts.map(\.state) == [.sinkRate, .overspeed])
    #expect(seconds(alerts.last?.timestamp) == 40)
    #expect(seconds(alerts.last?.endedAt) == end)
  }

  // MARK: Minimums

  private func approach(_ distances: [Double], to finish: Double, pace: Double? = 330) -> [GPWSFix]
  {
    distances.enumerated().map {
      fix(Double($0.offset), pace, distance: $0.element, settled: false)
    }
  }

  private func mission(to finish: Double) -> Mission {
    Mission(pace: Pace(secondsPerKilometer: 330), tolerance: 20, distance: .meters(finish))
  }

  @Test func `minimums begin 50 m before the finish and end there`() {
    let (callouts, alerts) = watch(
      approach([940, 949.99, 950, 980, 999.99, 1_000, 1_010, 960], to: 1_000),
      mission: mission(to: 1_000))
    #expect(alerts.count == 1)
    #expect(alerts.first?.state == .minimums)
    #expect(seconds(alerts.first?.timestamp) == 2)
    #expect(seconds(alerts.first?.endedAt) == 5)
    #expect(callouts.map(\.state) == [.minimums, .normal])
    #expect(callouts.first?.distance == .meters(950))
  }

  @Test func `a step over the whole stretch raises minimums once`() {
    let (callouts, alerts) = watch(
      approach([900, 1_020, 1_040], to: 1_000), mission: mission(to: 1_000))
    #expect(alerts.count == 1)
    #expect(seconds(alerts.first?.timestamp) == 1)
    #expect(seconds(alerts.first?.endedAt) == 1)
    #expect(alerts.first?.distance == .meters(1_020))
    #expect(callouts.map(\.state) == [.minimums, .normal])
  }

  @Test func `a finish within 50 m is near from the first location`() {
    let (_, alerts) = watch(approach([0, 20, 45, 50], to: 45, pace: nil), mission: mission(to: 45))
    #expect(seconds(alerts.first?.timestamp) == 0)
    #expect(seconds(alerts.first?.endedAt) == 2)
    #expect(alerts.first?.pace == nil)
  }

  @Test func `minimums last until touchdown if the finish is not reached`() {
    let (_, alerts) = watch(approach([900, 960, 970], to: 1_000), mission: mission(to: 1_000))
    #expect(seconds(alerts.first?.endedAt) == 2)
  }

  @Test func `minimums run over a pace episode that goes on`() {
    // Slow from 10 s; at 3 m/s, 950 m come between 316 and 317 s and 1000 m between 333 and 334.
    let fixes = legs([(10, 330), (400, 360)])
    let (callouts, alerts) = watch(fixes, mission: mission(to: 1_000))
    #expect(alerts.map(\.state) == [.sinkRate, .minimums])
    #expect(seconds(alerts[0].endedAt) == 409)
    #expect(seconds(alerts[1].timestamp) == 317)
    #expect(seconds(alerts[1].endedAt) == 334)
    #expect(callouts.map(\.state) == [.sinkRate, .minimums, .sinkRate], "and no second alert")
  }

  @Test func `a pace episode may begin beneath minimums`() {
    var fixes = legs([(318, 330), (100, 360)])
    let (callouts, alerts) = watch(fixes, mission: mission(to: 1_000))
    #expect(alerts.map(\.state) == [.minimums, .sinkRate])
    #expect(seconds(alerts[1].timestamp) == 318)
    // The finish is reached at 334 s; the slow stretch, complete at 328, shows then.
    #expect(callouts.map(\.state) == [.minimums, .sinkRate])
    #expect(callouts.map { seconds($0.timestamp) } == [317, 334])
    fixes = legs([(318, 330), (100, nil)])
    #expect(watch(fixes, mission: mission(to: 1_000)).alerts.map(\.state) == [.minimums])
  }

  @Test(
    arguments: [
      // Two places at 60 s, 45 m apart, or one without a time: the second of them lies beyond 950 m.
      (Track.location(at: 60, 960), 60), (Track.location(at: nil, 960), 60),
    ] as [(Location, Double)])
  func `a location that counts for distance only reaches minimums`(
    between: Location, time: Double
  ) throws {
    let before = (0...60).map { Track.location(at: Double($0), 740 + Double($0) * 3) }
    let after = [Track.location(at: 70, 990)]
    let (update, report) = fly(
      [Track.location(at: -240, 0)] + before + [between] + after, mission: mission(to: 1_000))
    let alert = try #require(report.alerts.first { $0.state == .minimums })
    #expect(seconds(alert.timestamp) == time)
    #expect(alert.distance.meters.isClose(to: 960))
    let callout = update.events.first {
      if case .callout(let callout) = $0 { callout.state == .minimums } else { false }
    }
    #expect(callout != nil)
  }

  @Test func `the pace is not judged by a location that counts for distance only`() {
    var fixes = legs([(10, 330), (20, 360), (30, 330)])
    for index in fixes.indices { fixes[index].pace = Pace(secondsPerKilometer: 500) }
    var gpws = GPWS(mission: mission)
    var events: [FlightEvent] = []
    for fix in fixes { gpws.evaluate(fix, judgesPace: false, into: &events) }
    #expect(events.isEmpty)
  }

  @Test func `metres are not kilometres`() {
    // 5 km: nothing at 5 m, nothing at 4,949 m.
    let (_, alerts) = watch(
      approach([0, 5, 50, 4_949], to: 5_000), mission: mission(to: 5_000))
    #expect(alerts.isEmpty)
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity, 0, -5])
  func `an absurd mission raises no pace alert by accident`(value: Double) {
    let mission = Mission(
      pace: Pace(secondsPerKilometer: 330), tolerance: .nan, distance: .meters(value))
    #expect(watch(legs([(200, 330)]), mission: mission).alerts.isEmpty)
  }
}

import RunWayModel
import RunWaySamples
import RunWayTracking
import Testing

@Suite struct FlightComputerTests {
  private let mission = Mission(
    pace: Pace(secondsPerKilometer: 330), tolerance: 15, distance: .meters(3_000))

  /// A run with everything that can happen to it, at random.
  private func eventful(seed: UInt64) -> [Location] {
    var generator = SeededGenerator(seed: seed)
    var track = RunSimulator(receiver: seed % 2 == 0 ? .positionsOnly : .measuresSpeed).run(
      [(200, 330), (150, 390), (40, 30_000), (200, 330), (150, 280), (250, 340)], seed: seed)
    for index in track.indices {
      track[index].altitude = 100 + Double(index / 20)
      track[index].heartRate = 140
      if index > 500 { track[index].segment = 1 }
      switch Int.random(in: 0..<60, using: &generator) {
      case 0: track[index].longitude += 0.01
      case 1: track[index].time = nil
      case 2: track[index].latitude = .nan
      case 3: track[index] = track[max(0, index - 1)]
      case 4: track[index].time = Track.time(Double.random(in: -50...2_000, using: &generator))
      default: break
      }
    }
    return track
  }

  @Test(arguments: 0..<12 as Range<UInt64>)
  func `batches of any size give the same`(seed: UInt64) {
    let track = eventful(seed: seed)
    let whole = fly(track, mission: mission, snapshots: true)
    for size in [1, 7, 256] {
      var computer = FlightComputer(mission: mission, snapshots: true)
      var update = FlightUpdate()
      for start in stride(from: 0, to: track.count, by: size) {
        computer.process(Array(track[start..<min(track.count, start + size)]), into: &update)
      }
      let report = computer.finish(into: &update)
      #expect(update == whole.update)
      #expect(report == whole.report)
    }
  }

  @Test func `a flight broken off after any location equals the flight of those locations`() {
    let track = eventful(seed: 5)
    var running = FlightComputer(mission: mission)
    var update = FlightUpdate()
    for (index, location) in track.enumerated() {
      running.process([location], into: &update)
      guard index % 9 == 0 else { continue }
      var ended = running
      var endedUpdate = update
      let report = ended.finish(into: &endedUpdate)
      let fresh = fly(Array(track[...index]), mission: mission)
      #expect(report == fresh.report)
      #expect(endedUpdate == fresh.update)
    }
  }

  @Test(arguments: 0..<12 as Range<UInt64>)
  func `every valid location counts or is discarded, once`(seed: UInt64) {
    let track = eventful(seed: seed)
    let (update, report) = fly(track, mission: mission)
    let totals = report.totals
    #expect(totals.coordinateCount + totals.discarded.total == track.count)
    #expect(Set(update.discards.map(\.order)).count == update.discards.count)
    #expect(update.discards.map(\.order) == update.discards.map(\.order).sorted())
    #expect(update.discards.count == totals.discarded.total - totals.discarded.invalid)
    let sum = report.kilometerSplits.reduce(0) { $0 + $1.distance.meters }
    #expect(sum.isClose(to: totals.distance.meters, within: 1e-6))
  }

  @Test(arguments: 0..<6 as Range<UInt64>)
  func `a date that becomes known late moves the flight and changes nothing else`(seed: UInt64) {
    let track = eventful(seed: seed)
    let days: Int64 = -20_000 * Timestamp.microsecondsPerDay
    let known = track.count / 2
    let provisional = track[..<known].map { location in
      var location = location
      location.time = location.time?.shifted(byMicroseconds: days)
      return location
    }
    var computer = FlightComputer(mission: mission)
    var update = FlightUpdate()
    computer.process(provisional, into: &update)
    computer.redate(byMicroseconds: -days)
    computer.process(Array(track[known...]), into: &update)
    let report = computer.finish(into: &update)
    let whole = fly(track, mission: mission)
    #expect(report == whole.report)
    #expect(update.discards == whole.update.discards)
  }

  @Test func `a run without noise gives the same alerts at every interval`() {
    let mission = Mission(
      pace: Pace(secondsPerKilometer: 330), tolerance: 15, distance: .meters(4_500))
    let legs: [(seconds: Double, speed: Double)] = [
      (300, 1_000 / 330), (180, 1_000 / 365), (240, 1_000 / 330), (150, 1_000 / 295),
      (330, 1_000 / 330), (60, 1_000 / 370), (330, 1_000 / 330),
    ]
    for withSpeed in [false, true] {
      let reports = [1.0, 3, 5].map {
        fly(Track.run(legs, every: $0, withSpeed: withSpeed), mission: mission).report
      }
      for report in reports {
        #expect(report.alerts.map(\.state) == [.sinkRate, .overspeed, .sinkRate, .minimums])
        for (alert, first) in zip(report.alerts, reports[0].alerts) {
          #expect(abs(alert.timestamp.seconds(since: first.timestamp)) <= 10)
        }
      }
    }
  }

  @Test func `an alert bears the time and place of a location of the track`() throws {
    let track = Track.run([(300, 1_000 / 330), (100, 2.5)])
    let alert = try #require(fly(track, mission: mission).report.alerts.first)
    let location = try #require(track.first { $0.time == alert.timestamp })
    #expect(location.longitude == alert.longitude)
    #expect(location.latitude == alert.latitude)
  }

  @Test func `a gap in the recording does not hide minimums`() {
    // 3000 m are the finish; nothing is heard between 2900 and 3100 m.
    let track = Track.run([(1_100, 3)]).filter {
      let meters = $0.longitude / Track.degreesPerMeter
      return meters < 2_900 || meters > 3_100
    }
    let alerts = fly(track, mission: mission).report.alerts
    #expect(alerts.count { $0.state == .minimums } == 1)
  }

  @Test func `snapshots come once a second of track time`() {
    let track = Track.run([(10, 3)], every: 0.2)
    let snapshots = fly(track, snapshots: true).update.events.compactMap { event in
      if case .snapshot(let data) = event { data.elapsedTime } else { nil }
    }
    #expect(snapshots == [1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    #expect(fly(track).update.events.count == 1, "the takeoff alone")
  }

  @Test func `the snapshot says where the runner is`() {
    var computer = FlightComputer(mission: Mission(pace: Pace(secondsPerKilometer: 330)))
    var update = FlightUpdate()
    #expect(computer.data.phase == .preflight)
    computer.process(Track.run([(4, 3)]), into: &update)
    #expect(computer.data.phase == .takeoff)
    #expect(computer.data.heading == 90)
    #expect(computer.data.gpwsState == .normal)
    computer.process([Track.location(at: 5, 15, altitude: 12)], into: &update)
    #expect(computer.data.phase == .cruise)
    #expect(computer.data.altitude == 12)
    #expect(computer.data.distance.meters.isClose(to: 15))
    #expect(computer.data.timestamp == Track.time(5))
    _ = computer.finish(into: &update)
    #expect(computer.data.phase == .touchdown)
    #expect(FlightComputer().data.gpwsState == nil)
  }

  @Test func `hostile values neither trap nor get through`() {
    var generator = SeededGenerator(seed: 99)
    let numbers = [
      .nan, .infinity, -.infinity, 0, -0.0, -1, 1e-300, 1e300, -1e300, .greatestFiniteMagnitude,
      4, 5e9, 359.999,
    ]
    let times = [
      .earliest, .latest, Timestamp(microseconds: .min), Timestamp(microseconds: .max),
      Timestamp(microseconds: 0), Timestamp(microseconds: -1), Track.start,
    ]
    for _ in 0..<400 {
      var track = Track.run([(60, 3)])
      for _ in 0..<Int.random(in: 1...60, using: &generator) {
        let index = Int.random(in: track.indices, using: &generator)
        let number = numbers.randomElement(using: &generator) ?? 0
        switch Int.random(in: 0..<10, using: &generator) {
        case 0: track[index].latitude = number
        case 1: track[index].longitude = number
        case 2: track[index].altitude = number
        case 3: track[index].speed = number
        case 4: track[index].course = number
        case 5: track[index].heartRate = number
        case 6: track[index].cadence = number
        case 7: track[index].segment = [.min, .max, -1, 0].randomElement(using: &generator) ?? 0
        case 8: track[index].latitude = 90
        default: track[index].time = times.randomElement(using: &generator)
        }
      }
      var computer = FlightComputer(mission: mission, snapshots: true)
      var update = FlightUpdate()
      computer.process(track, into: &update)
      if Bool.random(using: &generator) {
        computer.redate(byMicroseconds: [.min, .max, 1, -1].randomElement(using: &generator) ?? 0)
      }
      computer.process(track, into: &update)
      let report = computer.finish(into: &update)
      #expect(report.isFinite)
      #expect(computer.data.isFinite)
    }
  }

  @Test(arguments: [Double.nan, .infinity, 0, -1])
  func `an absurd speed limit does not trap`(limit: Double) {
    let (_, report) = fly(eventful(seed: 3), options: FlightOptions(maxSpeed: limit))
    #expect(report.isFinite)
  }
}

@Suite struct RunningCenterTests {
  private let mission = Mission(pace: Pace(secondsPerKilometer: 330), tolerance: 15)
  private let slow = Track.run([(300, 1_000 / 330), (120, 2.5)])

  @Test func `a flight set up before takeoff keeps its mission`() async {
    let center = RunningCenter()
    await center.prepare(mission: mission)
    await center.takeoff()
    _ = await center.process(slow)
    #expect(await center.data.gpwsState == .sinkRate)
    #expect(await center.touchdown().report.alerts.count == 1)
  }

  @Test func `nothing of one flight leaks into the next`() async {
    let center = RunningCenter()
    await center.takeoff(mission: mission, options: FlightOptions(maxSpeed: 20), snapshots: true)
    let first = await center.process(slow)
    #expect(first.events.count > 400)
    _ = await center.touchdown()

    await center.takeoff()
    #expect(await center.data == FlightData())
    let second = await center.process(slow)
    let landing = await center.touchdown()
    #expect(landing.report == fly(slow).report)
    #expect(second.events.count == 1, "the takeoff alone")
    #expect(landing.report.alerts.isEmpty)
  }

  @Test func `a takeoff gives up what is under way`() async {
    let center = RunningCenter()
    await center.takeoff(mission: mission)
    _ = await center.process(slow)
    await center.takeoff(mission: nil)
    #expect(await center.touchdown().report.totals.coordinateCount == 0)
  }

  @Test func `locations without a takeoff take off`() async {
    let center = RunningCenter()
    await center.prepare(mission: mission)
    _ = await center.process(slow)
    #expect(await center.touchdown().report == fly(slow, mission: mission).report)
  }

  @Test func `the newest snapshot can be awaited`() async {
    let center = RunningCenter()
    await center.takeoff()
    _ = await center.process(slow)
    var iterator = center.snapshots.makeAsyncIterator()
    let data = await iterator.next()
    #expect(data?.elapsedTime == 420)
    _ = await center.touchdown()
    #expect(await iterator.next()?.phase == .touchdown)
  }

  @Test func `touchdown without a flight reports an empty one`() async {
    let (update, report) = await RunningCenter().touchdown()
    #expect(update == FlightUpdate())
    #expect(report.totals == FlightTotals())
  }
}

extension FlightReport {
  fileprivate var isFinite: Bool {
    let numbers: [Double?] =
      [
        totals.distance.meters, totals.rawDistance.meters, totals.elapsedTime, totals.movingTime,
        totals.elevationGain, totals.elevationLoss, totals.heartRate, totals.cadence,
        totals.pace?.secondsPerKilometer,
      ]
      + alerts.flatMap {
        [$0.pace?.secondsPerKilometer, $0.peakPace?.secondsPerKilometer, $0.distance.meters]
      }
      + (kilometerSplits + mileSplits).flatMap {
        [
          $0.distance.meters, $0.elapsedTime, $0.movingTime, $0.elevationGain, $0.elevationLoss,
          $0.heartRate, $0.pace?.secondsPerKilometer,
        ]
      }
      + bestEfforts.flatMap { [$0.elapsedTime, $0.startDistance.meters] }
    return numbers.allSatisfy { $0.map { $0.isFinite && $0 >= 0 } ?? true }
  }
}

extension FlightData {
  fileprivate var isFinite: Bool {
    let numbers = [
      distance.meters, pace?.secondsPerKilometer, elapsedTime, movingTime, altitude, heading,
      latitude, longitude,
    ]
    return numbers.allSatisfy { $0?.isFinite ?? true }
  }
}

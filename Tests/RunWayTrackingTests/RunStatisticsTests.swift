import RunWayModel
import RunWaySamples
import RunWayTracking
import Testing

@Suite struct StopTests {
  /// Runs 3 m/s up to a stop, stands, and runs on, with the receiver's speed.
  private func withReceiver(_ speeds: [Double]) -> [Location] {
    var meters = 0.0
    return speeds.enumerated().map {
      meters += $0.element
      return Track.location(at: Double($0.offset), meters, speed: $0.element)
    }
  }

  @Test
  func `by the receiver, two seconds below half a metre a second are a stop from the first on`() {
    // Slow at 10 … 13 s. Recognised at 12, backdated to 10: stationary 10 … 13, three seconds. The step at 10
    // is run (0.4 m), that at 11 too; those at 12 and 13 are not.
    let speeds = Array(repeating: 3.0, count: 10) + [0.4, 0.4, 0.4, 0.4] + [3, 3, 3]
    let (_, report) = fly(withReceiver(speeds))
    #expect(report.totals.elapsedTime == 16)
    #expect(report.totals.movingTime == 13)
    // 9 steps of 3 m, two of 0.4, three of 3.
    #expect(report.totals.distance.meters.isClose(to: 27 + 0.8 + 9))
  }

  @Test func `by the receiver, less than two seconds are no stop`() {
    let speeds = Array(repeating: 3.0, count: 10) + [0.4, 0.4] + [3, 3, 3]
    let (_, report) = fly(withReceiver(speeds))
    #expect(report.totals.movingTime == 14)
  }

  @Test func `half a metre a second is not below it`() {
    let speeds = Array(repeating: 3.0, count: 10) + Array(repeating: 0.5, count: 20)
    #expect(fly(withReceiver(speeds)).report.totals.movingTime == 29)
  }

  @Test func `by positions, eight seconds within half a metre a second are a stop`() {
    // 3 m/s to 30 s (90 m), standing to 60 s, running on. At 38 s everything since 30 s lies at 90 m; at 37 s, the location
    // of 29 s is 3 m away, and 4 m are allowed: recognised at 37, backdated to 29. At 61 s the location
    // of 53 s is 3 m away, still within 4; at 62 s it is 6 m: run again from 61 on. Stationary 29 … 61.
    let (_, report) = fly(Track.run([(30, 3), (30, 0), (30, 3)]))
    #expect(report.totals.elapsedTime == 90)
    #expect(report.totals.movingTime == 58, "90 s less 32")
    // 90 m before; the step at 61 s is not run.
    #expect(report.totals.distance.meters.isClose(to: 90 + 87))
    #expect(report.totals.rawDistance.meters.isClose(to: 180))
  }

  @Test func `a stop is not backdated to before the last one's end`() {
    // Standing from 30 s, one stride of 5 m at 50 s, standing again to 80 s: a location moved at 50 … 57 s only, as
    // from 50 on those of 42 … 49 are 5 m away. Stationary 29 … 49, and again from 58 at the latest: recognised at
    // 58 s with all since 50 s at one place, backdated to 50.
    var track = Track.run([(30, 3), (50, 0)])
    for index in 50..<track.count { track[index].longitude += 5 * Track.degreesPerMeter }
    let (_, report) = fly(track)
    #expect(report.totals.movingTime == 30, "29 s and one")
    #expect(report.totals.distance.meters.isClose(to: 95))
  }

  @Test func `a single long slow step is stationary whole`() {
    // 30 s of running, a gap of 60 s over 10 m, 30 s of running on.
    var track = Track.run([(30, 3)])
    track += (0...30).map { Track.location(at: 90 + Double($0), 100 + 3 * Double($0)) }
    let (_, report) = fly(track)
    #expect(report.totals.elapsedTime == 120)
    #expect(report.totals.movingTime == 60)
    #expect(report.totals.distance.meters.isClose(to: 180))
  }

  @Test func `a slow gap in the first seconds makes no stop of the running after it`() {
    // 3 s of running, 60 s over 10 m, 100 s of running on: nothing stands, for the step begins in the first 5 s.
    var track = Track.run([(3, 3)])
    track += (0...100).map { Track.location(at: 63 + Double($0), 19 + 3 * Double($0)) }
    let (_, report) = fly(track)
    #expect(report.totals.movingTime == 163)
    #expect(report.totals.distance.meters.isClose(to: 319))
  }

  @Test func `a long slow step within a stop by the receiver does not move its start`() {
    // Slow at 20, 21 and 31 s. The step of 10 s is recognised at 31; the first location that the receiver called
    // slow is that of 20 s: 51 s less 11.
    var track = (0..<20).map { Track.location(at: Double($0), 3 * Double($0), speed: 3) }
    track += [20.0, 21, 31].map { Track.location(at: $0, 60, speed: 0.1) }
    track += (1...20).map { Track.location(at: 31 + Double($0), 60 + 3 * Double($0), speed: 3) }
    #expect(fly(track).report.totals.movingTime == 40)
  }

  @Test func `a long slow step after the receiver's speed has gone is a stop of its own`() {
    // Slow at 20 and 21 s, and no speed from there on: at 31 s the last one is 10 s old. 51 s less 10.
    var track = (0..<20).map { Track.location(at: Double($0), 3 * Double($0), speed: 3) }
    track += [20.0, 21].map { Track.location(at: $0, 60, speed: 0.1) }
    track += (0...20).map { Track.location(at: 31 + Double($0), 60 + 3 * Double($0)) }
    #expect(fly(track).report.totals.movingTime == 41)
  }

  @Test(arguments: [(4.01, 14.0), (3.99, 6)])
  func `a step of eight seconds is slow below four metres`(meters: Double, moving: Double) {
    // Positions: 4 m in 8 s lie within the radius of 4 m, the receiver's speed keeps them out.
    let track = [
      Track.location(at: 0, 0, speed: 3), Track.location(at: 6, 18, speed: 3),
      Track.location(at: 14, 18 + meters, speed: 3),
    ]
    #expect(fly(track).report.totals.movingTime == moving)
  }

  @Test func `a step that begins in the first five seconds is never stationary`() {
    // A minute of standing from the start: 0 … 5 s are moving time, the step that begins at 5 s is not.
    let standing = Track.run([(60, 0)])
    #expect(fly(standing).report.totals.movingTime == 5)
    let gap = [Track.location(at: 0, 0), Track.location(at: 4.9, 15), Track.location(at: 100, 20)]
    #expect(fly(gap).report.totals.movingTime == 100)
    let later = [Track.location(at: 0, 0), Track.location(at: 5, 15), Track.location(at: 100, 20)]
    #expect(fly(later).report.totals.movingTime == 5)
  }

  @Test func `standing has neither pace nor alert`() {
    let mission = Mission(pace: Pace(secondsPerKilometer: 330), tolerance: 15)
    var computer = FlightComputer(mission: mission)
    var update = FlightUpdate()
    computer.process(Track.run([(300, 1_000 / 330), (120, 0)]), into: &update)
    #expect(computer.data.pace == nil)
    #expect(computer.data.gpwsState == .normal)
    #expect(computer.finish(into: &update).alerts.isEmpty)
  }

  @Test(arguments: [-1.0, .nan, .infinity, -.infinity])
  func `a speed that is none is unknown`(speed: Double) {
    var track = Track.run([(300, 1_000 / 330)])
    for index in track.indices { track[index].speed = speed }
    let mission = Mission(pace: Pace(secondsPerKilometer: 330), tolerance: 15)
    let (_, report) = fly(track, mission: mission)
    #expect(report.alerts.isEmpty)
    #expect(report.totals.movingTime == 300)
  }
}

@Suite struct PaceTests {
  private func finalPace(_ track: [Location]) -> Double? {
    var computer = FlightComputer()
    var update = FlightUpdate()
    computer.process(track, into: &update)
    return computer.data.pace?.secondsPerKilometer
  }

  @Test(arguments: [1.0, 3, 5, 0.2])
  func `constant speed has its pace at every interval, with or without a receiver's speed`(
    interval: Double
  ) throws {
    for withSpeed in [false, true] {
      let track = Track.run([(60, 2.5)], every: interval, withSpeed: withSpeed)
      let pace = try #require(finalPace(track))
      #expect(pace.isClose(to: 400, within: 0.01))
    }
  }

  @Test func `the average answers a step by its time constant`() throws {
    // n seconds after a step from a to b the first average still lacks q^n of it, q = e^(−1/8), and the second
    // q^n (1 + n (1 − q)). For a = 2, b = 4, n = 8: 0.3678794 · 1.9400248 = 0.713695;
    // 4 − 2 · 0.713695 = 2.572610 m/s, 388.71 s/km.
    let before = (0..<60).map { second in
      Track.location(at: Double(second), 2 * Double(second), speed: 2)
    }
    let after = (1...8).map { second in
      Track.location(at: Double(59 + second), 118 + 4 * Double(second), speed: 4)
    }
    let track = before + after
    let pace = try #require(finalPace(track))
    #expect(pace.isClose(to: 388.71, within: 0.01))
  }

  @Test func `the walk back takes two chords of four seconds`() throws {
    // Zigzag: 4 s east at 3 m/s, 4 s back. Ends of the chords at 12, 8 and 4 s: 12 m each, 3 m/s, though
    // 8 s make no way. The first speed there is seeds the average, so a single segment of 8 s shows it.
    let meters: [Double] = [0, 3, 6, 9, 12, 9, 6, 3, 0]
    let receiverless = [4, 8].map { Track.location(at: Double($0), meters[$0]) }
    // From 4 s on: one chord of 4 s and 12 m.
    let pace = try #require(finalPace(receiverless))
    #expect(pace.isClose(to: 1_000 / 3, within: 0.01))
  }

  @Test func `there is no pace below half a metre a second`() {
    #expect(finalPace(Track.run([(60, 0.51)], withSpeed: true)) != nil)
    let slow = (0...60).map { Track.location(at: Double($0), Double($0), speed: 0.499) }
    #expect(finalPace(slow) == nil)
  }

  @Test(arguments: [(30.0, false), (31, true)])
  func `a gap of more than thirty seconds restarts the average`(gap: Double, restarts: Bool) throws
  {
    var track = Track.run([(60, 2)], withSpeed: true)
    track.append(Track.location(at: 60 + gap, 120 + 4 * gap, speed: 4))
    let pace = try #require(finalPace(track))
    #expect(pace.isClose(to: 250, within: 1e-6) == restarts)
  }

  @Test func `average pace is moving time over distance`() throws {
    let pace = try #require(fly(Track.run([(300, 2.5)])).report.totals.pace)
    #expect(pace.secondsPerKilometer.isClose(to: 400, within: 1e-3))
  }
}

@Suite struct SplitTests {
  @Test func `splits are crossed within a step and the last part keeps its length`() throws {
    // 3 m/s for 800 s: 2400 m. Crossings at 333.33 and 666.67 s.
    let splits = fly(Track.run([(800, 3)])).report.kilometerSplits
    #expect(splits.map(\.index) == [1, 2, 3])
    #expect(splits.map(\.distance.meters).prefix(2) == [1_000, 1_000])
    #expect(splits[2].distance.meters.isClose(to: 400))
    for (split, seconds) in zip(splits, [1_000.0 / 3, 1_000.0 / 3, 400.0 / 3]) {
      #expect(try #require(split.elapsedTime).isClose(to: seconds))
      #expect(try #require(split.movingTime).isClose(to: seconds))
      #expect(try #require(split.pace).secondsPerKilometer.isClose(to: 1_000 / 3, within: 1e-3))
    }
  }

  @Test func `several splits may fall into one step`() throws {
    // 3500 m in 700 s, 5 m/s, seen at both ends only.
    let track = [Track.location(at: 0, 0), Track.location(at: 700, 3_500)]
    let splits = fly(track).report.kilometerSplits
    #expect(splits.count == 4)
    for split in splits.prefix(3) { #expect(try #require(split.elapsedTime).isClose(to: 200)) }
    #expect(splits[3].distance.meters.isClose(to: 500))
    #expect(try #require(splits[3].elapsedTime).isClose(to: 100))
  }

  @Test func `a mile is 1609.344 m`() throws {
    let splits = fly(Track.run([(800, 3)])).report.mileSplits
    #expect(splits.count == 2)
    #expect(splits[0].distance.meters.isClose(to: 1_609.344))
    #expect(try #require(splits[0].elapsedTime).isClose(to: 1_609.344 / 3))
    #expect(splits[1].distance.meters.isClose(to: 2_400 - 1_609.344))
  }

  @Test func `a stop costs elapsed time and no moving time`() throws {
    // 900 m in 300 s, 100 s of standing, 600 m in 200 s. As in the stop tests, stationary 299 … 401 s,
    // and the step of 3 m at 401 s is not run: the kilometre is reached 103 m after 400 s.
    let splits = fly(Track.run([(300, 3), (100, 0), (200, 3)])).report.kilometerSplits
    #expect(splits.count == 2)
    #expect(try #require(splits[0].elapsedTime).isClose(to: 400 + 103.0 / 3))
    #expect(try #require(splits[0].movingTime).isClose(to: 400 + 103.0 / 3 - 102))
    #expect(splits[1].distance.meters.isClose(to: 497))
  }

  @Test func `a stop that began before a crossing gives its time back`() throws {
    // 999 m at 3 m/s, then 0.2 m/s: the kilometre is crossed at 338 s, before the stop is recognised, which is
    // backdated. At 340 s the location of 332 s is 3 + 1.4 m away, at 341 s that of 333 s is 1.6 m away: recognised at
    // 341, backdated to 333 s. What moved until 340 s was counted: 999 + 1.4 m.
    let splits = fly(Track.run([(333, 3), (60, 0.2)])).report.kilometerSplits
    #expect(splits.count == 2)
    #expect(try #require(splits[0].elapsedTime).isClose(to: 338, within: 1e-3))
    #expect(try #require(splits[0].movingTime).isClose(to: 333, within: 1e-3))
    #expect(splits[1].movingTime == 0)
    #expect(splits[1].distance.meters.isClose(to: 0.4))
    #expect(splits[1].pace == nil)
  }

  @Test func `a break costs elapsed time and no moving time`() throws {
    var track = Track.run([(300, 3)])
    track += (0...100).map {
      Track.location(at: 1_000 + Double($0), 5_000 + 3 * Double($0), segment: 1)
    }
    // 900 m, then 100 m more until 1000 + 33.33 s.
    let splits = fly(track).report.kilometerSplits
    #expect(try #require(splits[0].elapsedTime).isClose(to: 1_000 + 100.0 / 3))
    #expect(try #require(splits[0].movingTime).isClose(to: 300 + 100.0 / 3))
  }

  @Test func `without times a split has a distance only`() {
    // From 20 m on, 1 m up each 10 m: credited at 70 m, 120 m, …, 970 m, 19 times, then at 1020 … 1470 m, 10 times.
    let track = (0...150).map {
      Track.location(at: nil, Double($0) * 10, altitude: Double(max(2, $0)))
    }
    let splits = fly(track).report.kilometerSplits
    #expect(splits.count == 2)
    #expect(splits[0].elapsedTime == nil)
    #expect(splits[0].movingTime == nil)
    #expect(splits[0].pace == nil)
    #expect(splits[0].elevationGain == 95)
    #expect(splits[1].elevationGain == 50)
    #expect(splits[1].distance.meters.isClose(to: 500))
  }

  @Test func `a crossing among untimed locations is dated between the timed ones around them`()
    throws
  {
    // 0 m at 0 s and 2000 m at 400 s; the kilometre is passed halfway.
    let track = [
      Track.location(at: 0, 0), Track.location(at: nil, 500), Track.location(at: nil, 1_500),
      Track.location(at: 400, 2_000),
    ]
    let splits = fly(track).report.kilometerSplits
    #expect(try #require(splits[0].elapsedTime).isClose(to: 200))
  }

  @Test func `a track that leaps about the globe has a bounded number of splits`() {
    // 90° in five days are 23 m/s; 10,019 km a step.
    let track = (0..<20).map {
      Track.location(at: Double($0) * 432_000, $0 % 2 == 0 ? 0 : 10_018_754)
    }
    let report = fly(track, options: FlightOptions(maxSpeed: 30)).report
    #expect(report.kilometerSplits.count == 20_001)
    let sum = report.kilometerSplits.reduce(0) { $0 + $1.distance.meters }
    #expect(sum.isClose(to: report.totals.distance.meters))
  }

  @Test func `no way is no split`() {
    #expect(fly([Track.location(at: 0, 0)]).report.kilometerSplits.isEmpty)
    #expect(fly([]).report.kilometerSplits.isEmpty)
  }
}

@Suite struct BestEffortTests {
  private func efforts(_ track: [Location]) -> [BestEffortDistance: BestEffort] {
    Dictionary(
      uniqueKeysWithValues: fly(track).report.bestEfforts.map { ($0.kind, $0) })
  }

  @Test func `the fastest stretch is found wherever it lies`() throws {
    // 900 m at 3 m/s, 500 m at 5 m/s, 900 m at 3 m/s.
    let found = efforts(Track.run([(300, 3), (100, 5), (300, 3)]))
    let short = try #require(found[.fourHundredMeters])
    #expect(short.elapsedTime.isClose(to: 80))
    #expect(short.startDistance.meters >= 900 - 1e-3 && short.startDistance.meters <= 1_000 + 1e-3)
    // A kilometre holds the fast 500 m and 500 m more at 3 m/s.
    #expect(try #require(found[.oneKilometer]).elapsedTime.isClose(to: 100 + 500.0 / 3))
    #expect(try #require(found[.oneMile]).elapsedTime.isClose(to: 100 + 1_109.344 / 3))
    #expect(found[.fiveKilometers] == nil)
  }

  @Test func `ends are interpolated within a step`() throws {
    // 10 s steps of 30 m: 400 m at 3 m/s are 133.33 s, which no pair of locations shows.
    let found = efforts(Track.run([(300, 3)], every: 10))
    #expect(try #require(found[.fourHundredMeters]).elapsedTime.isClose(to: 400.0 / 3))
  }

  @Test(arguments: 1...3)
  func `what stands before the first time does not shorten an effort`(untimed: Int) throws {
    var track = Track.run([(300, 3)])
    for index in 0..<untimed { track[index].time = nil }
    let found = efforts(track)
    #expect(try #require(found[.fourHundredMeters]).elapsedTime.isClose(to: 400.0 / 3))
  }

  @Test func `several lengths may fall into one step`() throws {
    let found = efforts([Track.location(at: 0, 0), Track.location(at: 700, 3_500)])
    #expect(try #require(found[.fourHundredMeters]).elapsedTime.isClose(to: 80))
    #expect(try #require(found[.oneMile]).elapsedTime.isClose(to: 1_609.344 / 5))
  }

  @Test func `stops and breaks count`() throws {
    // 300 m, a break of 700 s, 300 m: 400 m need the break.
    var track = Track.run([(100, 3)])
    track += (0...100).map {
      Track.location(at: 800 + Double($0), 5_000 + 3 * Double($0), segment: 1)
    }
    let effort = try #require(efforts(track)[.fourHundredMeters])
    #expect(effort.elapsedTime.isClose(to: 700 + 400.0 / 3))
  }

  @Test func `a stop lies outside where it can`() throws {
    // 1200 m, a stop, 1200 m: the best kilometre has no stop in it.
    let found = efforts(Track.run([(400, 3), (100, 0), (400, 3)]))
    #expect(try #require(found[.oneKilometer]).elapsedTime.isClose(to: 1_000.0 / 3))
  }

  @Test func `every pair of locations is considered`() throws {
    // Against the plain definition on a run of changing pace: the least time of all stretches that begin or end at a location.
    var generator = SeededGenerator(seed: 11)
    var distances = [0.0]
    for _ in 0..<1_500 {
      distances.append(distances[distances.count - 1] + .random(in: 1...4, using: &generator))
    }
    let track = distances.enumerated().map { Track.location(at: Double($0.offset), $0.element) }
    func time(at distance: Double) -> Double {
      let index = min(max(1, distances.firstIndex { $0 >= distance } ?? 0), distances.count - 1)
      let step = distances[index] - distances[index - 1]
      return Double(index - 1) + (distance - distances[index - 1]) / step
    }
    let found = efforts(track)
    for kind in [BestEffortDistance.fourHundredMeters, .oneKilometer, .oneMile] {
      let length = kind.distance.meters
      var best = Double.infinity
      for (second, distance) in distances.enumerated() {
        if distance >= length { best = min(best, Double(second) - time(at: distance - length)) }
        if distance + length <= distances[distances.count - 1] {
          best = min(best, time(at: distance + length) - Double(second))
        }
      }
      #expect(try #require(found[kind]).elapsedTime.isClose(to: best))
    }
  }

  @Test func `a very long flight of short steps keeps its efforts`() throws {
    // 0.25 m/s would be standing; 10 Hz at 3 m/s makes 0.3 m a step, and 30 km of them go beyond the window's limit.
    let track = (0...100_000).map {
      Track.location(at: Double($0) / 10, Double($0) * 0.3, speed: 3)
    }
    let found = efforts(track)
    #expect(try #require(found[.halfMarathon]).elapsedTime.isClose(to: 21_097.5 / 3, within: 0.5))
    #expect(
      try #require(found[.fourHundredMeters]).elapsedTime.isClose(to: 400.0 / 3, within: 0.01))
  }
}

@Suite struct ElevationTests {
  private func climb(_ altitudes: [Double?]) -> (gain: Double?, loss: Double?) {
    let totals = fly(
      altitudes.enumerated().map {
        Track.location(at: Double($0.offset), Double($0.offset) * 3, altitude: $0.element)
      }
    ).report.totals
    return (totals.elevationGain, totals.elevationLoss)
  }

  @Test func `five metres are credited and less is not`() {
    #expect(climb([100, 104.99, 100, 95.01]) == (0, 0))
    #expect(climb([100, 105]) == (5, 0))
    #expect(climb([100, 95]) == (0, 5))
    // 105.1 − 100.1 is 4.999… in binary.
    #expect(climb([100.1, 105.1]).gain?.isClose(to: 5) == true)
    // The reference moves with every credit: 100 → 107 → 101, and 104 is within 5 m of that.
    #expect(climb([100, 103, 107, 103, 101, 104]) == (7, 6))
  }

  @Test func `without elevations there is no climb`() {
    #expect(climb([nil, nil]) == (nil, nil))
    #expect(climb([nil, 100]) == (0, 0))
    #expect(climb([.nan, .infinity, -.infinity, 1e300, -1e300]) == (nil, nil))
  }

  @Test(arguments: [-32_768.0, -9_999, 32_767, 65_535, 99_999])
  func `a sensor's word for no elevation is none`(elevation: Double) {
    #expect(climb([100, elevation, 106, elevation, 100]) == (6, 6))
    #expect(climb([elevation]) == (nil, nil))
  }

  @Test func `the lowest and the highest places that people take receivers to are elevations`() {
    // The shore of the Dead Sea, a stratospheric balloon.
    #expect(climb([-430, 28_000]) == (28_430, 0))
  }

  @Test func `a missing elevation is not zero`() {
    #expect(climb([100, nil, 100, nil, 106]) == (6, 0))
  }

  @Test func `the reference starts anew with a segment`() {
    let track = [
      Track.location(at: 0, 0, altitude: 100), Track.location(at: 1, 3, altitude: 100),
      Track.location(at: 2, 6, altitude: 200, segment: 1),
      Track.location(at: 3, 9, altitude: 206, segment: 1),
    ]
    #expect(fly(track).report.totals.elevationGain == 6)
  }

  @Test func `a climb is credited to the split it is reached in`() {
    // 10 m steps; 50 m up at 990 m, 20 m down at 1010 m.
    let track = (0...150).map { number in
      Track.location(
        at: Double(number) * 3, Double(number) * 10,
        altitude: number < 99 ? 100 : number < 101 ? 150 : 130)
    }
    let splits = fly(track).report.kilometerSplits
    #expect(splits.map(\.elevationGain) == [50, 0])
    #expect(splits.map(\.elevationLoss) == [0, 20])
  }
}

@Suite struct SensorTests {
  @Test func `heart rate and cadence are means over moving time`() throws {
    // 100 s at 140, then 50 s at 170, in steps of 1 s; the step between lies halfway:
    // (99 · 140 + 155 + 50 · 170) / 150 = 150.1.
    let track = (0...150).map {
      Track.location(
        at: Double($0), Double($0) * 3, heartRate: $0 < 100 ? 140 : 170, cadence: 85)
    }
    let totals = fly(track).report.totals
    #expect(try #require(totals.heartRate).isClose(to: (99 * 140 + 155 + 51 * 170 - 170) / 150))
    #expect(totals.cadence == 85)
  }

  @Test func `what is measured while standing does not count`() throws {
    // Running 300 s at 150, standing 300 s at 90.
    let track = Track.run([(300, 3), (300, 0)]).enumerated().map { number, location in
      var location = location
      location.heartRate = number <= 300 ? 150 : 90
      return location
    }
    #expect(fly(track).report.totals.heartRate == 150)
  }

  @Test(arguments: [Double.nan, .infinity, 0, -60, 65_535])
  func `a heart rate that is none does not count`(rate: Double) {
    let track = (0...10).map {
      Track.location(at: Double($0), Double($0) * 3, heartRate: $0 < 5 ? 140 : rate)
    }
    #expect(fly(track).report.totals.heartRate == 140)
    let none = track.suffix(5)
    #expect(fly(Array(none)).report.totals.heartRate == nil)
  }

  @Test func `a split has its own heart rate`() throws {
    let track = (0...800).map {
      Track.location(at: Double($0), Double($0) * 2.5, heartRate: $0 <= 400 ? 140 : 160)
    }
    let splits = fly(track).report.kilometerSplits
    #expect(try #require(splits[0].heartRate).isClose(to: 140, within: 0.05))
    #expect(try #require(splits[1].heartRate).isClose(to: 160, within: 0.05))
  }
}

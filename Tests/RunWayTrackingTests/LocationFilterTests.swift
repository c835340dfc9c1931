import RunWayModel
import RunWayTracking
import Testing

@Suite struct LocationFilterTests {
  /// Locations at one second each, so many metres east.
  private func track(_ meters: [Double]) -> [Location] {
    meters.enumerated().map { Track.location(at: Double($0.offset), $0.element) }
  }

  private func orders(_ update: FlightUpdate, _ reason: DiscardReason) -> [Int] {
    update.discards.filter { $0.reason == reason }.map(\.order)
  }

  // MARK: Rule 1

  @Test func `invalid locations are counted and not numbered`() {
    var locations = track([0, 3, 6, 9])
    locations.insert(Location(latitude: .nan, longitude: 0), at: 1)
    locations.insert(Location(latitude: 0, longitude: 180.001), at: 3)
    locations.insert(Location(latitude: -.infinity, longitude: 0), at: 0)
    let (update, report) = fly(locations)
    #expect(update.discards.isEmpty)
    #expect(report.totals.discarded.invalid == 3)
    #expect(report.totals.coordinateCount == 4)
    #expect(report.totals.distance.meters.isClose(to: 9))
  }

  // MARK: Rule 2

  @Test func `a repeated location is a duplicate`() {
    var locations = track([0, 3, 6])
    locations.insert(locations[1], at: 2)
    let (update, report) = fly(locations)
    #expect(orders(update, .duplicate) == [2])
    #expect(report.totals.coordinateCount == 3)
  }

  @Test func `two places of one time within 50 m count for distance`() {
    let locations = [
      Track.location(at: 0, 0), Track.location(at: 10, 30), Track.location(at: 10, 60),
      Track.location(at: 20, 90),
    ]
    let (update, report) = fly(locations)
    #expect(update.discards.isEmpty)
    #expect(report.totals.distance.meters.isClose(to: 90))
  }

  @Test func `two places of one time more than 50 m apart do not both count`() {
    let locations = [
      Track.location(at: 0, 0), Track.location(at: 10, 30), Track.location(at: 10, 81),
      Track.location(at: 20, 60),
    ]
    let (update, report) = fly(locations)
    #expect(orders(update, .backwards) == [2])
    #expect(report.totals.distance.meters.isClose(to: 60))
  }

  @Test func `absent times are never equal`() {
    let locations = [0, 3, 3, 6].map { Track.location(at: nil, $0) }
    let (update, report) = fly(locations)
    #expect(update.discards.isEmpty)
    #expect(report.totals.coordinateCount == 4)
    #expect(report.totals.distance.meters.isClose(to: 6))
  }

  // MARK: Rule 3

  @Test func `a location inside a covered span is dropped`() {
    let locations = [0, 1, 2, 1.5, 3].map { Track.location(at: $0, $0 * 3) }
    let (update, report) = fly(locations)
    #expect(orders(update, .backwards) == [3])
    #expect(report.totals.distance.meters.isClose(to: 9))
    #expect(report.totals.elapsedTime == 3)
  }

  @Test func `a location earlier than all covered spans starts a new segment`() {
    // 100 … 110 s, then 0 … 10 s: two spans of 10 s and 30 m, 110 s between their ends.
    let late = (100...110).map { Track.location(at: Double($0), Double($0) * 3) }
    let early = (0...10).map { Track.location(at: Double($0), Double($0) * 3) }
    let (update, report) = fly(late + early)
    #expect(update.discards.isEmpty)
    #expect(report.totals.distance.meters.isClose(to: 60))
    #expect(report.totals.elapsedTime == 110)
    #expect(report.totals.movingTime == 20)
  }

  @Test func `a location in the gap between two spans starts a new segment`() {
    func part(_ from: Int, _ segment: Int32) -> [Location] {
      (from...from + 10).map {
        Track.location(at: Double($0), Double($0) * 3, segment: segment)
      }
    }
    // 0 … 10, 100 … 110, then 50 … 60 in the last one's segment.
    let (update, report) = fly(part(0, 0) + part(100, 1) + part(50, 1))
    #expect(update.discards.isEmpty)
    #expect(report.totals.movingTime == 30)
    #expect(report.totals.distance.meters.isClose(to: 90))
  }

  @Test(arguments: [12.5, 9.5])
  func `a step over a covered span is a break, at whatever speed`(maxSpeed: Double) {
    // 10 m/s; 4 … 8 s, then one of 1 s, then 9 … 11 s: 40 m in 4 s, nothing, 20 m in 2 s.
    let times = [4.0, 5, 6, 7, 8, 1, 9, 10, 11]
    let locations = times.enumerated().map { Track.location(at: $1, Double($0) * 10) }
    let (update, report) = fly(locations, options: FlightOptions(maxSpeed: maxSpeed))
    #expect(update.discards.isEmpty)
    #expect(report.totals.elapsedTime == 10)
    #expect(report.totals.movingTime == 6)
    #expect(report.totals.distance.meters.isClose(to: 60))
  }

  // Two receivers' clocks in one log: of each pair the later comes first. The first is a moment of its own; from the
  // second on, each pair's later time covers the earlier one of it. By the letter of the rule 59 are dropped.
  @Test(arguments: [0.01, 0.25, 1])
  func `pairs whose times are swapped make no segments`(lead: Double) {
    let locations = (0..<60).flatMap { index -> [Location] in
      let (time, meters) = (Double(index) * 2, Double(index) * 6)
      return [Track.location(at: time + lead, meters + 3 * lead), Track.location(at: time, meters)]
    }
    let (update, report) = fly(locations)
    #expect(orders(update, .backwards) == (1..<60).map { 2 * $0 + 1 })
    #expect(report.totals.distance.meters.isClose(to: 59 * 6 + 3 * lead))
    #expect(report.totals.movingTime?.isClose(to: 59 * 2 + lead) == true)
  }

  @Test func `a location far ahead of the next two is dropped`() {
    var locations = track([0, 3, 6, 9, 12])
    locations.insert(Track.location(at: 500, 7), at: 3)
    let (update, report) = fly(locations)
    #expect(orders(update, .backwards) == [3])
    #expect(report.totals.elapsedTime == 4)
    #expect(report.totals.distance.meters.isClose(to: 12))
  }

  @Test func `sixty seconds ahead is not far`() {
    // 62 s is 60 s after the last: it counts, and the next two lie inside its span.
    var locations = track([0, 3, 6, 9, 12])
    locations.insert(Track.location(at: 62, 7), at: 3)
    let (update, _) = fly(locations)
    #expect(orders(update, .backwards) == [4, 5])
  }

  @Test func `a location far ahead counts after a pause`() {
    let locations =
      track([0, 3, 6]) + [Track.location(at: 500, 9), Track.location(at: 501, 12)]
    let (update, report) = fly(locations)
    #expect(update.discards.isEmpty)
    #expect(report.totals.elapsedTime == 501)
  }

  @Test(arguments: [
    // The second one lies before the last that counts; one lies after; the segment ends too early.
    [Track.location(at: 3, 9), Track.location(at: 1, 12)],
    [Track.location(at: 3, 9), Track.location(at: 501, 12)],
    [Track.location(at: 3, 9)],
    [Track.location(at: 3, 9), Track.location(at: 4, 12, segment: 1)],
  ])
  func `a location far ahead counts unless both next ones lie before it`(after: [Location]) {
    let (update, _) = fly(track([0, 3, 6]) + [Track.location(at: 500, 9)] + after)
    #expect(!update.discards.contains { $0.order == 3 })
  }

  // MARK: Rule 4

  @Test(arguments: 1...3)
  func `one to three locations far off are a spike`(count: Int) {
    let spike = Array(repeating: 500.0, count: count)
    let (update, report) = fly(track([0, 3, 6] + spike + [9, 12]))
    #expect(orders(update, .spike) == Array(3..<3 + count))
    #expect(report.totals.distance.meters.isClose(to: 12))
    #expect(report.totals.rawDistance.meters.isClose(to: 6 + 494 + 491 + 3, within: 1e-3))
  }

  @Test func `four locations far off are no spike but a stretch of their own`() {
    // 494 m in a second was not run, nor was the way back: three segments.
    let (update, report) = fly(track([0, 3, 6, 500, 503, 506, 509, 12, 15]))
    #expect(update.discards.isEmpty)
    #expect(report.totals.distance.meters.isClose(to: 6 + 9 + 3))
    #expect(report.totals.movingTime == 6, "2, 3 and 1 s")
  }

  @Test(
    arguments: [
      // Inside the covered span; the last that counts once more; the spike once more; far ahead of the next two; untimed.
      (Track.location(at: 5, 15), 57.0, DiscardReason.backwards),
      (Track.location(at: 9, 27), 57, .duplicate),
      (Track.location(at: 10, 300), 57, .backwards),
      (Track.location(at: 5_000, 300), 57, .backwards),
      (Track.location(at: nil, 30), 57, nil),
    ] as [(Location, Double, DiscardReason?)])
  func `a location that says nothing of a spike does not save it`(
    between: Location, distance: Double, reason: DiscardReason?
  ) {
    // 3 m/s for 19 s; at 10 s 300 m off, and right behind it one that the other rules judge.
    var locations = (0...19).map { Track.location(at: Double($0), Double($0) * 3) }
    locations[10] = Track.location(at: 10, 300)
    locations.insert(between, at: 11)
    let (update, report) = fly(locations)
    #expect(orders(update, .spike).first == 10)
    #expect(update.discards.count == (reason == nil ? 1 : 2))
    if let reason, reason != .backwards || between.time != locations[10].time {
      #expect(orders(update, reason) == [11])
    }
    #expect(report.totals.distance.meters.isClose(to: distance))
    #expect(report.totals.movingTime == 19)
  }

  @Test(arguments: [(2, [2, 3]), (3, [2, 3, 4]), (4, [])])
  func `places of one time far off are one row of a spike`(count: Int, spike: [Int]) {
    // 3 m/s; at 2 s so many places 300 m off, of which four are more than a spike.
    let off = (0..<count).map { Track.location(at: 2, 300 + Double($0)) }
    let before = (0...1).map { Track.location(at: Double($0), Double($0) * 3) }
    let after = (3...9).map { Track.location(at: Double($0), Double($0) * 3) }
    let (update, report) = fly(before + off + after)
    #expect(orders(update, .spike) == spike)
    if !spike.isEmpty { #expect(report.totals.distance.meters.isClose(to: 27)) }
  }

  @Test func `the look for the end of a spike ends`() {
    // Nothing but locations that say nothing: what is far off counts after all, and nothing is held until the end.
    var filter = LocationFilter()
    filter.add(Track.location(at: 0, 0), order: 0)
    filter.add(Track.location(at: 1, 40), order: 1)
    for order in 2..<20 { filter.add(Track.location(at: nil, 41), order: order) }
    var verdicts = 0
    while filter.next() != nil { verdicts += 1 }
    #expect(verdicts == 20)
  }

  @Test func `a spike that jumps about is one too`() {
    let (update, _) = fly(track([0, 3, 6, 500, -500, 900, 9, 12]))
    #expect(orders(update, .spike) == [3, 4, 5])
  }

  @Test func `what the input ends with is no spike`() {
    // 26 m/s is possible, so it is counted with its step.
    let (update, report) = fly(track([0, 3, 6, 32]))
    #expect(update.discards.isEmpty)
    #expect(report.totals.distance.meters.isClose(to: 32))
  }

  @Test func `a spike at the end of a segment counts, and the next segment is not touched`() {
    var locations = track([0, 3, 6, 32, 9, 12])
    locations[4].segment = 1
    locations[5].segment = 1
    let (update, report) = fly(locations)
    #expect(update.discards.isEmpty)
    #expect(report.totals.distance.meters.isClose(to: 32 + 3))
    #expect(report.totals.segmentCount == 2)
  }

  @Test func `the speed limit decides what is a spike`() {
    let meters: [Double] = [0, 3, 6, 26, 12, 15]
    #expect(orders(fly(track(meters)).update, .spike) == [3])
    let cyclist = FlightOptions(maxSpeed: 25)
    #expect(fly(track(meters), options: cyclist).update.discards.isEmpty)
  }

  @Test func `a step between equal times has no speed`() {
    // 40 m at once and 40 m back at once: within 50 m, so they count.
    let locations = [
      Track.location(at: 0, 0), Track.location(at: 1, 3), Track.location(at: 1, 43),
      Track.location(at: 1, 3), Track.location(at: 2, 6),
    ]
    let (update, report) = fly(locations)
    #expect(update.discards.isEmpty)
    #expect(report.totals.distance.meters.isClose(to: 3 + 40 + 40 + 3))
  }

  // MARK: Rule 5

  @Test(arguments: [(49.0, 49.0 + 6), (51.0, 6.0)])
  func `a step faster than 50 m a second starts a new segment`(jump: Double, distance: Double) {
    let (update, report) = fly(track([0, 3, 3 + jump, 6 + jump]))
    #expect(update.discards.isEmpty)
    #expect(report.totals.distance.meters.isClose(to: distance))
    #expect(report.totals.segmentCount == 1)
  }

  // MARK: Locations without a time

  @Test func `an untimed location in a timed track counts for distance`() {
    let locations = [
      Track.location(at: 0, 0), Track.location(at: nil, 9), Track.location(at: nil, 18),
      Track.location(at: 9, 27), Track.location(at: nil, 30),
    ]
    let (update, report) = fly(locations)
    #expect(update.discards.isEmpty)
    #expect(report.totals.distance.meters.isClose(to: 30))
    #expect(report.totals.elapsedTime == 9)
    #expect(report.totals.movingTime == 9)
  }

  @Test func `a track without times is distance only`() {
    let mission = Mission(pace: Pace(secondsPerKilometer: 330), distance: .meters(900))
    let locations = (0...1_000).map { Track.location(at: nil, Double($0)) }
    let (update, report) = fly(locations, mission: mission)
    #expect(report.totals.distance.meters.isClose(to: 1_000))
    #expect(report.totals.elapsedTime == nil)
    #expect(report.totals.movingTime == nil)
    #expect(report.totals.pace == nil)
    #expect(report.totals.startedAt == nil)
    #expect(report.alerts.isEmpty)
    #expect(report.bestEfforts.isEmpty)
    #expect(update.events.count == 1, "the takeoff alone")
  }

  // MARK: Segments

  @Test func `nothing is measured across a segment of the source`() {
    var locations = track([0, 3, 6, 1_000, 1_003])
    locations[3].segment = 4
    locations[4].segment = 4
    let (_, report) = fly(locations)
    #expect(report.totals.distance.meters.isClose(to: 9))
    #expect(report.totals.rawDistance.meters.isClose(to: 9))
    #expect(report.totals.movingTime == 3)
    #expect(report.totals.segmentCount == 2)
  }

  @Test func `a segment may begin with the last location of the one before`() {
    var locations = track([0, 3, 6, 6, 9])
    locations[3] = locations[2]
    locations[3].segment = 1
    locations[4] = Track.location(at: 3, 9, segment: 1)
    let (update, report) = fly(locations)
    #expect(update.discards.isEmpty)
    #expect(report.totals.distance.meters.isClose(to: 9))
  }

  @Test func `twenty thousand segments a hundred seconds apart all count`() {
    let locations = (0..<20_000).map {
      Track.location(at: Double($0) * 100, Double($0), segment: Int32($0))
    }
    #expect(fly(locations).report.totals.segmentCount == 20_000)
  }
}

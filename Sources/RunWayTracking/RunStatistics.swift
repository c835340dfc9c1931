public import RunWayModel

/// Measures a flight, location by location.
///
/// Takes the locations that count, in order, and answers for the flight so far at any time. Memory does not grow with the
/// flight, apart from its splits.
///
/// Readings of the rules:
/// - The step to the location where a stop is recognised is no longer counted; what was counted before it stays.
/// - Between two locations, heart rate and cadence run in a straight line; where one of both lacks it, the other's holds.
/// - A climb is credited to the split that its location lies in; at exactly a full kilometre, to the one that ends there.
/// - Crossings reached by locations without a time are dated between the paced locations around them; where there is none
///   before or after, the split has a distance only.
/// - A difference of elevation within a micrometre of 5 m is 5 m, for 105.1 − 100.1 is a little less in binary.
public struct RunStatistics: Sendable {
  /// Metres an elevation has to differ from the reference.
  private static let climbStep = 5.0 - 1e-6
  /// What lies beyond these is no elevation but a sensor's word for none, as −32768, −9999 and 65535 are; metres.
  private static let elevations = -5_000.0...30_000.0
  /// A heart rate or cadence beyond this is none.
  private static let fastestRate = 1_000.0

  /// Metres run.
  public private(set) var distance = 0.0
  /// The smoothed pace; `nil` while stationary or unknown.
  public private(set) var pace: Pace?
  /// The earliest time of a location that counts.
  public private(set) var earliest: Timestamp?
  /// The latest time of a location that counts.
  public private(set) var latest: Timestamp?
  /// How many locations count.
  public private(set) var coordinateCount = 0
  /// The time of the first paced location of the open segment.
  public private(set) var segmentStart: Timestamp?

  private var tally = Tally()
  private var stops = StopDetector()
  private var smoother = SpeedSmoother()
  private var recent = RecentLocations()
  private var kilometers = SplitRecorder(length: .kilometers(1))
  private var miles = SplitRecorder(length: .mile)
  private var efforts = BestEffortFinder()
  /// What the times of efforts count from: the first paced location.
  private var effortOrigin: Timestamp?

  private var climb = Climb()
  private var hasElevation = false
  private var reference: Double?

  /// The first location of the flight, if it has a time.
  private var start: Mark?
  /// The last paced location of the open segment.
  private var anchor: Anchor?
  /// Metres run since the anchor by locations that count for distance only.
  private var unpacedStep = 0.0
  private var hasUntimed = false

  private struct Anchor: Sendable {
    var time: Timestamp
    var distance: Double
    var heartRate: Double
    var cadence: Double
  }

  /// Makes the statistics of nothing.
  public init() {}

  /// Whether the runner stands still.
  public var isStationary: Bool { stops.isStationary }

  /// Seconds without breaks and stops.
  public var movingTime: Double { tally.moving }

  /// Seconds from the earliest location to the latest; `nil` without times.
  public var elapsedTime: Double? {
    guard let earliest, let latest else { return nil }
    return latest.seconds(since: earliest)
  }

  /// The time of the last paced location of the open segment.
  public var latestPaced: Timestamp? { anchor?.time }

  /// Takes the next location that counts.
  ///
  /// - Parameters:
  ///   - location: The location; its time is between `Timestamp.earliest` and `Timestamp.latest`.
  ///   - passage: How it joins the ones before it.
  public mutating func add(_ location: Location, _ passage: Passage) {
    coordinateCount += 1
    if passage.beginsSegment { beginSegment() }
    guard passage.isPaced, let time = location.time else {
      if location.time == nil { hasUntimed = true }
      unpacedStep += passage.step
      if !stops.isStationary { distance += passage.step }
      measureElevation(location)
      return
    }
    addPaced(location, at: time, step: passage.step)
  }

  /// What the flight amounts to, apart from what the filter knows.
  public var totals: FlightTotals {
    var totals = FlightTotals()
    totals.startedAt = earliest
    totals.endedAt = latest
    totals.distance = .meters(distance)
    totals.elapsedTime = elapsedTime
    totals.movingTime = earliest == nil ? nil : tally.moving
    totals.elevationGain = hasElevation ? climb.gain : nil
    totals.elevationLoss = hasElevation ? climb.loss : nil
    totals.heartRate = tally.heartRateTime > 0 ? tally.heartRate / tally.heartRateTime : nil
    totals.cadence = tally.cadenceTime > 0 ? tally.cadence / tally.cadenceTime : nil
    totals.coordinateCount = coordinateCount
    return totals
  }

  /// The splits of 1000 m up to here.
  public var kilometerSplits: [Split] { splits(kilometers) }

  /// The splits of a mile up to here.
  public var mileSplits: [Split] { splits(miles) }

  /// The best efforts up to here, shortest first.
  public var bestEfforts: [BestEffort] { efforts.bestEfforts }

  private func splits(_ recorder: SplitRecorder) -> [Split] {
    recorder.splits(
      from: start, to: latest.map { Mark(time: $0, tally: tally) }, distance: distance,
      climb: hasElevation ? climb : nil)
  }
}

// MARK: - One location

extension RunStatistics {
  private mutating func beginSegment() {
    stops.restart()
    smoother.restart()
    recent.removeAll()
    anchor = nil
    segmentStart = nil
    reference = nil
    unpacedStep = 0
    hasUntimed = false
    pace = nil
  }

  @inline(__always)
  private mutating func addPaced(
    _ location: Location, at time: Timestamp, step: Double
  ) {
    let heartRate = RunStatistics.rate(location.heartRate, above: 0)
    let cadence = RunStatistics.rate(location.cadence, above: -1)
    let chord = recent.advance(
      to: time, latitude: location.latitude, longitude: location.longitude)
    let before = anchor.map { (mark: Mark(time: $0.time, tally: tally), distance: $0.distance) }
    if let anchor {
      let previous = Mark(time: anchor.time, tally: tally)
      if let moment = stops.judge(
        location, at: time, after: previous, step: hasUntimed ? nil : unpacedStep + step,
        recent: &recent)
      {
        tally = moment.tally
        kilometers.rewind(to: moment)
        miles.rewind(to: moment)
      } else {
        distance += step
        tally.add(
          seconds: Double(time.microseconds &- anchor.time.microseconds) / 1_000_000,
          heartRate: (anchor.heartRate, heartRate), cadence: (anchor.cadence, cadence))
      }
    } else {
      distance += step
      segmentStart = time
    }
    measureElevation(location)

    let now = Mark(time: time, tally: tally)
    kilometers.date(from: before, to: (now, distance))
    miles.date(from: before, to: (now, distance))
    stops.finish(location, at: now, after: anchor?.time)
    if let latest, time < latest { efforts.restart() }
    extendSpan(to: time)
    let effortOrigin = self.effortOrigin ?? time
    self.effortOrigin = effortOrigin
    efforts.add(distance: distance, time: time.seconds(since: effortOrigin))

    smoother.add(
      speed: location.receiverSpeed ?? recent.speed(chord: chord.chord, time: chord.time), at: time)
    pace = stops.isStationary ? nil : smoother.pace
    recent.append(
      time: time, latitude: location.latitude, longitude: location.longitude, tally: tally,
      chord: chord)
    anchor = Anchor(time: time, distance: distance, heartRate: heartRate, cadence: cadence)
    unpacedStep = 0
    hasUntimed = false
  }

  @inline(__always)
  private mutating func extendSpan(to time: Timestamp) {
    guard let first = earliest, let last = latest else {
      earliest = time
      latest = time
      if coordinateCount == 1 { start = Mark(time: time, tally: tally) }
      return
    }
    if time > last { latest = time } else if time < first { earliest = time }
  }

  /// Marks the crossings up to here, with the climb up to each.
  @inline(__always)
  private mutating func measureElevation(_ location: Location) {
    kilometers.cross(upTo: distance, inclusive: false, climb: climb)
    miles.cross(upTo: distance, inclusive: false, climb: climb)
    if let altitude = location.altitude, RunStatistics.elevations.contains(altitude) {
      hasElevation = true
      let difference = altitude - (reference ?? altitude)
      if reference == nil { reference = altitude }
      if abs(difference) >= RunStatistics.climbStep {
        reference = altitude
        if difference > 0 { climb.gain += difference } else { climb.loss -= difference }
      }
    }
    kilometers.cross(upTo: distance, inclusive: true, climb: climb)
    miles.cross(upTo: distance, inclusive: true, climb: climb)
  }

  /// A sensor's rate, or −1 where it is none.
  @inline(__always)
  private static func rate(_ value: Double?, above bound: Double) -> Double {
    guard let value, value > bound, value >= 0, value <= fastestRate else { return -1 }
    return value
  }
}

extension Tally {
  /// Adds the time of a step that was run; rates below 0 are unknown.
  @inline(__always)
  fileprivate mutating func add(
    seconds: Double, heartRate: (Double, Double), cadence: (Double, Double)
  ) {
    func mean(_ ends: (Double, Double)) -> Double {
      if ends.0 < 0 { return ends.1 }
      return ends.1 < 0 ? ends.0 : (ends.0 + ends.1) / 2
    }
    moving += seconds
    let beats = mean(heartRate)
    if beats >= 0 {
      self.heartRate += beats * seconds
      heartRateTime += seconds
    }
    let steps = mean(cadence)
    if steps >= 0 {
      self.cadence += steps * seconds
      cadenceTime += seconds
    }
  }
}

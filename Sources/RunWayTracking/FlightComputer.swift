public import RunWayModel

/// Tracks one flight, synchronously: the filter, the measures and the warning system in a row.
///
/// A value without a clock or any input of its own. `RunningCenter` serialises one; a stored flight can be
/// flown again with another. Memory does not grow with the flight, apart from alerts and splits.
public struct FlightComputer: Sendable {
  /// The first microseconds of a flight, and of a segment.
  private static let takeoffTime: Int64 = 5_000_000

  private var filter: LocationFilter
  private var statistics = RunStatistics()
  private let mission: Mission?
  private var gpws: GPWS?
  private var fingerprinter = RecordingFingerprinter()
  private let sendsSnapshots: Bool

  private var rawDistance = 0.0
  private var validCount = 0
  private var segmentCount = 0
  private var discarded = DiscardCounts()
  private var last = Fix()
  private var stepper = GeodesicStepper()

  /// The last location that counts, and the end of the step that led there.
  private var position: Position?
  private var origin: Position?
  private var takeoff: Timestamp?
  private var snapshotSecond = Int64.min
  private var hasFinished = false

  /// What has to be added to the times inside to have those outside: a date that became known moves a flight without a
  /// second pass.
  private var shift: Int64 = 0

  /// What a snapshot says of a location.
  private struct Position: Sendable {
    var latitude: Double
    var longitude: Double
    var altitude: Double?
    var course: Double?
  }

  /// The last valid location, in the numbers that a step needs.
  private struct Fix: Sendable {
    var latitude = Double.nan
    var longitude = Double.nan
    var segment: Int32?
  }

  /// Makes the computer of a flight that has not begun.
  ///
  /// - Parameters:
  ///   - mission: What the runner sets out to do; `nil` for a free flight.
  ///   - options: How the flight is judged.
  ///   - snapshots: Whether updates carry a snapshot for each second of track time.
  public init(
    mission: Mission? = nil, options: FlightOptions = FlightOptions(), snapshots: Bool = false
  ) {
    filter = LocationFilter(maxSpeed: options.maxSpeed)
    self.mission = mission
    gpws = mission.map { GPWS(mission: $0) }
    sendsSnapshots = snapshots
  }

  /// Takes the next locations of the flight.
  ///
  /// - Parameters:
  ///   - locations: Valid ones are numbered in their order, the others counted.
  ///   - update: The verdicts reached and the events are appended here.
  /// - Complexity: Linear in the number of locations, without a heap object for any.
  public mutating func process(_ locations: [Location], into update: inout FlightUpdate) {
    for location in locations { process(location, into: &update) }
  }

  /// Takes the next location of the flight.
  ///
  /// - Parameters:
  ///   - location: Numbered if it is valid, else counted.
  ///   - update: The verdicts reached and the events are appended here.
  @inline(__always)
  public mutating func process(_ location: Location, into update: inout FlightUpdate) {
    guard location.isValid else {
      discarded.invalid += 1
      return
    }
    fingerprinter.update(with: location)
    let order = validCount
    validCount += 1
    var step = Double.nan
    if location.segment == last.segment {
      step = stepper.length(
        fromLatitude: last.latitude, longitude: last.longitude, toLatitude: location.latitude,
        longitude: location.longitude)
      rawDistance += step
    } else {
      segmentCount += 1
    }
    last = Fix(
      latitude: location.latitude, longitude: location.longitude, segment: location.segment)

    if shift != 0 || !location.hasOrdinaryTime {
      var location = location
      location.time = location.time?.shifted(byMicroseconds: 0 &- shift)
      judge(location, order: order, step: step, into: &update)
    } else {
      judge(location, order: order, step: step, into: &update)
    }
  }

  @inline(__always)
  private mutating func judge(
    _ location: Location, order: Int, step: Double, into update: inout FlightUpdate
  ) {
    if let passage = filter.passAtOnce(location, order: order, step: step) {
      count(location, passage, into: &update.events)
    } else {
      filter.add(location, order: order)
      drain(into: &update)
    }
  }

  /// Moves every time of the flight so far, its alerts included.
  ///
  /// - Parameter shift: The microseconds to add.
  public mutating func redate(byMicroseconds shift: Int64) {
    self.shift = self.shift &+ shift
    fingerprinter.redate(byMicroseconds: shift)
  }

  /// Ends the flight; locations given later are not looked at.
  ///
  /// - Parameter update: The verdicts and events that were still open are appended here.
  /// - Returns: Everything that is known of the flight.
  public mutating func finish(into update: inout FlightUpdate) -> FlightReport {
    filter.finish()
    drain(into: &update)
    let eventCount = update.events.count
    gpws?.touchdown(into: &update.events)
    redateEvents(from: eventCount, in: &update.events)
    hasFinished = true
    return FlightReport(
      totals: totals, alerts: (gpws?.alerts ?? []).map(redated),
      kilometerSplits: statistics.kilometerSplits, mileSplits: statistics.mileSplits,
      bestEfforts: statistics.bestEfforts, fingerprint: fingerprinter.fingerprint)
  }

  private var totals: FlightTotals {
    var totals = statistics.totals
    totals.startedAt = totals.startedAt.map(redated)
    totals.endedAt = totals.endedAt.map(redated)
    totals.rawDistance = .meters(rawDistance)
    totals.segmentCount = segmentCount
    totals.discarded = discarded
    return totals
  }
}

// MARK: - One location that counts

extension FlightComputer {
  private mutating func drain(into update: inout FlightUpdate) {
    while let verdict = filter.next() {
      switch verdict {
      case .counts(let location, _, let passage):
        count(location, passage, into: &update.events)
      case .discarded(let discard):
        discarded[discard.reason] += 1
        update.discards.append(discard)
      case .recalled(let discard):
        discarded[discard.reason] += 1
        update.discards.append(discard)
        takeOffAgain()
      }
    }
  }

  /// Forgets the location that counted so far; the next one takes off anew.
  private mutating func takeOffAgain() {
    statistics = RunStatistics()
    gpws = mission.map { GPWS(mission: $0) }
    (position, origin, takeoff) = (nil, nil, nil)
    snapshotSecond = .min
  }

  @inline(__always)
  private mutating func count(
    _ location: Location, _ passage: Passage, into events: inout [FlightEvent]
  ) {
    statistics.add(location, passage)
    if passage.beginsSegment {
      origin = nil
    } else if passage.step > 0 {
      origin = position
    }
    position = Position(
      latitude: location.latitude, longitude: location.longitude, altitude: location.altitude,
      course: location.course)

    let firstNew = events.count
    if passage.isPaced, let time = location.time {
      if takeoff == nil { takeoff = time }
      let fix = fix(location, at: time)
      gpws?.evaluate(fix, into: &events)
      if sendsSnapshots { sendSnapshot(at: time, into: &events) }
    } else if let time = location.time ?? statistics.latestPaced ?? statistics.latest {
      let fix = fix(location, at: time)
      gpws?.evaluate(fix, judgesPace: passage.beginsSegment, into: &events)
    }
    if statistics.coordinateCount == 1 { events.insert(.takeoff(internalData), at: firstNew) }
    if events.count > firstNew { redateEvents(from: firstNew, in: &events) }
  }

  @inline(__always)
  private func fix(_ location: Location, at time: Timestamp) -> GPWSFix {
    let settling = time.microseconds &- (statistics.segmentStart ?? time).microseconds
    return GPWSFix(
      timestamp: time, latitude: location.latitude, longitude: location.longitude,
      distance: .meters(statistics.distance), pace: statistics.pace,
      movingTime: statistics.movingTime, isSettled: settling >= FlightComputer.takeoffTime)
  }

  private mutating func sendSnapshot(at time: Timestamp, into events: inout [FlightEvent]) {
    let second = time.microseconds / 1_000_000
    guard second != snapshotSecond else { return }
    let isFirst = snapshotSecond == .min
    snapshotSecond = second
    // The takeoff itself is a snapshot.
    if !isFirst { events.append(.snapshot(internalData)) }
  }
}

// MARK: - The snapshot

extension FlightComputer {
  /// The snapshot as of the last location that counts.
  public var data: FlightData {
    var data = internalData
    data.timestamp = data.timestamp.map(redated)
    return data
  }

  /// The snapshot with times as they are kept inside.
  private var internalData: FlightData {
    var data = FlightData()
    data.timestamp = statistics.latestPaced
    data.distance = .meters(statistics.distance)
    data.pace = statistics.pace
    data.elapsedTime = statistics.elapsedTime ?? 0
    data.movingTime = statistics.movingTime
    data.altitude = position?.altitude.flatMap { $0.isFinite ? $0 : nil }
    data.heading = heading
    data.latitude = position?.latitude
    data.longitude = position?.longitude
    data.gpwsState = gpws?.state
    data.phase = phase
    return data
  }

  private var phase: FlightPhase {
    if hasFinished { return .touchdown }
    if position == nil { return .preflight }
    if gpws?.state == .minimums { return .approach }
    guard let takeoff, let time = statistics.latestPaced else { return .cruise }
    let flown = time.microseconds &- takeoff.microseconds
    return flown >= 0 && flown < FlightComputer.takeoffTime ? .takeoff : .cruise
  }

  /// The receiver's course, else the direction of the last step; `nil` before there is one.
  private var heading: Double? {
    if let course = position?.course, course >= 0, course < 360 { return course }
    guard let position, let origin, !statistics.isStationary else { return nil }
    return Geodesic.azimuth(
      fromLatitude: origin.latitude, longitude: origin.longitude, toLatitude: position.latitude,
      longitude: position.longitude)
  }
}

// MARK: - Times inside and outside

extension FlightComputer {
  private func redated(_ time: Timestamp) -> Timestamp { time.shifted(byMicroseconds: shift) }

  private func redated(_ alert: Alert) -> Alert {
    var alert = alert
    alert.timestamp = redated(alert.timestamp)
    alert.endedAt = alert.endedAt.map(redated)
    return alert
  }

  private func redateEvents(from first: Int, in events: inout [FlightEvent]) {
    guard shift != 0 else { return }
    for index in first..<events.count {
      switch events[index] {
      case .takeoff(var data):
        data.timestamp = data.timestamp.map(redated)
        events[index] = .takeoff(data)
      case .snapshot(var data):
        data.timestamp = data.timestamp.map(redated)
        events[index] = .snapshot(data)
      case .callout(var callout):
        callout.timestamp = callout.timestamp.map(redated)
        events[index] = .callout(callout)
      case .alertOpened(let alert): events[index] = .alertOpened(redated(alert))
      case .alertEnded(let alert): events[index] = .alertEnded(redated(alert))
      }
    }
  }
}

extension Location {
  /// Whether the time, if any, can be written with a four-digit year, so that no difference of two overflows.
  @inline(__always)
  fileprivate var hasOrdinaryTime: Bool {
    guard let time else { return true }
    return time >= .earliest && time <= .latest
  }
}

public import RunWayModel

/// How a location that counts joins the ones before it.
public struct Passage: Sendable, Hashable {
  /// Metres from the last location that counts; 0 where a segment begins.
  public var step: Double
  /// Whether nothing is measured between the last location that counts and this one.
  public var beginsSegment: Bool
  /// Whether the location counts for pace too: it has a time, later than its segment's last.
  public var isPaced: Bool

  /// Makes a passage.
  public init(step: Double, beginsSegment: Bool, isPaced: Bool) {
    self.step = step
    self.beginsSegment = beginsSegment
    self.isPaced = isPaced
  }
}

/// Decides which valid locations of a flight count.
///
/// Locations go in one at a time and verdicts come out in the same order, mostly at once and at most ten locations
/// later: only what may be far from the others in time (rule 3) or a spike (rule 4) is held, and no longer than to the
/// end of its segment. Call `next` after each `add` until it has no more to say.
///
/// Readings of the rules:
/// - A segment of the source begins with a location of its own, even where that repeats the last one of the
///   segment before: it is no duplicate, or the step that leaves it would be lost.
/// - Same time but farther away than 50 m: the time is already covered, so it is *backwards*.
/// - A covered span is what one segment spans in time. A location that goes back into a gap between two spans
///   starts a new segment, as does one whose step forward would lead over a covered span. A span of one moment can be
///   stepped over: nothing was measured in it.
/// - A time more than a year from the last one is off if one of the next three locations is back, or if none follows in
///   the segment: it is *backwards* whether it lies ahead or behind. If the others go on from there, a new segment begins;
///   where a single location stood before them it is that one whose time is off, and it is recalled.
/// - What rules 2 and 3 drop, and what has no time, neither ends a spike nor belongs to it. Places of one time that are as
///   far off as a spike's are of its row.
/// - Times are compared with those of the last locations that have one. A location without a time is neither held
///   nor a reason to drop the one held.
public struct LocationFilter: Sendable {
  /// What was decided of a location.
  public enum Verdict: Sendable, Hashable {
    /// It counts.
    case counts(Location, order: Int, Passage)
    /// It does not.
    case discarded(Discard)
    /// The only location that counted so far does not: all before the next verdict is as if it had not been.
    case recalled(Discard)
  }

  /// A location more than this ahead of the last one is held, microseconds.
  private static let suspiciousLead: Int64 = 60_000_000
  /// A time more than this from the last one is held for the next three, microseconds.
  private static let absurdLead: Int64 = 365 * 86_400_000_000
  /// A step faster than this was not run, metres per second.
  private static let impossibleSpeed = 50.0
  /// Two locations of one time may be this far apart, metres.
  private static let sameTimeReach = 50.0
  /// A spike has at most so many locations.
  private static let longestSpike = 3
  /// So many locations are looked at for the end of a spike, its own and those that say nothing of it among them.
  private static let longestLook = 8

  private let maxSpeed: Double
  private var last: Candidate?
  private var lastTime: Timestamp?
  /// Whether `last` is the only location that counts.
  private var isAlone = false
  private var spans = CoveredSpans()
  private var held: ContiguousArray<Candidate> = []
  private var inputEnded = false
  private var stepper = GeodesicStepper()

  /// Makes a filter that has seen nothing.
  ///
  /// - Parameter maxSpeed: Metres per second above which steps into and out of a location make it a spike.
  public init(maxSpeed: Double = FlightOptions.defaultMaxSpeed) {
    self.maxSpeed = maxSpeed
    held.reserveCapacity(LocationFilter.longestLook + 2)
  }

  /// Takes the next valid location of the flight.
  ///
  /// - Parameters:
  ///   - location: A valid location.
  ///   - order: Its number among the valid locations, one more than the last one's.
  public mutating func add(_ location: Location, order: Int) {
    held.append(Candidate(location: location, order: order))
  }

  /// Takes the end of the input: nothing is held any longer.
  public mutating func finish() {
    inputEnded = true
  }

  /// The next verdict that can be reached, or `nil` before more locations have come.
  public mutating func next() -> Verdict? {
    guard let candidate = held.first else { return nil }
    let decision = candidate.isSpike ? .drop(.spike) : decide(candidate)
    switch decision {
    case .undecided:
      return nil
    case .drop(let reason):
      held.removeFirst()
      return .discarded(Discard(order: candidate.order, reason: reason))
    case .count(let passage):
      held.removeFirst()
      pass(candidate, beginsSegment: passage.beginsSegment)
      return .counts(candidate.location, order: candidate.order, passage)
    case .recallLast:
      let order = last?.order ?? 0
      last = nil
      lastTime = nil
      spans = CoveredSpans()
      return .recalled(Discard(order: order, reason: .backwards))
    }
  }

  /// Lets a location pass that counts beyond doubt.
  ///
  /// This is the way nearly all locations go: nothing is held, and the step is forward in time and not too fast.
  ///
  /// - Parameters:
  ///   - location: A valid location.
  ///   - order: Its number.
  ///   - step: Metres from the location numbered one less; not a number where that is of another segment.
  /// - Returns: Its passage, or `nil` where `add` has to be called.
  @inline(__always)
  mutating func passAtOnce(_ location: Location, order: Int, step: Double) -> Passage? {
    guard held.isEmpty, last != nil, let lastTime, let time = location.time else { return nil }
    let lead = time.microseconds &- lastTime.microseconds
    guard lead > 0, lead <= LocationFilter.suspiciousLead, last?.precedes(order, location) == true,
      step * 1_000_000 <= min(maxSpeed, LocationFilter.impossibleSpeed) * Double(lead),
      spans.extend(to: time)
    else { return nil }
    last?.location.latitude = location.latitude
    last?.location.longitude = location.longitude
    last?.location.time = time
    last?.order = order
    isAlone = false
    self.lastTime = time
    return Passage(step: step, beginsSegment: false, isPaced: true)
  }
}

// MARK: - The rules

extension LocationFilter {
  private struct Candidate: Sendable {
    var location: Location
    var order: Int
    /// Whether it was found to be part of a spike while an earlier location was looked at.
    var isSpike = false

    /// Whether another location is the next one of the same segment, and this one has a time.
    @inline(__always)
    func precedes(_ order: Int, _ other: Location) -> Bool {
      guard location.time != nil, self.order &+ 1 == order else { return false }
      return location.segment == other.segment
    }
  }

  private enum Decision {
    case undecided
    case drop(DiscardReason)
    case count(Passage)
    case recallLast
  }

  private mutating func decide(_ candidate: Candidate) -> Decision {
    guard let last else {
      return .count(
        Passage(step: 0, beginsSegment: true, isPaced: candidate.location.time != nil))
    }
    let length = length(from: last, to: candidate)
    var beginsSegment = candidate.location.segment != last.location.segment

    if let time = candidate.location.time {
      // Rule 2.
      if time == last.location.time, length <= LocationFilter.sameTimeReach {
        if length == 0, !beginsSegment { return .drop(.duplicate) }
        return .count(
          Passage(
            step: beginsSegment ? 0 : length, beginsSegment: beginsSegment, isPaced: beginsSegment))
      }
      // Rule 3.
      if let lastTime {
        let isAbsurd = isAbsurd(time, after: lastTime)
        let isOff =
          isAbsurd
          ? isYearsOff(candidate, lastTime: lastTime)
          : isTooFarAhead(at: 0, time: time, lastTime: lastTime)
        switch isOff {
        case nil: return .undecided
        case true?: return .drop(.backwards)
        case false? where isAbsurd:
          if isAlone, isConfirmed(time) { return .recallLast }
          beginsSegment = true
        case false?: break
        }
        if spans.contains(time) { return .drop(.backwards) }
        if time < lastTime || spans.liesBetween(lastTime, time) { beginsSegment = true }
      }
    }
    if !beginsSegment, let speed = speed(from: last, to: candidate, length: length) {
      // Rule 4.
      if speed > maxSpeed {
        switch beginsSpike(after: last) {
        case nil: return .undecided
        case true?: return .drop(.spike)
        case false?: break
        }
      }
      // Rule 5.
      if speed > LocationFilter.impossibleSpeed { beginsSegment = true }
    }
    return .count(
      Passage(
        step: beginsSegment ? 0 : length, beginsSegment: beginsSegment,
        isPaced: candidate.location.time != nil))
  }

  /// Whether the two locations after a held one show that it is far ahead of them; `nil` while they are awaited.
  private func isTooFarAhead(at place: Int, time: Timestamp, lastTime: Timestamp) -> Bool? {
    guard time.microseconds &- lastTime.microseconds > LocationFilter.suspiciousLead else {
      return false
    }
    for place in place + 1...place + 2 {
      guard let follower = follower(place) else { return isClosed ? false : nil }
      guard let later = follower.location.time, later < time, later >= lastTime else {
        return false
      }
    }
    return true
  }

  private func isAbsurd(_ time: Timestamp, after other: Timestamp) -> Bool {
    (time.microseconds &- other.microseconds).magnitude > LocationFilter.absurdLead
  }

  /// Whether what follows the first held location, more than a year from the last one, is back there; `nil` while that is
  /// awaited.
  private func isYearsOff(_ candidate: Candidate, lastTime: Timestamp) -> Bool? {
    for place in 1...3 {
      guard let follower = follower(place) else {
        guard isClosed else { return nil }
        // Of two locations nobody knows which is off; one that is a segment of its own is no slip among others.
        return place == 1 && !isAlone && candidate.location.segment == last?.location.segment
      }
      if let time = follower.location.time, !isAbsurd(time, after: lastTime) { return true }
    }
    return false
  }

  /// Whether the next location goes on from a time that is far from the last one's.
  private func isConfirmed(_ time: Timestamp) -> Bool {
    guard let next = follower(1)?.location.time else { return false }
    return !isAbsurd(next, after: time)
  }

  /// Whether the first held location begins a spike, all of which is marked then; `nil` while more are awaited.
  private mutating func beginsSpike(after last: Candidate) -> Bool? {
    // A bit for each held location, so that a ride, whose every step is fast, makes no array a step.
    var row = 1 as UInt16
    var end = held[0]
    for place in 1...LocationFilter.longestLook {
      guard let beyond = follower(place) else { return isClosed ? false : nil }
      switch course(at: place, after: end, last: last) {
      case nil: return nil
      case .aside?: continue
      case .beside?: break
      case .onward?:
        if let out = speed(from: end, to: beyond), out > maxSpeed,
          let around = speed(from: last, to: beyond), around <= maxSpeed
        {
          for member in 0..<place { held[member].isSpike = row & 1 << member != 0 }
          return true
        }
      }
      if row.nonzeroBitCount == LocationFilter.longestSpike { return false }
      row |= 1 << place
      end = beyond
    }
    return false
  }

  /// How a held location lies to one that may be the end of a spike.
  private enum Course {
    /// Later: the step between them has a speed.
    case onward
    /// At the same time, and as far off: in the same row.
    case beside
    /// It can neither end a spike nor belong to it: rules 2 or 3 drop it, or it has no time.
    case aside
  }

  /// How a held location lies to another before it; `nil` while that is undecided.
  private mutating func course(at place: Int, after end: Candidate, last: Candidate) -> Course? {
    guard let lastTime, let endTime = end.location.time, let time = held[place].location.time,
      time >= endTime, !spans.contains(time)
    else { return .aside }
    if time == endTime {
      guard let speed = speed(from: last, to: held[place]), speed > maxSpeed else { return .aside }
      return .beside
    }
    return isTooFarAhead(at: place, time: time, lastTime: lastTime).map { $0 ? .aside : .onward }
  }

  /// A held location of the first one's segment.
  private func follower(_ place: Int) -> Candidate? {
    guard place < held.count, held[place].location.segment == held[0].location.segment else {
      return nil
    }
    return held[place]
  }

  /// Whether the segment of the first held location has ended.
  private var isClosed: Bool {
    inputEnded || held.contains { $0.location.segment != held[0].location.segment }
  }

  private mutating func pass(_ candidate: Candidate, beginsSegment: Bool) {
    isAlone = last == nil
    last = candidate
    if beginsSegment { spans.close() }
    if let time = candidate.location.time {
      lastTime = time
      spans.cover(time)
    }
  }

  private mutating func length(from start: Candidate, to end: Candidate) -> Double {
    stepper.length(
      fromLatitude: start.location.latitude, longitude: start.location.longitude,
      toLatitude: end.location.latitude, longitude: end.location.longitude)
  }

  /// Metres per second, or `nil` unless both have a time and the second one's is later.
  private mutating func speed(
    from start: Candidate, to end: Candidate, length known: Double? = nil
  ) -> Double? {
    guard let from = start.location.time, let to = end.location.time, to > from else { return nil }
    let length = known ?? length(from: start, to: end)
    return length * 1_000_000 / Double(to.microseconds &- from.microseconds)
  }
}

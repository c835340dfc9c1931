public import RunWayModel

/// What the warning system looks at: one location and the flight up to it.
public struct GPWSFix: Sendable, Hashable {
  /// The time of the location, or the last one known where it has none.
  public var timestamp: Timestamp
  /// Degrees north, WGS 84, −90 … 90.
  public var latitude: Double
  /// Degrees east, WGS 84, −180 … 180.
  public var longitude: Double
  /// The distance run.
  public var distance: Distance
  /// The smoothed pace; `nil` while stationary or unknown.
  public var pace: Pace?
  /// Seconds of moving time.
  public var movingTime: Double
  /// Whether 5 s have passed since the flight, or its segment, began.
  public var isSettled: Bool

  /// Makes a fix.
  public init(
    timestamp: Timestamp, latitude: Double, longitude: Double, distance: Distance, pace: Pace?,
    movingTime: Double, isSettled: Bool
  ) {
    self.timestamp = timestamp
    self.latitude = latitude
    self.longitude = longitude
    self.distance = distance
    self.pace = pace
    self.movingTime = movingTime
    self.isSettled = isSettled
  }
}

/// The ground-proximity warning system: watches the pace of one flight with a mission.
///
/// Two machines run side by side. The pace rules know `normal`, `sinkRate` and `overspeed`; `minimums` runs once,
/// over them, and what is beneath goes on. What is called out is the upper one.
///
/// Readings of the rules:
/// - A stretch counts from the first location at which the system is armed, the pace known and the flight settled.
/// - On the line t ± d/2 is on the target's side.
/// - Every pace episode that ends starts the 20 s anew, whether it was stored or not.
/// - A pace episode whose segment breaks off ends at the next segment's first location, as that is where the
///   state does; where that lies earlier, at the last location before the break.
/// - A location that counts for distance only can reach the finish, but says nothing of the pace. Where it has no time, the
///   last one known stands for it.
public struct GPWS: Sendable {
  /// Metres before the target distance at which `minimums` begins.
  private static let minimumsStretch = 50.0
  /// Seconds of moving time after which the system is armed without the pace having been right.
  private static let armingTime = 120.0
  /// Microseconds the pace has to stand beyond a bound.
  private static let stretchTime: Int64 = 10_000_000
  /// Microseconds after a pace episode in which no new one is stored.
  private static let quietTime: Int64 = 20_000_000

  /// Consecutive locations on one side of a bound.
  private struct Stretch: Sendable {
    var first: GPWSFix
    var peak: Pace

    func isComplete(at time: Timestamp) -> Bool {
      time.microseconds &- first.timestamp.microseconds >= GPWS.stretchTime
    }
  }

  private struct Episode: Sendable {
    var state: GPWSState
    var stretch: Stretch
    /// The stored alert’s number.
    var number: Int?
  }

  private enum Minimums {
    case ahead
    case active(number: Int)
    case over
  }

  /// The pace, tolerance and distance that are watched.
  public let mission: Mission
  /// What is called out.
  public private(set) var state = GPWSState.normal
  /// Everything stored so far, in the order of opening.
  public private(set) var alerts: [Alert] = []

  private let target: Double
  private let slowBound: Double
  private let fastBound: Double
  private let innerSlowBound: Double
  private let innerFastBound: Double
  private let finish: Double

  private var paceState = GPWSState.normal
  private var minimums = Minimums.ahead
  private var isArmed = false
  private var slow: Stretch?
  private var fast: Stretch?
  private var inside: GPWSFix?
  private var episode: Episode?
  private var lastEpisodeEnd: Timestamp?
  private var lastTime: Timestamp?

  /// Makes the system of a flight that has not begun.
  ///
  /// - Parameter mission: What the runner sets out to do. A distance that is not above 0 is none.
  public init(mission: Mission) {
    self.mission = mission
    target = mission.pace.secondsPerKilometer
    slowBound = target + mission.tolerance
    fastBound = target - mission.tolerance
    innerSlowBound = target + mission.tolerance / 2
    innerFastBound = target - mission.tolerance / 2
    let meters = mission.distance?.meters ?? .infinity
    finish = meters > 0 ? meters : .infinity
  }

  /// Whether what is called out is the finish.
  private var isAtMinimums: Bool {
    if case .active = minimums { true } else { false }
  }

  /// Looks at the next location.
  ///
  /// - Parameters:
  ///   - fix: The location and the flight up to it.
  ///   - judgesPace: Whether it says something of the pace, be it that there is none.
  ///   - events: Alerts that open and end, then changes of state, are appended here.
  @inline(__always)
  public mutating func evaluate(
    _ fix: GPWSFix, judgesPace: Bool = true, into events: inout [FlightEvent]
  ) {
    if let lastTime, fix.timestamp < lastTime { lastEpisodeEnd = nil }
    let passesMinimums = watchFinish(fix, into: &events)
    if judgesPace { watchPace(fix, into: &events) }
    let current = isAtMinimums ? .minimums : paceState
    if passesMinimums { announce(.minimums, fix, into: &events) }
    if current != state { announce(current, fix, into: &events) }
    lastTime = fix.timestamp
  }

  /// Ends what still lasts, at touchdown.
  ///
  /// - Parameter events: The alerts that end are appended here.
  public mutating func touchdown(into events: inout [FlightEvent]) {
    guard let lastTime else { return }
    endEpisode(at: lastTime, into: &events)
    if case .active(let number) = minimums { end(number, at: lastTime, into: &events) }
    minimums = .over
  }

  private mutating func announce(
    _ state: GPWSState, _ fix: GPWSFix, into events: inout [FlightEvent]
  ) {
    self.state = state
    events.append(
      .callout(
        Callout(
          state: state, timestamp: fix.timestamp, pace: fix.pace, distance: fix.distance)))
  }
}

// MARK: - The finish

extension GPWS {
  /// Moves `minimums` on.
  ///
  /// - Returns: Whether this location's step jumped over the whole of it.
  @inline(__always)
  private mutating func watchFinish(_ fix: GPWSFix, into events: inout [FlightEvent]) -> Bool {
    guard fix.distance.meters >= finish - GPWS.minimumsStretch else { return false }
    return nearFinish(fix, into: &events)
  }

  private mutating func nearFinish(_ fix: GPWSFix, into events: inout [FlightEvent]) -> Bool {
    let isFinished = fix.distance.meters >= finish
    switch minimums {
    case .over:
      return false
    case .ahead:
      let number = open(.minimums, from: fix, peak: fix.pace, into: &events)
      minimums = isFinished ? .over : .active(number: number)
      if isFinished { end(number, at: fix.timestamp, into: &events) }
      return isFinished
    case .active(let number):
      if isFinished {
        end(number, at: fix.timestamp, into: &events)
        minimums = .over
      } else {
        alerts[number].peakPace = farther(alerts[number].peakPace, fix.pace)
      }
      return false
    }
  }

  private func farther(_ one: Pace?, _ other: Pace?) -> Pace? {
    guard let one, let other else { return one ?? other }
    let isFarther =
      abs(other.secondsPerKilometer - target) > abs(one.secondsPerKilometer - target)
    return isFarther ? other : one
  }
}

// MARK: - The pace

extension GPWS {
  @inline(__always)
  private mutating func watchPace(_ fix: GPWSFix, into events: inout [FlightEvent]) {
    let pace = fix.pace?.secondsPerKilometer
    if !isArmed {
      if let pace, pace >= fastBound, pace <= slowBound { isArmed = true }
      if fix.movingTime >= GPWS.armingTime { isArmed = true }
    }
    guard let pace, let fixPace = fix.pace, fix.isSettled, isArmed else {
      forgetPace(fix, into: &events)
      return
    }
    // Most locations of most runs: on the target, nothing under way.
    if pace < slowBound, pace >= fastBound, episode == nil {
      slow = nil
      fast = nil
      return
    }
    judge(pace, fixPace, fix, into: &events)
  }

  private mutating func judge(
    _ pace: Double, _ fixPace: Pace, _ fix: GPWSFix, into events: inout [FlightEvent]
  ) {
    extend(&slow, by: fix, fixPace, while: pace >= slowBound, peak: max)
    extend(&fast, by: fix, fixPace, while: pace < fastBound, peak: min)
    // The peak comes first: leaving may put the opposite episode in this one’s place.
    switch paceState {
    case .sinkRate:
      if let peak = episode?.stretch.peak { episode?.stretch.peak = max(peak, fixPace) }
      leave(while: pace <= innerSlowBound, for: fast, .overspeed, fix, into: &events)
    case .overspeed:
      if let peak = episode?.stretch.peak { episode?.stretch.peak = min(peak, fixPace) }
      leave(while: pace >= innerFastBound, for: slow, .sinkRate, fix, into: &events)
    case .normal, .minimums:
      if let slow, slow.isComplete(at: fix.timestamp) {
        begin(.sinkRate, slow)
      } else if let fast, fast.isComplete(at: fix.timestamp) {
        begin(.overspeed, fast)
      }
    }
    openEpisodeIfQuietIsOver(at: fix.timestamp, into: &events)
  }

  private func extend(
    _ stretch: inout Stretch?, by fix: GPWSFix, _ pace: Pace, while holds: Bool,
    peak: (Pace, Pace) -> Pace
  ) {
    guard holds else {
      stretch = nil
      return
    }
    stretch = Stretch(first: stretch?.first ?? fix, peak: peak(stretch?.peak ?? pace, pace))
  }

  /// Ends the running episode if the pace has come back for long enough, and begins the opposite one if that is due.
  private mutating func leave(
    while isInside: Bool, for opposite: Stretch?, _ oppositeState: GPWSState, _ fix: GPWSFix,
    into events: inout [FlightEvent]
  ) {
    inside = isInside ? (inside ?? fix) : nil
    guard let inside,
      fix.timestamp.microseconds &- inside.timestamp.microseconds >= GPWS.stretchTime
    else { return }
    endEpisode(at: inside.timestamp, into: &events)
    if let opposite, opposite.isComplete(at: fix.timestamp) { begin(oppositeState, opposite) }
  }

  /// Rule 5, and a system that is not armed: `normal`, at once.
  private mutating func forgetPace(_ fix: GPWSFix, into events: inout [FlightEvent]) {
    slow = nil
    fast = nil
    guard episode != nil else { return }
    // A segment may begin earlier than the last one ended.
    endEpisode(at: max(fix.timestamp, lastTime ?? fix.timestamp), into: &events)
  }

  private mutating func begin(_ state: GPWSState, _ stretch: Stretch) {
    episode = Episode(state: state, stretch: stretch)
    paceState = state
    inside = nil
  }

  private mutating func endEpisode(at time: Timestamp, into events: inout [FlightEvent]) {
    // One that came back inside lately and lasted all the same is stored now.
    if let lastEpisodeEnd, time.microseconds &- lastEpisodeEnd.microseconds > GPWS.quietTime {
      openEpisode(into: &events)
    }
    guard let ended = episode else { return }
    episode = nil
    inside = nil
    paceState = .normal
    lastEpisodeEnd = time
    if let number = ended.number {
      alerts[number].peakPace = ended.stretch.peak
      end(number, at: time, into: &events)
    }
  }

  private mutating func openEpisodeIfQuietIsOver(
    at time: Timestamp, into events: inout [FlightEvent]
  ) {
    // While the pace is inside, the episode may turn out to have ended before the 20 s were over.
    guard inside == nil else { return }
    if let lastEpisodeEnd,
      time.microseconds &- lastEpisodeEnd.microseconds < GPWS.quietTime
    {
      return
    }
    openEpisode(into: &events)
  }

  /// Stores the running episode’s alert, if it is not stored yet.
  private mutating func openEpisode(into events: inout [FlightEvent]) {
    guard let running = episode, running.number == nil else { return }
    let number = open(
      running.state, from: running.stretch.first, peak: running.stretch.peak, into: &events)
    episode?.number = number
  }
}

// MARK: - What is stored

extension GPWS {
  private mutating func open(
    _ state: GPWSState, from fix: GPWSFix, peak: Pace?, into events: inout [FlightEvent]
  ) -> Int {
    let alert = Alert(
      number: alerts.count, state: state, timestamp: fix.timestamp, pace: fix.pace, peakPace: peak,
      distance: fix.distance, latitude: fix.latitude, longitude: fix.longitude)
    alerts.append(alert)
    events.append(.alertOpened(alert))
    return alert.number
  }

  private mutating func end(
    _ number: Int, at time: Timestamp, into events: inout [FlightEvent]
  ) {
    alerts[number].endedAt = time
    events.append(.alertEnded(alerts[number]))
  }
}

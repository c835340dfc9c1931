internal import FoundationEssentials
internal import RunWayLogbook
internal import RunWayModel

/// What the common options of a command say.
@MainActor struct Settings {
  var json: Bool
  var units: UnitFormat
  var clock: TimeZoneClock
  let logbookPath: String?

  init(_ invocation: Invocation) throws(UsageError) {
    json = invocation.has(.json)
    units = UnitFormat(system: try invocation.choice(.units) ?? .metric)
    let zone = try invocation.value(
      .timeZone, expected: "a time zone such as Europe/Berlin, UTC or +09:00",
      parse: ValueParsing.timeZone)
    clock = TimeZoneClock(zone ?? .system)
    logbookPath = invocation.value(.logbook)
  }

  /// The moment by the wall clock, for what is relative to today.
  var now: Timestamp {
    Timestamp(microseconds: Int64(Date().timeIntervalSince1970 * 1_000_000))
  }
}

extension Settings {
  /// The mission of `--pace`, `--tolerance`, `--distance`; the saved one of `--mission`, overridden by them.
  func mission(_ invocation: Invocation, saved: Mission? = nil) throws(UsageError) -> Mission? {
    let pace = try invocation.value(.pace, expected: "a pace such as 5:30") { text in
      ValueParsing.pace(text, units: units.system)
    }
    let tolerance = try invocation.value(
      .tolerance, expected: "seconds per \(units.system == .metric ? "kilometre" : "mile"), above 0"
    ) { text in
      ValueParsing.duration(text).map {
        units.system == .metric ? $0 : $0 / Distance.mile.kilometers
      }
    }
    let distance = try invocation.value(.distance, expected: "a distance such as 10km") { text in
      ValueParsing.distance(text, units: units.system)
    }
    guard var mission = saved ?? pace.map({ Mission(pace: $0) }) else {
      if tolerance != nil || distance != nil {
        throw UsageError("a mission needs a target pace: --pace 5:30")
      }
      return nil
    }
    if let pace { mission.pace = pace }
    if let tolerance { mission.tolerance = tolerance }
    if let distance { mission.distance = distance }
    if mission.tolerance >= mission.pace.secondsPerKilometer {
      throw UsageError("the tolerance must be smaller than the target pace")
    }
    return mission
  }

  /// Checks the numbers of a mission before anything is touched.
  ///
  /// - Parameters:
  ///   - invocation: What is asked for.
  ///   - isBased: Whether they change a mission that is still to be looked up, as beside `--mission`.
  /// - Throws: A `UsageError`.
  func checkMission(_ invocation: Invocation, isBased: Bool = false) throws(UsageError) {
    // So slow that no tolerance is too wide for it.
    let any = Mission(pace: Pace(secondsPerKilometer: .greatestFiniteMagnitude))
    _ = try mission(invocation, saved: isBased || invocation.has(.mission) ? any : nil)
  }

  /// The judging options of `--max-speed`; `nil` where the source may say.
  func flightOptions(_ invocation: Invocation) throws(UsageError) -> FlightOptions? {
    let speed = try invocation.value(
      .maxSpeed, expected: "metres per second, above 0 and at most 50"
    ) { text in
      ValueParsing.number(text).flatMap { $0 > 0 && $0 <= 50 ? $0 : nil }
    }
    return speed.map { FlightOptions(maxSpeed: $0) }
  }

  /// What `--date` says.
  struct GivenDate {
    /// When a track that bears no times begins.
    var start: Timestamp
    /// The moment near which a log that bears no date begins: a day alone means its noon.
    var anchor: Timestamp
  }

  /// The moment of `--date`.
  func date(_ invocation: Invocation) throws(UsageError) -> GivenDate? {
    let when = try invocation.value(
      .date, expected: "a date such as 2026-06-09 or 2026-06-09T06:30+09:00"
    ) { text in
      ValueParsing.when(text, clock: clock, now: now)
    }
    return when.map { when in
      let start = start(of: when)
      let halfDay = Timestamp.microsecondsPerDay / 2
      return GivenDate(
        start: start,
        anchor: when == .moment(start) ? start : start.shifted(byMicroseconds: halfDay))
    }
  }

  /// The moments between which `--since` and `--until` let through, the second one excluded.
  func range(_ invocation: Invocation) throws(UsageError) -> (since: Timestamp?, until: Timestamp?)
  {
    let expected = """
      a date such as 2026-06-09, a month such as 2026-06, a year, \
      a moment such as 2026-06-09T06:30, today or yesterday
      """
    let since = try invocation.value(.since, expected: expected, parse: span)
    let until = try invocation.value(.until, expected: expected, parse: span)
    return (since?.lowerBound, until?.upperBound)
  }

  /// From the first moment that a date, a month, a year or a moment means to the first one after it.
  private func span(_ text: String) -> Range<Timestamp>? {
    switch ValueParsing.when(text, clock: clock, now: now) {
    case .day(let day): clock.startOfDay(day)..<clock.startOfDay(day + 1)
    case .moment(let moment): moment..<moment.shifted(byMicroseconds: 1)
    case nil:
      ValueParsing.period(text).map { days in
        clock.startOfDay(days.lowerBound)..<clock.startOfDay(days.upperBound + 1)
      }
    }
  }

  private func start(of when: ValueParsing.When) -> Timestamp {
    switch when {
    case .day(let day): clock.startOfDay(day)
    case .moment(let moment): moment
    }
  }
}

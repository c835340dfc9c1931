internal import RunWayModel
internal import RunWayTracking

/// Prints what happens in flight, when it happens.
@MainActor struct FlightEventOutput {
  private let settings: Settings
  private var clock: TimeZoneClock

  init(settings: Settings) {
    self.settings = settings
    clock = settings.clock
  }

  /// Prints events, and sends them on their way before it returns.
  ///
  /// - Parameters:
  ///   - events: What has happened.
  ///   - data: Where the flight stands, for the progress line.
  ///   - mission: What it is judged by.
  ///   - name: The name that the mission is saved by.
  ///   - flight: Its identity; `nil` where it is not stored.
  /// - Throws: A `CommandError` where nobody reads any more.
  mutating func show(
    _ events: [FlightEvent], data: FlightData?, mission: Mission?, named name: String?,
    flight: FlightID?
  ) throws {
    for event in events {
      if settings.json {
        // An alert is told once, when its episode has ended.
        if case .alertOpened = event { continue }
        try showJSON(event, mission: mission, named: name, flight: flight)
      } else {
        try showText(event, mission: mission)
      }
    }
    try StandardOutput.shared.flush()
    if let data, !settings.json { showProgress(data) }
  }

  private func showJSON(
    _ event: FlightEvent, mission: Mission?, named name: String?, flight: FlightID?
  ) throws {
    try StandardOutput.shared.printJSON { json in
      json.object { json in
        switch event {
        case .takeoff(let data):
          json.member("event", "takeoff")
          json.member("flightID", flight?.rawValue)
          json.key("mission")
          json.mission(mission, named: name)
          json.members(of: data)
        case .snapshot(let data):
          json.member("event", "snapshot")
          json.members(of: data)
        case .callout(let callout):
          json.member("event", "callout")
          json.members(of: callout)
        case .alertOpened(let alert), .alertEnded(let alert):
          json.member("event", "alert")
          json.members(of: alert, flight: flight)
        }
      }
    }
  }

  private mutating func showText(_ event: FlightEvent, mission: Mission?) throws {
    switch event {
    case .takeoff(let data):
      let goal = mission.map { MissionText.of($0, units: settings.units) } ?? "free flight"
      try line(at: data.timestamp, "TAKEOFF", goal)
    case .callout(let callout):
      try line(
        at: callout.timestamp, callout.state.callout,
        "\(settings.units.paceWithUnit(callout.pace)) at \(settings.units.distanceWithUnit(callout.distance))"
      )
    case .snapshot, .alertOpened, .alertEnded:
      break
    }
  }

  private mutating func line(at moment: Timestamp?, _ word: String, _ text: String) throws {
    StandardError.clearProgress()
    let time = moment.map { clock.timeWithSeconds($0) } ?? "--:--:--"
    let space = String(repeating: " ", count: max(2, 12 - word.count))
    try StandardOutput.shared.write("\(time)  \(word)\(space)\(text)\n")
  }

  private func showProgress(_ data: FlightData) {
    guard StandardError.isTerminal else { return }
    var line =
      "\(settings.units.distanceWithUnit(data.distance))  \(UnitFormat.duration(data.elapsedTime))"
    line += "  \(settings.units.paceWithUnit(data.pace))"
    if let state = data.gpwsState, state != .normal { line += "  \(state.callout)" }
    StandardError.progress(line)
  }

  /// Prints the end of a flight.
  mutating func show(_ landing: Landing) throws {
    let flight = landing.flight
    if settings.json {
      try StandardOutput.shared.printJSON { json in
        json.object { json in
          json.member("event", "touchdown")
          json.member("flightID", landing.flownAs?.rawValue)
          json.member("status", landing.outcome.rawValue)
          json.key("flight")
          json.flight(flight, hasIdentity: landing.flownAs != nil)
        }
      }
    } else {
      let totals = flight.totals
      var text = settings.units.distanceWithUnit(totals.distance)
      if totals.movingTime != nil {
        text += " in \(UnitFormat.duration(totals.movingTime))"
        text += ", \(settings.units.paceWithUnit(totals.pace))"
      }
      if flight.mission != nil { text += ", \(Plural.of(flight.alertCount, "alert"))" }
      let isKnown = landing.flownAs != nil
      text += isKnown ? "  (flight \(flight.id.rawValue.prefix(8)))" : "  (not stored)"
      try line(at: totals.endedAt, "TOUCHDOWN", text)
    }
    try StandardOutput.shared.flush()
  }
}

/// A mission in words.
enum MissionText {
  static func of(_ mission: Mission, units: UnitFormat) -> String {
    let tolerance = mission.tolerance * (units.system == .metric ? 1 : Distance.mile.kilometers)
    var text = "\(units.paceWithUnit(mission.pace)) ± \(UnitFormat.fixed(tolerance, digits: 0)) s"
    if let distance = mission.distance { text += ", \(units.distanceWithUnit(distance))" }
    return text
  }
}

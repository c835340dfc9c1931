internal import RunWayLogbook
internal import RunWayModel

extension CommandSpec {
  private static let flight = OptionSpec(
    "flight", argument: "FLIGHT", values: .flight, help: "of this flight")

  static let alerts = CommandSpec(
    "alerts", summary: "count the alerts by state, and list them under their dates",
    discussion: """
      The newest come first. The counts are those of all alerts that the filters let
      through, also of those that --limit leaves out.

        runway alerts --since 2026-06-01 --state sinkRate
      """,
    options: [.since, .until, .state, flight, .limit, .watch],
    run: { invocation in
      let settings = try Settings(invocation)
      var filter = AlertFilter()
      (filter.since, filter.until) = try settings.range(invocation)
      filter.state = try invocation.choice(.state)
      let limit = try invocation.count(.limit)
      let logbook = try settings.openForReading()
      filter.flight = try invocation.value(flight).map { try logbook.flightID(matching: $0) }

      if invocation.has(.watch) {
        try await Watch.daily(settings) { [filter] in
          var filter = filter
          (filter.since, filter.until) = try settings.range(invocation)
          try await watch(filter, limit: limit, settings: settings, logbook: logbook)
        }
        return .success
      }
      try AlertList(settings: settings, logbook: logbook).print(filter, limit: limit)
      return .success
    })
}

extension CommandSpec {
  @MainActor fileprivate static func watch(
    _ filter: AlertFilter, limit: Int?, settings: Settings, logbook: Logbook
  ) async throws {
    // The counts cover what --limit leaves out, and may change alone.
    let changes = logbook.observe { logbook in
      WatchedAlerts(
        counts: try logbook.alertCounts(where: filter),
        alerts: try logbook.alerts(where: filter, limit: limit))
    }
    for try await _ in changes {
      try Watch.beginScreen(json: settings.json)
      try AlertList(settings: settings, logbook: logbook).print(filter, limit: limit)
      try StandardOutput.shared.flush()
    }
  }
}

/// What `--watch` prints anew when it changes.
private struct WatchedAlerts: Equatable {
  var counts: [GPWSState: Int]
  var alerts: [LoggedAlert]
}

/// The alerts under their dates.
@MainActor private struct AlertList {
  var settings: Settings
  var logbook: Logbook

  func print(_ filter: AlertFilter, limit: Int?) throws {
    try logbook.snapshot {
      let counts = try logbook.alertCounts(where: filter)
      if settings.json {
        try printJSON(filter, limit: limit, counts: counts)
      } else {
        try printText(filter, limit: limit, counts: counts)
      }
    }
  }

  /// How many alerts of a day a filter means, also of those that the limit leaves out.
  private func count(day: Int, _ filter: AlertFilter, shown: Int, limit: Int?) throws -> Int {
    if limit == nil { return shown }
    var filter = filter
    let start = settings.clock.startOfDay(day)
    let end = settings.clock.startOfDay(day + 1)
    filter.since = max(filter.since ?? start, start)
    filter.until = min(filter.until ?? end, end)
    return try logbook.alertCounts(where: filter).values.reduce(0, +)
  }

  private static let states: [GPWSState] = [.sinkRate, .overspeed, .minimums]

  private func printJSON(_ filter: AlertFilter, limit: Int?, counts: [GPWSState: Int]) throws {
    var json = JSONWriter()
    json.beginObject()
    json.key("counts")
    json.object { json in
      for state in AlertList.states {
        json.key(state.rawValue)
        json.number(counts[state] ?? 0)
      }
    }
    json.key("days")
    json.beginArray()
    // A day's count stands before its alerts, so one day is held at a time.
    var day: (number: Int, count: Int, alerts: JSONWriter)?
    func endDay() throws {
      guard var ended = day else { return }
      ended.alerts.endArray()
      let count = try count(day: ended.number, filter, shown: ended.count, limit: limit)
      json.object { json in
        json.member("date", DateText.date(dayNumber: ended.number))
        json.member("count", count)
        json.key("alerts")
        json.raw(ended.alerts.takeBytes())
      }
      try StandardOutput.shared.write(json.takeBytes())
    }
    var clock = settings.clock
    try logbook.forEachAlert(where: filter, limit: limit) { logged in
      let number = clock.dayNumber(of: logged.alert.timestamp)
      if day?.number != number {
        try endDay()
        var alerts = JSONWriter()
        alerts.beginArray()
        day = (number, 0, alerts)
      }
      day?.count += 1
      day?.alerts.alert(logged.alert, flight: logged.flightID)
    }
    try endDay()
    json.endArray()
    json.endObject()
    try StandardOutput.shared.write(json.takeBytes() + [UInt8(ascii: "\n")])
  }

  private func printText(_ filter: AlertFilter, limit: Int?, counts: [GPWSState: Int]) throws {
    let total = counts.values.reduce(0, +)
    guard total > 0 else {
      return try StandardOutput.shared.write("No alerts.\n")
    }
    let summary = AlertList.states.map { "\($0.callout) \(counts[$0] ?? 0)" }
    try StandardOutput.shared.write(summary.joined(separator: "   ") + "\n")

    var clock = settings.clock
    var day: (number: Int, table: TextTable, count: Int)?
    func endDay() throws {
      guard let ended = day else { return }
      let date = DateText.date(dayNumber: ended.number)
      let rows = ended.table.text.drop { $0 != "\n" }.dropFirst()
      let count = try count(day: ended.number, filter, shown: ended.count, limit: limit)
      try StandardOutput.shared.write("\n\(date)  (\(Plural.of(count, "alert")))\n\(rows)")
    }
    try logbook.forEachAlert(where: filter, limit: limit) { logged in
      let number = clock.dayNumber(of: logged.alert.timestamp)
      if day?.number != number {
        try endDay()
        day = (number, AlertText.table(), 0)
      }
      day?.count += 1
      day?.table.add(
        AlertText.row(logged.alert, settings: settings, clock: &clock)
          + [String(logged.flightID.rawValue.prefix(8))])
    }
    try endDay()
  }
}

/// An alert as a row of a table.
@MainActor enum AlertText {
  static func table() -> TextTable {
    TextTable("", "", "", ">", ">", "", ">", "")
  }

  static func row(_ alert: Alert, settings: Settings, clock: inout TimeZoneClock) -> [String] {
    let duration = alert.endedAt.map { UnitFormat.duration($0.seconds(since: alert.timestamp)) }
    let peak = alert.peakPace.map { "worst \(settings.units.pace($0))" } ?? ""
    return [
      "  \(clock.timeWithSeconds(alert.timestamp))", alert.state.callout,
      duration.map { "for \($0)" } ?? "open", settings.units.paceWithUnit(alert.pace), peak, "at",
      settings.units.distanceWithUnit(alert.distance),
    ]
  }
}

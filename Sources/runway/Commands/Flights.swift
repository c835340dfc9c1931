internal import RunWayLogbook
internal import RunWayModel

extension CommandSpec {
  private static let tagged = OptionSpec(
    "tag", argument: "TAG", values: .tag, help: "with this tag")
  private static let name = OptionSpec("name", argument: "TEXT", help: "with this in the name")
  private static let mode = OptionSpec(
    "mode", argument: "MODE", values: .oneOf(["modeA", "modeB"]),
    help: "modeA (with a mission) or modeB (free flight)")
  private static let flownWith = OptionSpec(
    "mission", argument: "NAME", values: .mission,
    help: "flown with this saved mission, its numbers unchanged")
  private static let minimum = OptionSpec(
    "min-distance", argument: "D", help: "at least so long")
  private static let maximum = OptionSpec("max-distance", argument: "D", help: "at most so long")
  private static let paceUnder = OptionSpec(
    "pace-under", argument: "M:SS", help: "at this pace or a faster one")
  private static let paceOver = OptionSpec(
    "pace-over", argument: "M:SS", help: "at this pace or a slower one")
  private static let sort = OptionSpec(
    "sort", argument: "KEY", values: .oneOf(["date", "distance", "pace", "name"]),
    help: "date (newest first, the default), distance, pace or name")
  private static let reverse = OptionSpec("reverse", help: "sort the other way round")

  static let flights = CommandSpec(
    "flights", summary: "list the flights, newest first",
    discussion: """
      Above the whole list stand the totals of today and of this week (from Monday). A tag or
      a mission that does not exist is an error. What is unknown, such as the pace of a track
      without times, comes last either way.

        runway flights --since 2026-06-01 --tag race
        runway flights --pace-under 5:30 --sort date --reverse
        runway flights --sort pace --min-distance 5km --limit 10
      """,
    options: [
      .since, .until, .limit, tagged, name, mode, flownWith, minimum, maximum, paceUnder, paceOver,
      sort, reverse, .watch,
    ],
    run: { invocation in
      let settings = try Settings(invocation)
      var filter = FlightFilter()
      (filter.since, filter.until) = try settings.range(invocation)
      filter.name = invocation.value(name)
      filter.mission = invocation.value(flownWith)
      filter.mode = try invocation.choice(mode)
      filter.minimumDistance = try invocation.value(minimum, expected: "a distance such as 5km") {
        ValueParsing.distance($0, units: settings.units.system, allowsZero: true)
      }
      filter.maximumDistance = try invocation.value(maximum, expected: "a distance such as 5km") {
        ValueParsing.distance($0, units: settings.units.system, allowsZero: true)
      }
      filter.slowestPace = try invocation.value(paceUnder, expected: "a pace such as 5:30") {
        ValueParsing.pace($0, units: settings.units.system)
      }
      filter.fastestPace = try invocation.value(paceOver, expected: "a pace such as 5:30") {
        ValueParsing.pace($0, units: settings.units.system)
      }
      var order = try FlightSort(word: invocation.choice(sort, of: SortWord.self))
      if invocation.has(reverse) { order = order.reversed }
      let limit = try invocation.count(.limit)
      let logbook = try settings.openForReading()
      // A name that nothing bears is mistyped, rather than a choice of no flight.
      if let name = filter.mission { _ = try logbook.mission(named: name) }
      filter.tag = try invocation.value(tagged).map { try logbook.tagName(matching: $0) }
      let list = FlightList(
        settings: settings, logbook: logbook, showsTotals: filter == FlightFilter())
      if invocation.has(.watch) {
        try await Watch.daily(settings) { [filter] in
          var filter = filter
          (filter.since, filter.until) = try settings.range(invocation)
          try await list.watch(filter, sort: order, limit: limit)
        }
        return .success
      }
      try logbook.snapshot {
        let flights = try logbook.flightsUpToDate(where: filter, sort: order, limit: limit)
        try list.print(flights)
      }
      return .success
    })
}

extension Logbook {
  /// What a list says that has no flight to show.
  var noFlights: String {
    get throws {
      try flightCount() == 0
        ? "No flights. “runway import PATH” brings some in.\n" : "No flight matches.\n"
    }
  }

  /// The flights that a filter means, the unfinished ones as far as they are known.
  fileprivate func flightsUpToDate(
    where filter: FlightFilter, sort: FlightSort, limit: Int?
  ) throws -> [Flight] {
    var flights = try flights(where: filter, sort: sort, limit: limit)
    for index in flights.indices {
      try FlightRecovery.bringUpToDate(&flights[index], in: self)
    }
    return flights
  }
}

private enum SortWord: String, CaseIterable {
  case date, distance, pace, name
}

extension FlightSort {
  fileprivate init(word: SortWord?) {
    self =
      switch word {
      case .date, nil: .newestFirst
      case .distance: .longestFirst
      case .pace: .fastestFirst
      case .name: FlightSort(.name)
      }
  }
}

/// What `--watch` prints anew when it changes.
private struct WatchedFlights: Equatable {
  var flights: [Flight]
  var totals: [PeriodTotals]
}

/// The list of flights.
@MainActor private struct FlightList {
  var settings: Settings
  var logbook: Logbook
  /// Whether no filter leaves anything out that the totals would count.
  var showsTotals: Bool

  func watch(_ filter: FlightFilter, sort: FlightSort, limit: Int?) async throws {
    // The totals cover what the limit leaves out, and may change alone.
    let changes = logbook.observe { logbook in
      try logbook.snapshot {
        WatchedFlights(
          flights: try logbook.flightsUpToDate(where: filter, sort: sort, limit: limit),
          totals: showsTotals ? try recentTotals().map(\.totals) : [])
      }
    }
    for try await current in changes {
      try Watch.beginScreen(json: settings.json)
      try print(current.flights)
      try StandardOutput.shared.flush()
    }
  }

  func print(_ flights: [Flight]) throws {
    if settings.json {
      return try StandardOutput.shared.printJSON { json in
        json.array(flights) { json, flight in json.flight(flight) }
      }
    }
    if showsTotals { try printRecentTotals() }
    guard !flights.isEmpty else {
      return try StandardOutput.shared.write(logbook.noFlights)
    }
    var table = TextTable(
      "DATE", "\(settings.units.distanceUnit.uppercased())>", "MOVING>", "PACE>", "CLIMB>",
      "HEART>",
      "ALERTS>", "NAME", "FLIGHT")
    var dates = RelativeDates(settings: settings)
    for flight in flights {
      let totals = flight.totals
      table.add(
        dates.text(for: totals.startedAt), settings.units.distance(totals.distance),
        UnitFormat.duration(totals.movingTime), settings.units.pace(totals.pace),
        settings.units.height(totals.elevationGain), UnitFormat.whole(totals.heartRate),
        flight.mission == nil ? UnitFormat.absent : "\(flight.alertCount)", title(flight),
        String(flight.id.rawValue.prefix(8)))
    }
    try StandardOutput.shared.write(table.text)
  }

  private func title(_ flight: Flight) -> String {
    var parts = [TextWidth.shortened(TextWidth.printable(flight.name ?? UnitFormat.absent), to: 36)]
    parts += flight.tags.map { "#\(TextWidth.printable($0))" }
    if flight.live { parts.append("(in the air)") }
    if flight.interrupted { parts.append("(interrupted)") }
    return parts.joined(separator: " ")
  }

  /// The totals of today and of this week, where there are any.
  private func printRecentTotals() throws {
    var table = TextTable("", ">", ">", ">", "")
    for (label, totals) in try recentTotals() where totals.flightCount > 0 {
      table.add(
        label, settings.units.distanceWithUnit(totals.distance),
        UnitFormat.duration(totals.movingTime), settings.units.paceWithUnit(totals.pace),
        Plural.of(totals.flightCount, "flight"))
    }
    guard !table.isEmpty else { return }
    try StandardOutput.shared.write(table.text.drop { $0 != "\n" }.dropFirst() + "\n")
  }

  func recentTotals() throws -> [(label: String, totals: PeriodTotals)] {
    var clock = settings.clock
    let today = clock.dayNumber(of: settings.now)
    let monday = today - DateText.weekday(dayNumber: today) + 1
    let tomorrow = clock.startOfDay(today + 1)
    return try [("Today", today), ("This week", monday)].map { label, firstDay in
      (label, try logbook.totals(since: clock.startOfDay(firstDay), until: tomorrow))
    }
  }
}

/// Dates as a runner says them: “Today 06:30”, “Tue 06:30”, then by the calendar.
@MainActor private struct RelativeDates {
  private var clock: TimeZoneClock
  private let today: Int

  init(settings: Settings) {
    clock = settings.clock
    today = clock.dayNumber(of: settings.now)
  }

  mutating func text(for moment: Timestamp?) -> String {
    guard let moment else { return "undated" }
    let day = clock.dayNumber(of: moment)
    let word: String? =
      switch today - day {
      case 0: "Today"
      case 1: "Yesterday"
      case 2...6:
        ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"][
          DateText.weekday(dayNumber: day) - 1]
      default: nil
      }
    return "\(word ?? clock.date(moment)) \(clock.time(moment))"
  }
}

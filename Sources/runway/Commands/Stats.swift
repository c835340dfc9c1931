internal import RunWayLogbook
internal import RunWayModel

extension CommandSpec {
  private static let by = OptionSpec(
    "by", argument: "PERIOD", values: .oneOf(StatisticsPeriod.allCases.map(\.rawValue)),
    help: "day, week (from Monday, ISO 8601), month or year (month)")

  static let stats = CommandSpec(
    "stats", summary: "totals by day, week, month or year, and the best efforts",
    discussion: """
      The pace is that of the sums, not the mean of paces. Newest first. --since and --until
      choose the flights of the totals and of the best efforts.

        runway stats --by week --since 2026-01-01
      """,
    options: [by, .since, .until, .limit],
    run: { invocation in
      let settings = try Settings(invocation)
      let period = try invocation.choice(by, of: StatisticsPeriod.self) ?? .month
      var filter = FlightFilter()
      (filter.since, filter.until) = try settings.range(invocation)
      let limit = try invocation.count(.limit)
      let logbook = try settings.openForReading()

      var clock = settings.clock
      var periods: [(start: Int, totals: PeriodTotals)] = []
      // Oldest first, so a period's flights follow each other.
      let (efforts, undatedCount) = try logbook.snapshot {
        try logbook.forEachSummary(where: filter) { flight in
          let start = period.firstDay(of: clock.dayNumber(of: flight.startedAt))
          if periods.last?.start != start { periods.append((start, PeriodTotals())) }
          periods[periods.count - 1].totals.add(flight)
        }
        let datedCount = periods.reduce(0) { $0 + $1.totals.flightCount }
        // Only a filter that asks for no date lets flights without one through.
        return try (
          logbook.bestEfforts(where: filter), logbook.flightCount(where: filter) - datedCount
        )
      }
      periods.reverse()
      if let limit { periods = Array(periods.prefix(limit)) }
      let page = StatisticsPage(settings: settings, period: period)
      if settings.json {
        try page.printJSON(periods, efforts)
      } else if periods.isEmpty && undatedCount == 0 {
        try StandardOutput.shared.write(logbook.noFlights)
      } else {
        try page.print(periods, efforts, undatedCount: undatedCount)
      }
      return .success
    })
}

/// What flights are summed up by.
enum StatisticsPeriod: String, CaseIterable, Sendable {
  case day, week, month, year

  /// The first day of the period that a day lies in, both counted from 1970-01-01.
  func firstDay(of day: Int) -> Int {
    let parts = Timestamp(microseconds: Int64(day) * Timestamp.microsecondsPerDay).components
    return switch self {
    case .day: day
    case .week: day - DateText.weekday(dayNumber: day) + 1
    case .month: Timestamp.days(year: parts.year, month: parts.month, day: 1)
    case .year: Timestamp.days(year: parts.year, month: 1, day: 1)
    }
  }

  /// `2026-06-09`, `2026-W24`, `2026-06`, `2026`.
  func label(firstDay: Int) -> String {
    let date = DateText.date(dayNumber: firstDay)
    switch self {
    case .day: return date
    case .week:
      // By ISO 8601 a week belongs to the year of its Thursday.
      let thursday = firstDay + 3
      let year = Timestamp(microseconds: Int64(thursday) * Timestamp.microsecondsPerDay)
        .components.year
      let week = (thursday - Timestamp.days(year: year, month: 1, day: 1)) / 7 + 1
      return "\(DateText.date(dayNumber: thursday).prefix(4))-W\(DateText.twoDigits(week))"
    case .month: return String(date.prefix(7))
    case .year: return String(date.prefix(4))
    }
  }
}

/// Totals and best efforts.
@MainActor private struct StatisticsPage {
  typealias Periods = [(start: Int, totals: PeriodTotals)]

  var settings: Settings
  var period: StatisticsPeriod

  func printJSON(_ periods: Periods, _ efforts: [LoggedBestEffort]) throws {
    try StandardOutput.shared.printJSON { json in
      json.object { json in
        json.member("by", period.rawValue)
        json.key("periods")
        json.array(periods) { json, entry in
          json.object { json in
            json.member("period", period.label(firstDay: entry.start))
            json.member("startDate", DateText.date(dayNumber: entry.start))
            json.member("flightCount", entry.totals.flightCount)
            json.member("distance", entry.totals.distance.meters)
            json.member("movingTime", entry.totals.movingTime)
            json.member("pace", entry.totals.pace?.secondsPerKilometer)
            json.member("elevationGain", entry.totals.elevationGain)
            json.member("elevationLoss", entry.totals.elevationLoss)
            json.member("alertCount", entry.totals.alertCount)
          }
        }
        json.key("bestEfforts")
        json.array(efforts) { json, best in
          json.object { json in
            json.members(of: best.effort)
            json.member("flightID", best.flightID.rawValue)
          }
        }
      }
    }
  }

  func print(
    _ periods: Periods, _ efforts: [LoggedBestEffort], undatedCount: Int
  ) throws {
    let units = settings.units
    var table = TextTable(
      period.rawValue.uppercased(), "FLIGHTS>", "\(units.distanceUnit.uppercased())>", "MOVING>",
      "PACE>", "CLIMB>", "ALERTS>")
    for entry in periods {
      table.add(
        period.label(firstDay: entry.start), "\(entry.totals.flightCount)",
        units.distance(entry.totals.distance), UnitFormat.duration(entry.totals.movingTime),
        units.pace(entry.totals.pace), units.height(entry.totals.elevationGain),
        "\(entry.totals.alertCount)")
    }
    var text = periods.isEmpty ? "" : table.text
    if undatedCount > 0 {
      text += "Not counted: \(Plural.of(undatedCount, "flight")) without a date\n"
    }
    if !efforts.isEmpty {
      var best = TextTable("BEST", "TIME>", "PACE>", "FLIGHT")
      for logged in efforts {
        best.add(
          logged.effort.kind.rawValue, UnitFormat.duration(logged.effort.elapsedTime),
          units.pace(logged.effort.pace), String(logged.flightID.rawValue.prefix(8)))
      }
      text += "\n" + best.text
    }
    try StandardOutput.shared.write(text)
  }
}

internal import RunWayLogbook
internal import RunWayModel

extension CommandSpec {
  static let show = CommandSpec(
    "show", operands: "FLIGHT", .flight, operandCount: 1...1,
    summary: "show one flight: totals, splits, best efforts, alerts",
    discussion: """
      FLIGHT is the beginning of its id, or “latest”.

        runway show latest --units imperial
      """,
    run: { invocation in
      let settings = try Settings(invocation)
      let logbook = try settings.openForReading()
      let page = try logbook.snapshot {
        let flight = try logbook.flight(matching: invocation.operands[0])
        return try FlightPage(settings: settings, logbook: logbook, flight: flight)
      }
      try page.print()
      return .success
    })
}

/// Everything about one flight.
@MainActor private struct FlightPage {
  private let settings: Settings
  private let flight: Flight
  private let splits: [Split]
  private let efforts: [BestEffort]
  private let alerts: [Alert]

  init(settings: Settings, logbook: Logbook, flight: Flight) throws {
    self.settings = settings
    // JSON speaks SI units.
    let isMetric = settings.json || settings.units.system == .metric
    var flight = flight
    if let soFar = try FlightRecovery.bringUpToDate(&flight, in: logbook) {
      splits = isMetric ? soFar.kilometerSplits : soFar.mileSplits
      efforts = soFar.bestEfforts
    } else {
      splits = try logbook.splits(of: flight.id, unit: isMetric ? .kilometer : .mile)
      efforts = try logbook.bestEfforts(of: flight.id)
    }
    self.flight = flight
    alerts = try logbook.alerts(of: flight.id)
  }

  func print() throws {
    if settings.json { return try printJSON() }
    var text = heading()
    text += totals().text
    text += splitTable()
    text += effortTable()
    text += alertTable()
    try StandardOutput.shared.write(text)
  }

  private func printJSON() throws {
    try StandardOutput.shared.printJSON { json in
      json.object { json in
        json.members(of: flight)
        json.key("alerts")
        json.array(alerts) { json, alert in json.alert(alert, flight: flight.id) }
        json.key("splits")
        json.array(splits) { json, split in json.split(split) }
        json.key("bestEfforts")
        json.array(efforts) { json, effort in json.bestEffort(effort) }
      }
    }
  }

  // MARK: Text

  private func heading() -> String {
    var clock = settings.clock
    var text = TextWidth.printable(flight.name ?? "Flight \(flight.id.rawValue.prefix(8))")
    if flight.interrupted { text += "  (interrupted)" }
    if flight.live { text += "  (in the air)" }
    text += "\n"
    if let start = flight.totals.startedAt {
      text += "\(clock.date(start)) \(clock.timeWithSeconds(start))"
      if let end = flight.totals.endedAt {
        let isSameDay = clock.dayNumber(of: start) == clock.dayNumber(of: end)
        text += " – " + (isSameDay ? "" : "\(clock.date(end)) ") + clock.timeWithSeconds(end)
      }
      text += "  (\(settings.clock.name(at: start)))\n"
    }
    return text + "\(flight.id)\n\n"
  }

  private func totals() -> KeyedLines {
    let units = settings.units
    let totals = flight.totals
    var lines = KeyedLines()
    let raw = units.distanceWithUnit(totals.rawDistance, digits: 3)
    lines.add("Distance", "\(units.distanceWithUnit(totals.distance, digits: 3))  (raw \(raw))")
    if let moving = totals.movingTime {
      let elapsed = UnitFormat.duration(totals.elapsedTime)
      lines.add("Moving time", "\(UnitFormat.duration(moving))  (elapsed \(elapsed))")
      lines.add("Pace", units.paceWithUnit(totals.pace))
    }
    if totals.elevationGain != nil {
      let gain = units.height(totals.elevationGain)
      let loss = units.height(totals.elevationLoss)
      let step = "\(units.height(5)) \(units.heightUnit)"
      lines.add("Climb", "+\(gain) −\(loss) \(units.heightUnit)  (steps of \(step) or more)")
    }
    if totals.heartRate != nil {
      lines.add("Heart rate", "\(UnitFormat.whole(totals.heartRate)) bpm")
    }
    if totals.cadence != nil { lines.add("Cadence", "\(UnitFormat.whole(totals.cadence)) /min") }
    if flight.fuel != nil { lines.add("Fuel", "\(UnitFormat.whole(flight.fuel)) kcal") }
    let mission = flight.mission.map { MissionText.of($0, units: units) } ?? "free flight"
    lines.add("Mission", mission + (flight.missionName.map { "  (\($0))" } ?? ""))
    lines.add("Coordinates", coordinateText())
    if !flight.rejected.isEmpty {
      let reasons = flight.rejected.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
      lines.add("Rejected", reasons.joined(separator: ", "))
    }
    lines.add("Type", flight.type)
    lines.add("Tags", flight.tags.isEmpty ? nil : flight.tags.joined(separator: ", "))
    lines.add("Notes", flight.notes)
    let path = flight.source.path == "-" ? "standard input" : flight.source.path
    let source = [path, flight.source.format?.rawValue, flight.source.creator]
    lines.add("Source", source.compactMap { $0 }.joined(separator: ", "))
    return lines
  }

  private func coordinateText() -> String {
    let totals = flight.totals
    let segments = Plural.of(totals.segmentCount, "segment")
    let discarded = DiscardReason.allCases.filter { totals.discarded[$0] > 0 }
      .map { "\($0.rawValue) \(totals.discarded[$0])" }
    return "\(totals.coordinateCount) in \(segments)"
      + (discarded.isEmpty ? "" : "; discarded: \(discarded.joined(separator: ", "))")
  }

  private func splitTable() -> String {
    guard !splits.isEmpty else { return "" }
    let units = settings.units
    var table = TextTable(
      "SPLIT>", "\(units.distanceUnit.uppercased())>", "MOVING>", "ELAPSED>", "PACE>",
      "CLIMB>", "HEART>")
    for split in splits {
      let gain = split.elevationGain.map { "+\(units.height($0))" } ?? UnitFormat.absent
      let loss = split.elevationLoss.map { " −\(units.height($0))" } ?? ""
      table.add(
        "\(split.index)", units.distance(split.distance), UnitFormat.duration(split.movingTime),
        UnitFormat.duration(split.elapsedTime), units.pace(split.pace), gain + loss,
        UnitFormat.whole(split.heartRate))
    }
    return "\n" + table.text
  }

  private func effortTable() -> String {
    guard !efforts.isEmpty else { return "" }
    let units = settings.units
    var table = TextTable("BEST", "TIME>", "PACE>", "FROM>")
    for effort in efforts {
      table.add(
        effort.kind.rawValue, UnitFormat.duration(effort.elapsedTime), units.pace(effort.pace),
        units.distanceWithUnit(effort.startDistance))
    }
    return "\n" + table.text
  }

  private func alertTable() -> String {
    guard !alerts.isEmpty else { return "" }
    var clock = settings.clock
    var table = AlertText.table()
    for alert in alerts { table.add(AlertText.row(alert, settings: settings, clock: &clock)) }
    return "\nALERTS" + table.text.drop { $0 != "\n" }
  }
}

/// Lines of a name and a value, the values under each other.
struct KeyedLines {
  private var lines: [(String, String)] = []

  /// Adds a line where there is a value.
  mutating func add(_ key: String, _ value: String?) {
    guard let value, !value.isEmpty else { return }
    lines.append((key, TextWidth.printable(value)))
  }

  var text: String {
    let width = lines.map { TextWidth.of($0.0) }.max() ?? 0
    return lines.map { key, value in
      "\(key)\(String(repeating: " ", count: width - TextWidth.of(key) + 2))\(value)\n"
    }.joined()
  }
}

internal import RunWayLogbook

extension CommandSpec {
  private static let weight = OptionSpec(
    "weight", argument: "KG", help: "note the runner's weight, for the fuel; 0 forgets it")

  static let logbook = CommandSpec(
    "logbook", summary: "say where the logbook is and what it holds",
    discussion: """
        runway logbook
        runway logbook --weight 70
      """,
    options: [weight],
    run: { invocation in
      let settings = try Settings(invocation)
      let kilograms = try invocation.value(weight, expected: "kilograms, 20 to 300, or 0") { text in
        ValueParsing.number(text).flatMap { $0 == 0 || (20...300).contains($0) ? $0 : nil }
      }
      let logbook = try kilograms == nil ? settings.openForReading() : settings.openForWriting()
      if let kilograms { try logbook.setWeight(kilograms == 0 ? nil : kilograms) }
      let info = try logbook.info()
      if settings.json {
        try StandardOutput.shared.printJSON { json in
          json.object { json in json.members(of: info) }
        }
        return .success
      }
      var lines = KeyedLines()
      let absence = info.schemaVersion == nil ? "  (not there yet)" : ""
      lines.add("Logbook", (info.path ?? "in memory") + absence)
      lines.add(
        "Size", info.size.map { "\(UnitFormat.fixed(Double($0) / 1_000_000, digits: 1)) MB" })
      lines.add("Schema", info.schemaVersion.map { "version \($0)" })
      lines.add("Flights", "\(info.flightCount)")
      lines.add("Alerts", "\(info.alertCount)")
      lines.add("Coordinates", "\(info.coordinateCount)")
      lines.add("Tags", "\(info.tagCount)")
      lines.add("Missions", "\(info.missionCount)")
      lines.add("Weight", info.weight.map { "\(UnitFormat.fixed($0, digits: 1)) kg" })
      try StandardOutput.shared.write(lines.text)
      return .success
    })
}

extension JSONWriter {
  /// Writes what a logbook holds.
  mutating func members(of info: Logbook.Info) {
    member("path", info.path)
    member("size", info.size.map { Int($0) })
    member("schemaVersion", info.schemaVersion)
    member("flightCount", info.flightCount)
    member("alertCount", info.alertCount)
    member("coordinateCount", info.coordinateCount)
    member("tagCount", info.tagCount)
    member("missionCount", info.missionCount)
    member("weight", info.weight)
  }
}

internal import RunWayLogbook
internal import RunWayModel

extension CommandSpec {
  private static let name = OptionSpec("name", argument: "TEXT", help: "another name; '' for none")
  private static let notes = OptionSpec("notes", argument: "TEXT", help: "other notes; '' for none")
  private static let type = OptionSpec(
    "type", argument: "TEXT", help: "another type of activity; '' for none")

  static let edit = CommandSpec(
    "edit", operands: "FLIGHT", .flight, operandCount: 1...1,
    summary: "rename a flight, write notes on it, correct its type",
    discussion: """
        runway edit latest --name 'Hill repeats' --notes 'windy'
      """,
    options: [name, notes, type],
    run: { invocation in
      let settings = try Settings(invocation)
      guard invocation.has(name) || invocation.has(notes) || invocation.has(type) else {
        throw UsageError("“runway edit” needs --name, --notes or --type")
      }
      let logbook = try settings.openForChanging(invocation.operands)
      let id = try logbook.flightID(matching: invocation.operands[0])
      var texts: [Logbook.FlightText: String?] = [:]
      for (option, text) in [(name, Logbook.FlightText.name), (notes, .notes), (type, .type)] {
        if let value = invocation.value(option) {
          texts.updateValue(value.isEmpty ? nil : value, forKey: text)
        }
      }
      try logbook.edit(id, texts)
      try printFlight(id, logbook: logbook, settings: settings)
      return .success
    })

  /// Prints a flight after a change.
  @MainActor static func printFlight(
    _ id: FlightID, logbook: Logbook, settings: Settings
  ) throws {
    guard let flight = try logbook.flight(id) else { return }
    if settings.json {
      return try StandardOutput.shared.printJSON { json in json.flight(flight) }
    }
    var lines = KeyedLines()
    lines.add("Flight", flight.id.rawValue)
    lines.add("Name", flight.name)
    lines.add("Type", flight.type)
    lines.add("Notes", flight.notes)
    lines.add("Tags", flight.tags.joined(separator: ", "))
    try StandardOutput.shared.write(lines.text)
  }
}

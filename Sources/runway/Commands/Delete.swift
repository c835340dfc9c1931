internal import Glibc
internal import RunWayLogbook
internal import RunWayModel

extension CommandSpec {
  static let delete = CommandSpec(
    "delete", operands: "FLIGHT…", .flight, operandCount: 1...Int.max,
    summary: "delete flights with all that belongs to them",
    discussion: """
      All are deleted or none. On a terminal it asks first, unless --yes.

        runway delete 3f2a 81bc
      """,
    options: [.yes],
    run: { invocation in
      let settings = try Settings(invocation)
      let logbook = try settings.openForChanging(invocation.operands)
      var ids: [FlightID] = []
      for word in invocation.operands {
        let id = try logbook.flightID(matching: word)
        if !ids.contains(id) { ids.append(id) }
      }
      if !invocation.has(.yes), isatty(STDIN_FILENO) == 1 {
        guard try confirms(ids, logbook: logbook, settings: settings) else {
          try tell([], settings: settings)
          return .success
        }
      }
      try logbook.delete(ids)
      try tell(ids, settings: settings)
      return .success
    })

  /// Says which flights are gone.
  @MainActor private static func tell(_ deleted: [FlightID], settings: Settings) throws {
    if settings.json {
      return try StandardOutput.shared.printJSON { json in
        json.object { json in
          json.key("deleted")
          json.array(deleted) { json, id in json.string(id.rawValue) }
        }
      }
    }
    try StandardOutput.shared.write(
      deleted.isEmpty ? "nothing deleted\n" : "deleted \(Plural.of(deleted.count, "flight"))\n")
  }

  @MainActor private static func confirms(
    _ ids: [FlightID], logbook: Logbook, settings: Settings
  ) throws -> Bool {
    var clock = settings.clock
    for id in ids {
      guard let flight = try logbook.flight(id) else { continue }
      let date = flight.totals.startedAt.map { clock.date($0) } ?? "undated"
      let name = TextWidth.printable(flight.name ?? "")
      StandardError.print(
        "\(id.rawValue.prefix(8))  \(date)  \(settings.units.distanceWithUnit(flight.totals.distance))  \(name)"
      )
    }
    StandardError.ask("Delete \(Plural.of(ids.count, "flight"))? [y/N] ")
    guard let answer = readLine()?.lowercased() else {
      // Nobody has ended the line.
      StandardError.print("")
      return false
    }
    return answer == "y" || answer == "yes"
  }
}

internal import RunWayLogbook
internal import RunWayModel

extension CommandSpec {
  private static let deleteMission = OptionSpec(
    "delete", argument: "NAME", values: .mission,
    help: "delete a mission; flights keep its numbers")
  private static let renameMission = OptionSpec(
    "rename", argument: "NAME", values: .mission,
    help: "rename this mission; the new name stands behind")
  private static let noDistance = OptionSpec(
    "no-distance", help: "take the mission's distance away")

  static let missions = CommandSpec(
    "missions", operands: "[NAME]", .mission, operandCount: 0...1,
    summary: "save missions by name, or list them",
    discussion: """
        runway missions                                       list them
        runway missions tempo --pace 4:45 --tolerance 8       save one
        runway missions tempo --pace 4:40                     change it; the rest stays
        runway missions tempo                                 show it
        runway replay --mission tempo                         fly it
        runway missions tempo --no-distance                   take its distance away
        runway missions --rename tempo threshold              flights tell the new name
        runway missions --delete threshold
      """,
    options: [.pace, .tolerance, .distance, noDistance, renameMission, deleteMission],
    run: { invocation in
      let settings = try Settings(invocation)
      let numbers: [OptionSpec] = [.pace, .tolerance, .distance, noDistance]
      if invocation.has(.distance) { try invocation.refuse([noDistance], beside: .distance) }
      if let name = invocation.value(renameMission) {
        try invocation.refuse(numbers + [deleteMission], beside: renameMission)
        guard let newName = invocation.operands.first else {
          throw UsageError("--rename takes the mission's name, and the new one behind it")
        }
        let logbook = try settings.openForWriting(finding: { _ = try $0.mission(named: name) })
        try logbook.renameMission(name, to: newName)
        try printMissions(logbook, settings: settings)
        return .success
      }
      if let name = invocation.value(deleteMission) {
        try invocation.refuse(numbers, beside: deleteMission)
        guard invocation.operands.isEmpty else {
          throw UsageError("--delete takes the mission's name alone")
        }
        let logbook = try settings.openForWriting(finding: { _ = try $0.mission(named: name) })
        try logbook.deleteMission(named: name)
        try printMissions(logbook, settings: settings)
        return .success
      }
      let changes = numbers.contains(where: invocation.has)
      guard let name = invocation.operands.first else {
        if changes { throw UsageError("a mission is saved by a name") }
        try printMissions(settings.openForReading(), settings: settings)
        return .success
      }
      let saved = try savedMission(name, in: settings.openForReading())
      guard changes else {
        guard saved != nil else {
          throw CommandError("there is no mission “\(name)”", status: .noInput)
        }
        try printMissions(settings.openForReading(), settings: settings, only: name)
        return .success
      }
      // What is not given stays as it was saved.
      guard var mission = try settings.mission(invocation, saved: saved) else {
        throw CommandError("there is no mission “\(name)”", status: .noInput)
      }
      if invocation.has(noDistance) { mission.distance = nil }
      let logbook = try settings.openForWriting()
      try logbook.saveMission(mission, named: name)
      try printMissions(logbook, settings: settings)
      return .success
    })

  @MainActor private static func savedMission(
    _ name: String, in logbook: Logbook
  ) throws -> Mission? {
    do {
      return try logbook.mission(named: name)
    } catch {
      if error.code == .notFound { return nil }
      throw error
    }
  }

  @MainActor private static func printMissions(
    _ logbook: Logbook, settings: Settings, only name: String? = nil
  ) throws {
    let missions = try name.map { try [logbook.savedMission(named: $0)] } ?? logbook.missions()
    if settings.json {
      return try StandardOutput.shared.printJSON { json in
        json.array(missions) { json, saved in
          json.object { json in
            json.member("name", saved.name)
            json.member("pace", saved.mission.pace.secondsPerKilometer)
            json.member("tolerance", saved.mission.tolerance)
            json.member("distance", saved.mission.distance?.meters)
            json.member("flightCount", saved.flightCount)
          }
        }
      }
    }
    guard !missions.isEmpty else { return try StandardOutput.shared.write("No missions.\n") }
    var table = TextTable("MISSION", "TARGET", "FLIGHTS>")
    for saved in missions {
      table.add(
        TextWidth.printable(saved.name), MissionText.of(saved.mission, units: settings.units),
        "\(saved.flightCount)")
    }
    try StandardOutput.shared.write(table.text)
  }
}

internal import RunWayLogbook
internal import RunWayModel
internal import RunWayTracking

/// `runway replay --flight`.
@MainActor struct Rejudgement {
  private let invocation: Invocation
  private let settings: Settings

  init(_ invocation: Invocation, settings: Settings) {
    self.invocation = invocation
    self.settings = settings
  }

  /// Flies a stored flight again.
  ///
  /// - Parameters:
  ///   - word: Which flight.
  ///   - stores: Whether what was found takes the place of what is stored.
  /// - Returns: Success.
  /// - Throws: A `UsageError`, or a `LogbookError`.
  func run(_ word: String, stores: Bool) throws -> ExitStatus {
    let logbook = try stores ? settings.openForChanging([word]) : settings.openForReading()
    // What is stored takes the place of what was read, and of nothing that another process wrote since.
    let (flight, events) =
      try stores
      ? logbook.exclusively { try judge(word, in: logbook, stores: true) }
      : logbook.snapshot { try judge(word, in: logbook, stores: false) }
    // Only now, for whoever reads it may be slow, and others wait for their turn to write.
    var output = FlightEventOutput(settings: settings)
    try output.show(
      events, data: nil, mission: flight.mission, named: flight.missionName, flight: flight.id)
    try output.show(Landing(flight, stores ? .stored : .notStored, flownAs: flight.id))
    return .success
  }

  private func judge(
    _ word: String, in logbook: Logbook, stores: Bool
  ) throws -> (Flight, [FlightEvent]) {
    var flight = try logbook.flight(matching: word)
    if stores && flight.live {
      throw CommandError(
        "flight \(flight.id) is being flown and can only be judged anew afterwards",
        status: .inputOutput)
    }
    let (mission, missionName) = try settings.namedMission(invocation, in: logbook, of: flight)
    flight.options = try settings.flightOptions(invocation) ?? flight.options
    let result = try FlightRecovery.flyAgain(flight, in: logbook, mission: mission)
    if stores {
      try logbook.rejudge(
        flight.id, mission: mission, missionName: missionName, options: flight.options,
        report: result.report, discards: result.discards)
    }
    (flight.mission, flight.missionName) = (mission, missionName)
    flight.totals = result.report.totals
    flight.alertCount = result.report.alerts.count
    return (flight, result.events)
  }
}

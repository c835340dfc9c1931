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
    var flight = try logbook.flight(matching: word)
    if stores && flight.live {
      throw CommandError(
        "flight \(flight.id) is being flown and can only be judged anew afterwards",
        status: .inputOutput)
    }
    let (mission, missionName) = try settings.namedMission(invocation, in: logbook, of: flight)
    flight.options = try settings.flightOptions(invocation) ?? flight.options
    let result = try FlightRecovery.flyAgain(flight, in: logbook, mission: mission)
    var output = FlightEventOutput(settings: settings)
    try output.show(result.events, data: nil, mission: mission, flight: flight.id)
    if stores {
      try logbook.rejudge(
        flight.id, mission: mission, missionName: missionName, options: flight.options,
        report: result.report, discards: result.discards)
    }
    flight.mission = mission
    flight.totals = result.report.totals
    flight.alertCount = result.report.alerts.count
    try output.show(Landing(flight, stores ? .stored : .notStored, flownAs: flight.id))
    return .success
  }
}

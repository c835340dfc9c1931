internal import RunWayIngest
internal import RunWayLogbook
internal import RunWayModel
internal import RunWayTracking

/// A flight that has touched down.
struct Landing {
  /// What became of it.
  enum Outcome: String {
    case stored, duplicate, notStored
  }

  /// As it is stored; the one that was there already where it is a duplicate.
  var flight: Flight
  var outcome: Outcome
  /// The identity that its events were told under; `nil` where no logbook knows the flight.
  var flownAs: FlightID?

  init(_ flight: Flight, _ outcome: Outcome, flownAs: FlightID?) {
    self.flight = flight
    self.outcome = outcome
    self.flownAs = flownAs
  }
}

/// Ends the flights of a replayed source: completes what is stored of them, and keeps count.
@MainActor struct FlightLandings {
  private let path: String
  private let logbook: PendingLogbook
  /// When a flight begins whose points bear no times, where an export does not tell it.
  var date: Timestamp?
  /// What was known of the flight to go on with.
  var resumed: Flight?
  /// Whether what was flown of a broken source is not kept.
  private var isAbandoned = false
  private var succeeded = 0
  private var failure: ExitStatus?
  /// The notes that were told, so that none is told twice.
  private var told: Set<IngestReport.Note> = []

  init(path: String, logbook: PendingLogbook, date: Timestamp?) {
    self.path = path
    self.logbook = logbook
    self.date = date
  }

  /// The status to leave with.
  var status: ExitStatus {
    guard let failure else { return .success }
    return succeeded > 0 ? .partialFailure : failure
  }

  /// Completes a flight.
  ///
  /// - Parameters:
  ///   - finished: What it amounts to.
  ///   - update: What its end brought about.
  ///   - head: What it began with.
  ///   - recorder: Stores it; `nil` where nothing is stored.
  /// - Returns: What became of it; `nil` where it is no flight, which is told.
  /// - Throws: A `LogbookError`.
  mutating func land(
    _ finished: FinishedFlight, _ update: FlightUpdate, _ head: NewFlight,
    recorder: LiveRecorder?
  ) async throws -> Landing? {
    StandardError.clearProgress()
    var finished = finished
    let resumed = resumed?.id == head.id ? resumed : nil
    // What was not valid before it was interrupted was only counted.
    finished.report.totals.discarded.invalid += resumed?.totals.discarded.invalid ?? 0
    guard finished.hasLocations else {
      tell(finished.ingest.notes)
      return refuse("no point can be used")
    }
    let date = date ?? finished.info.date ?? resumed?.totals.startedAt
    if !finished.isTimed && !finished.info.isUndated && date == nil && resumed == nil {
      try recorder?.discard()
      return refuse("none of its points bears a time; --date stores it as distance only")
    }
    if finished.report.totals.startedAt == nil {
      finished.report.totals.startedAt = date
    }
    let flight = Flight(
      id: head.id, name: finished.info.name, type: finished.info.type, source: head.source,
      mission: head.mission, missionName: head.missionName, options: head.options,
      totals: finished.report.totals, rejected: finished.ingest.rejected,
      alertCount: finished.report.alerts.count, calories: finished.info.calories,
      fuel: finished.info.calories)
    let stored = try await recorder?.finish(finished, update: update)
    succeeded += 1
    return switch stored {
    case .stored(let id):
      Landing(try logbook.logbook.flight(id) ?? flight, .stored, flownAs: head.id)
    case .duplicate(let id):
      Landing(try logbook.logbook.flight(id) ?? flight, .duplicate, flownAs: head.id)
    case nil:
      Landing(flight, .notStored, flownAs: nil)
    }
  }

  private mutating func refuse(_ reason: String) -> Landing? {
    StandardError.print(TextWidth.printable("\(path): \(reason)"))
    failure = failure ?? .badData
    return nil
  }

  // MARK: What was passed over

  /// Names what was passed over, by line.
  mutating func tell(_ notes: [IngestReport.Note]) {
    for note in notes where told.insert(note).inserted {
      StandardError.print(TextWidth.printable("\(path):\(note.line): \(note.reason)"))
    }
  }

  /// Sums up what was passed over, and says where the recording was known.
  mutating func tellRest(of ingest: IngestReport, _ landing: Landing) {
    if landing.outcome == .duplicate {
      StandardError.print(
        "runway: this recording is flight \(landing.flight.id.rawValue.prefix(8)) already and was not stored again (--force does)"
      )
    }
    tell(ingest.notes)
    if let summary = ingest.rejectedSummary {
      StandardError.print(TextWidth.printable("\(path): \(summary)"))
    }
  }

  /// Removes what is stored of a flight whose source turned out broken.
  ///
  /// - Throws: A `LogbookError`.
  mutating func abandon(_ recorder: LiveRecorder?) throws {
    guard let recorder else { return }
    try recorder.discard()
    isAbandoned = true
  }

  /// Tells a fault of the source, and whether what was flown before it is kept.
  mutating func close(_ error: IngestError, salvage: Bool) {
    var error = error
    let isKept = succeeded > 0 && !isAbandoned && !error.isInputOutput
    if isKept { error.reason += "; kept what stands before it" }
    if isAbandoned {
      error.reason += "; the flight is not kept (--salvage keeps what stands before the fault)"
    }
    StandardError.print(TextWidth.printable(error.description(in: path)))
    if !isKept || !salvage { failure = error.exitStatus }
  }

  /// Tells that none of the tracks was the flight to go on with.
  mutating func missed(_ id: FlightID) {
    StandardError.print(
      "runway: no track goes on with flight \(id.rawValue.prefix(8)), which stays interrupted")
    failure = failure ?? .badData
  }
}

extension IngestReport {
  /// How much was rejected, by reason; `nil` where nothing was.
  var rejectedSummary: String? {
    if rejected.isEmpty { return nil }
    let reasons = rejected.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
    return "rejected in all: " + reasons.joined(separator: ", ")
  }
}

internal import Glibc
internal import RunWayIngest
internal import RunWayLogbook
internal import RunWayModel

/// Stores what a reader finds, while the reader decodes ahead on the other core.
@MainActor final class Importer {
  /// What became of one flight, or of an input without one.
  struct Outcome {
    enum Status: String { case imported, duplicate, failed, skipped }

    var input: TrackInput
    var status: Status
    var flight: Flight?
    /// Why it failed or was passed over; of one that is stored, what broke its source off behind it.
    var error: IngestError?
    /// What of the source was passed over.
    var ingest = IngestReport()
  }

  private let pending: PendingLogbook
  private let options: ReadOptions
  private let missionName: String?
  private let force: Bool
  private let isDryRun: Bool
  /// Takes an outcome once it is permanent.
  private let report: (Outcome) throws -> Void
  /// Called when some have been reported.
  private let pause: (_ isLast: Bool) throws -> Void

  private var transaction: ImportTransaction?
  private var inputsInTransaction = 0
  private var transactionBegan = ContinuousClock.now
  /// Outcomes that wait for the commit.
  private var unreported: [ImportOutcomes] = []

  // The open input.
  private var input = TrackInput(name: "", path: "")
  private var outcomes = ImportOutcomes(of: TrackInput(name: "", path: ""))
  private var head: NewFlight?
  private var headInfo = TrackInfo()
  private var hasUntimed = false
  private var hasTimed = false
  /// The recordings that a rehearsal would have stored by now.
  var rehearsedRecordings: Set<RecordingFingerprint> = []

  /// So many inputs, or so long, share one transaction: the cost of a commit is spread, and other
  /// writers still get their turn.
  private static let inputsPerTransaction = 32
  private static let transactionDuration = Duration.milliseconds(200)
  /// How long the logbook is left to a flight in the air between two transactions: it tries again more often.
  private static let turn = UInt32(2 * LiveRecorder.retryMilliseconds * 1_000)

  init(
    logbook: PendingLogbook, options: ReadOptions, missionName: String?, force: Bool,
    isDryRun: Bool,
    report: @escaping (Outcome) throws -> Void, pause: @escaping (_ isLast: Bool) throws -> Void
  ) {
    pending = logbook
    self.options = options
    self.missionName = missionName
    self.force = force
    self.isDryRun = isDryRun
    self.report = report
    self.pause = pause
  }

  /// Reads all inputs and stores what they hold.
  ///
  /// - Throws: A `LogbookError`, or what `report` or `pause` throws; what was committed before stays.
  func run(_ inputs: [TrackInput]) async throws {
    let reader = TrackReader(inputs, options: options)
    var pieces = await reader.next()
    while !pieces.isEmpty {
      // The reader works on the next pieces while these are stored.
      async let following = reader.next()
      for piece in pieces { try store(piece) }
      pieces = await following
    }
    try commit(isLast: true)
  }

  // MARK: Pieces

  private func store(_ piece: TrackPiece) throws {
    switch piece {
    case .opened(let input):
      // Deleted again it would leave its pages empty among those of others; alone, it is as if it had not been.
      if inputsInTransaction > 0, input.isLarge { try commit(isLast: false) }
      self.input = input
      outcomes = ImportOutcomes(of: input)
    case .flight(let finished, let locations, let discards):
      guard accepts(finished) else { return }
      if isDryRun { return try rehearse(finished) }
      let header = newFlight(info: finished.info)
      let transaction = try openTransaction()
      let outcome = try transaction.store(
        header, locations: locations, discards: discards, report: datedReport(finished),
        info: finished.info, rejected: finished.ingest.rejected, force: force)
      add(outcome, of: finished, header: header)
    case .began(let info):
      let header = newFlight(info: info)
      head = header
      headInfo = info
      if !isDryRun { try openTransaction().beginFlight(header, force: force) }
    case .rows(let locations, let discards):
      if !isDryRun { try openTransaction().append(locations, discards: discards) }
    case .redated(let shift):
      if !isDryRun { try openTransaction().redate(byMicroseconds: shift) }
    case .ended(let finished, let discards):
      guard let header = head else { return }
      head = nil
      guard accepts(finished) else {
        if !isDryRun { try openTransaction().abandonFlight() }
        return
      }
      if isDryRun { return try rehearse(finished) }
      let transaction = try openTransaction()
      try transaction.append([], discards: discards)
      let outcome = try transaction.finishFlight(
        report: datedReport(finished), info: finished.info,
        rejected: finished.ingest.rejected)
      add(outcome, of: finished, header: header)
    case .closed(let format, let error, let notes):
      try close(format: format, error: error, notes: notes)
    }
  }

  /// Whether a flight can be stored; what it lacks is noted otherwise.
  private func accepts(_ finished: FinishedFlight) -> Bool {
    if finished.isTimed { hasTimed = true }
    guard finished.hasLocations else {
      // A track without a single point is nothing to speak of beside others.
      guard let note = finished.ingest.notes.first else { return false }
      outcomes.append(
        Outcome(
          input: input, status: .failed,
          error: IngestError(
            .notARecording, line: note.line, reason: "\(note.reason); no point can be used")))
      return false
    }
    if !finished.isTimed && !finished.info.isUndated && date(of: finished.info) == nil {
      hasUntimed = true
    }
    return true
  }

  /// When a track begins that bears no time: the date that was given, else the one that an export tells.
  private func date(of info: TrackInfo) -> Timestamp? {
    options.date ?? info.date
  }

  /// What a flight amounts to, with the date it begins at where it bears no time.
  private func datedReport(_ finished: FinishedFlight) -> FlightReport {
    var report = finished.report
    guard !finished.isTimed, let date = date(of: finished.info) else { return report }
    report.totals.startedAt = date
    return report
  }

  private func newFlight(info: TrackInfo) -> NewFlight {
    NewFlight(
      source: FlightSource(path: input.name, creator: info.creator), mission: options.mission,
      missionName: missionName, options: options.flightOptions(for: info),
      date: date(of: info))
  }

  private func add(_ stored: StoreOutcome, of finished: FinishedFlight, header: NewFlight) {
    switch stored {
    case .stored:
      outcomes.append(
        Outcome(
          input: input, status: .imported,
          flight: flight(finished, header: header), ingest: finished.ingest))
    case .duplicate(let known):
      outcomes.append(
        Outcome(
          input: input, status: .duplicate, flight: Flight(id: known)))
    }
  }

  private func flight(_ finished: FinishedFlight, header: NewFlight) -> Flight {
    Flight(
      id: header.id, name: finished.info.name, type: finished.info.type,
      source: FlightSource(path: input.name, creator: finished.info.creator),
      mission: header.mission,
      missionName: header.missionName, options: header.options,
      totals: datedReport(finished).totals, rejected: finished.ingest.rejected,
      alertCount: finished.report.alerts.count, calories: finished.info.calories,
      fuel: finished.info.calories)
  }

  private func rehearse(_ finished: FinishedFlight) throws {
    let fingerprint = finished.report.fingerprint
    if !force, let known = try pending.logbook.flight(of: fingerprint) {
      outcomes.append(
        Outcome(input: input, status: .duplicate, flight: Flight(id: known)))
      return
    }
    let isNew = rehearsedRecordings.insert(fingerprint).inserted || force
    outcomes.append(
      Outcome(
        input: input, status: isNew ? .imported : .duplicate,
        flight: flight(finished, header: newFlight(info: finished.info)),
        ingest: finished.ingest), isRehearsed: true)
  }

  // MARK: The end of an input

  private func close(
    format: TrackFormat?, error: IngestError?, notes: [IngestReport.Note]
  ) throws {
    defer {
      outcomes = ImportOutcomes(of: input)
      head = nil
      hasUntimed = false
      hasTimed = false
    }
    var fault = error
    if error != nil, input.leadsNowhere { fault?.reason = "passed over: a link that leads nowhere" }
    if fault == nil && hasUntimed && !hasTimed {
      fault = IngestError(
        .notARecording,
        reason: "none of its points bears a time; --date stores it as distance only")
    }
    let isSalvaged = options.salvage && outcomes.hasFlights
    if let fault, !(isSalvaged && error != nil) {
      try transaction?.undoInput()
      outcomes = ImportOutcomes(of: input)
      var outcome = Outcome(input: input, status: status(of: fault), error: fault)
      if fault.isWithoutPlace { outcome.ingest.notes = notes }
      outcomes.append(outcome)
    } else {
      try transaction?.keepInput(format: format)
      outcomes.format = format
      if var fault {
        fault.reason += "; kept what stands before it"
        outcomes.fault = fault
      }
    }
    unreported.append(outcomes)
    inputsInTransaction += 1
    if inputsInTransaction >= Importer.inputsPerTransaction
      || transactionBegan.duration(to: .now) > Importer.transactionDuration
    {
      try commit(isLast: false)
    }
  }

  /// In folders, what is of no known format is passed over, and so are links that lead nowhere.
  private func status(of error: IngestError) -> Outcome.Status {
    let isNoTrack = error.code == .unknownFormat || input.leadsNowhere
    return input.foundInFolder && isNoTrack ? .skipped : .failed
  }

  // MARK: Transactions

  private func openTransaction() throws -> ImportTransaction {
    if let transaction { return transaction }
    let begun = try pending.forWriting().beginImport()
    transaction = begun
    transactionBegan = .now
    return begun
  }

  private func commit(isLast: Bool) throws {
    try transaction?.commit()
    transaction = nil
    inputsInTransaction = 0
    transactionBegan = .now
    let permanent = unreported
    unreported = []
    for outcomes in permanent { try outcomes.forEach(in: pending.logbook, report) }
    try pause(isLast)
    if !isLast, try pending.logbook.hasUnfinishedFlights() { usleep(Importer.turn) }
  }
}

extension IngestError {
  /// Whether a source can be read and holds nothing to store, and no line is named as the reason.
  fileprivate var isWithoutPlace: Bool {
    line == nil && (code == .notARecording || code == .noDate)
  }
}

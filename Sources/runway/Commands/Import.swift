internal import Glibc
internal import RunWayIngest
internal import RunWayLogbook
internal import RunWayModel

extension CommandSpec {
  static let dryRun = OptionSpec("dry-run", letter: "n", help: "store nothing, say what would be")

  static let `import` = CommandSpec(
    "import", operands: "PATH…", .path, operandCount: 1...Int.max,
    summary: "store GPX files, NMEA logs and other logbooks",
    discussion: """
      PATH is a file, a folder (with all folders in it), or - for standard input. What a
      file is, is told from its content; gzip is undone. A recording that is there
      already is recognised and not stored again. A bad file is reported, and the
      others go on. Logbooks are taken in where they are named, not where they are
      found in a folder; their flights stay as they are. The options that say how to read
      or judge tracks are for those named beside them.

        runway import ~/tracks
        runway import --pace 5:30 --tolerance 15 --distance 10km run.gpx
      """,
    options: OptionSpec.missionOptions + [
      .force, dryRun, .join, .salvage, .date, .maxSpeed, .trackFormat,
    ],
    run: { try await ImportCommand($0).run() })
}

/// `runway import`.
@MainActor private final class ImportCommand {
  private let settings: Settings
  private let invocation: Invocation
  private let isDryRun: Bool
  private var tally = Tally()
  /// The folders among the arguments in which something was found.
  private var fruitfulFolders: Set<String> = []

  private struct Tally {
    var imported = 0
    var duplicates = 0
    var skipped = 0
    var failures: [ExitStatus] = []
    /// Inputs of which something was stored, or known, or passed over.
    var succeeded = 0
    var inputs = 0
  }

  init(_ invocation: Invocation) throws {
    self.invocation = invocation
    settings = try Settings(invocation)
    isDryRun = invocation.has(CommandSpec.dryRun)
  }

  func run() async throws -> ExitStatus {
    let (pending, options, missionName) = try prepare()
    let importer = makeImporter(into: pending, options, missionName: missionName)
    // They are read as long as they live.
    var spools: [Spool] = []
    var tracks: [TrackInput] = []
    for input in TrackInput.find(invocation.operands) {
      switch try content(of: input, &spools, decoding: options.decoding) {
      case .track(let input):
        tracks.append(input)
      case .logbook:
        try await importer.run(tracks)
        tracks = []
        try merge(input, into: pending, rehearsed: &importer.rehearsedRecordings)
      case .skipped(let reason):
        try refuse(input, .skipped, reason, logbook: pending.logbook)
      case .failed(let reason):
        try await importer.run(tracks)
        tracks = []
        try refuse(input, .failed, reason, logbook: pending.logbook)
      }
    }
    try await importer.run(tracks)
    StandardError.clearProgress()
    summarise()
    return status
  }

  /// Checks all of the command line before anything is touched, and finds the logbook.
  private func prepare() throws -> (PendingLogbook, ReadOptions, missionName: String?) {
    try settings.checkMission(invocation)
    var options = ReadOptions()
    options.flight = try settings.flightOptions(invocation)
    options.salvage = invocation.has(.salvage)
    let date = try settings.date(invocation)
    options.date = date?.start
    options.decoding.format = try invocation.choice(.trackFormat)
    options.decoding.join = invocation.has(.join)
    options.decoding.date = date?.anchor
    try checkOperands()

    let pending = try isDryRun ? PendingLogbook(settings) : PendingLogbook(storingBy: settings)
    let mission = try settings.namedMission(invocation, in: pending.logbook)
    options.mission = mission.mission
    return (pending, options, mission.name)
  }

  private func makeImporter(
    into pending: PendingLogbook, _ options: ReadOptions, missionName: String?
  ) -> Importer {
    Importer(
      logbook: pending, options: options, missionName: missionName,
      force: invocation.has(.force), isDryRun: isDryRun
    ) { [self] outcome in
      try show(outcome, logbook: pending.logbook)
    } pause: { [self] isLast in
      if !isLast, StandardError.isTerminal {
        StandardError.progress(
          "\(tally.inputs) read, \(Plural.of(tally.imported, "flight")) imported …")
      }
      try StandardOutput.shared.flush()
    }
  }

  /// What an input holds, by its looks.
  private enum Content {
    /// A track, or what its reader will find no track.
    case track(TrackInput)
    case logbook
    case skipped(reason: String)
    case failed(reason: String)
  }

  private func content(
    of input: TrackInput, _ spools: inout [Spool], decoding options: TrackDecoder.Options
  ) throws -> Content {
    if input.fault != nil { return .track(input) }
    // Not even opened: closing it would undo SQLite's locks.
    if input.foundInFolder, try settings.isPartOfLogbook(input.path) {
      return .skipped(reason: "a file of the logbook itself")
    }
    if input.isDatabase {
      // In a folder it may be anybody's, and even a copy of this logbook.
      return input.foundInFolder ? .skipped(reason: "a database found in a folder") : .logbook
    }
    if input.isRegularFile { return .track(input) }
    let spool = try Spool(of: input, decoding: options)
    spools.append(spool)
    // SQLite reads by name, and goes back and forth.
    return spool.input.isDatabase
      ? .failed(reason: "a logbook is not read from a pipe: save it as a file, and import that")
      : .track(spool.input)
  }

  private func refuse(
    _ input: TrackInput, _ status: Importer.Outcome.Status, _ reason: String, logbook: Logbook
  ) throws {
    let error = IngestError(.unknownFormat, reason: reason)
    try show(Importer.Outcome(input: input, status: status, error: error), logbook: logbook)
  }

  // MARK: Logbooks

  /// Refuses what can't be meant: the logbook itself, and options that say how to read tracks where there are none.
  private func checkOperands() throws {
    for path in invocation.operands where path != "-" && !TrackInput.isFolder(path) {
      if try settings.isPartOfLogbook(path) { throw UsageError("\(path) is the logbook itself") }
    }
    let needless = (OptionSpec.missionOptions + ImportCommand.trackOptions).first {
      invocation.has($0)
    }
    if let needless, invocation.operands.allSatisfy({ TrackInput(name: $0, path: $0).isDatabase }) {
      throw UsageError(
        "--\(needless.name) is for tracks; the flights of a logbook stay as they are")
    }
  }

  private static let trackOptions: [OptionSpec] = [.join, .salvage, .date, .maxSpeed, .trackFormat]

  /// Takes in the flights of another logbook.
  private func merge(
    _ input: TrackInput, into pending: PendingLogbook, rehearsed: inout Set<RecordingFingerprint>
  ) throws {
    let force = invocation.has(.force)
    var logbook = pending.logbook
    do {
      guard isDryRun else {
        if logbook.isMissing {
          // One that cannot be taken in is no reason to make a logbook.
          var none: Set<RecordingFingerprint> = []
          _ = try logbook.rehearseMerge(from: input.path, force: force, besides: &none)
        }
        logbook = try pending.forWriting()
        return try logbook.merge(from: input.path, force: force) { outcome in
          try show(outcome, of: input, stored: logbook, logbook: logbook)
        }
      }
      let report = try logbook.rehearseMerge(from: input.path, force: force, besides: &rehearsed)
      let source = try Logbook(.file(input.path), readOnly: true)
      for id in report.stored {
        try show(.stored(id), of: input, stored: source, logbook: logbook)
      }
      for known in report.duplicates {
        try show(.duplicate(known), of: input, stored: source, logbook: logbook)
      }
      for refusal in report.refused {
        try show(.refused(refusal), of: input, stored: source, logbook: logbook)
      }
    } catch let error as LogbookError {
      guard let fault = fault(error, of: input) else { throw error }
      try show(Importer.Outcome(input: input, status: .failed, error: fault), logbook: logbook)
    }
  }

  private func show(
    _ outcome: MergeOutcome, of input: TrackInput, stored: Logbook, logbook: Logbook
  ) throws {
    switch outcome {
    case .stored(let id):
      try show(
        Importer.Outcome(input: input, status: .imported, flight: stored.flight(id)),
        logbook: logbook)
    case .duplicate(let known):
      // One that the rehearsal has met before is in no logbook but its own.
      let flight = try logbook.flight(known.existing) ?? stored.flight(known.existing)
      try show(
        Importer.Outcome(input: input, status: .duplicate, flight: flight), logbook: logbook)
    case .refused(let refusal):
      let reason = "flight \(refusal.id.rawValue.prefix(8)): \(refusal.reason)"
      try show(
        Importer.Outcome(
          input: input, status: .failed, error: IngestError(.malformed, reason: reason)),
        logbook: logbook)
    }
  }

  /// What is wrong with a logbook that was to be taken in; `nil` where the fault is not its own.
  private func fault(_ error: LogbookError, of input: TrackInput) -> IngestError? {
    // Every message names the file it is about.
    guard error.message.contains(input.path) else { return nil }
    // The path stands before the reason already.
    let name = input.path + " "
    let clause =
      error.message.hasPrefix(name) ? "it \(error.message.dropFirst(name.count))" : error.message
    switch error.code {
    case .corrupt, .notADatabase, .foreign, .newer:
      return IngestError(.unknownFormat, reason: clause)
    default:
      return IngestError(.io(errno: EIO), reason: clause)
    }
  }

  // MARK: Results

  private func show(_ outcome: Importer.Outcome, logbook: Logbook) throws {
    count(outcome)
    complain(outcome)
    var outcome = outcome
    // As it is stored, with what only the logbook knows.
    if outcome.status == .duplicate || settings.json, let id = outcome.flight?.id,
      let stored = try logbook.flight(id)
    {
      outcome.flight = stored
    }
    if settings.json {
      try StandardOutput.shared.printJSON { json in
        json.object { json in
          json.member("path", outcome.input.name)
          json.member("status", outcome.status.rawValue)
          json.key("flight")
          // A flight that would be new has no identity yet; one of another logbook keeps its own.
          let hasIdentity = outcome.status != .imported || !isDryRun || outcome.input.isDatabase
          if let flight = outcome.flight {
            json.flight(flight, hasIdentity: hasIdentity)
          } else {
            json.null()
          }
          json.key("error")
          if let error = outcome.error {
            json.object { json in
              json.member("line", error.line)
              json.member("reason", error.reason)
            }
          } else {
            json.null()
          }
        }
      }
      return
    }
    guard let flight = outcome.flight else { return }
    var clock = settings.clock
    let word =
      switch outcome.status {
      case .imported: isDryRun ? "new      " : "imported "
      default: "duplicate"
      }
    var line = "\(word)  \(flight.id.rawValue.prefix(8))"
    if isDryRun && outcome.status == .imported { line = word }
    line +=
      "  "
      + (flight.totals.startedAt.map { "\(clock.date($0)) \(clock.time($0))" } ?? "undated         ")
    let columns = [
      (settings.units.distanceWithUnit(flight.totals.distance), 9),
      (UnitFormat.duration(flight.totals.movingTime), 7),
      (settings.units.paceWithUnit(flight.totals.pace), 9),
      (flight.mission == nil ? "" : Plural.of(flight.alertCount, "alert"), 9),
    ]
    for (text, width) in columns {
      line += "  " + String(repeating: " ", count: max(0, width - TextWidth.of(text))) + text
    }
    line += "  \(TextWidth.printable(outcome.input.name))"
    try StandardOutput.shared.write(line + "\n")
  }

  /// Says on stderr what was wrong with a source.
  private func complain(_ outcome: Importer.Outcome) {
    for note in outcome.ingest.notes {
      StandardError.print(
        TextWidth.printable(
          note.line > 0
            ? "\(outcome.input.name):\(note.line): \(note.reason)"
            : "\(outcome.input.name): \(note.reason)"))
    }
    let rejected = outcome.ingest.rejected.values.reduce(0, +)
    if rejected > outcome.ingest.notes.count, let summary = outcome.ingest.rejectedSummary {
      StandardError.print(TextWidth.printable("\(outcome.input.name): \(summary)"))
    }
    if let error = outcome.error, outcome.status != .skipped || error.isInputOutput {
      StandardError.print(TextWidth.printable(error.description(in: outcome.input.name)))
    }
  }

  private func count(_ outcome: Importer.Outcome) {
    tally.inputs += 1
    if outcome.status != .skipped, let folder = outcome.input.folder {
      fruitfulFolders.insert(folder)
    }
    switch outcome.status {
    case .imported: tally.imported += 1
    case .duplicate: tally.duplicates += 1
    case .skipped: tally.skipped += 1
    case .failed:
      tally.failures.append(outcome.error?.exitStatus ?? .badData)
      return
    }
    tally.succeeded += 1
  }

  private func summarise() {
    for path in invocation.operands
    where TrackInput.isFolder(path) && !fruitfulFolders.contains(path) {
      StandardError.print(TextWidth.printable("no GPX or NMEA file in \(path)"))
    }
    guard !settings.json, tally.inputs > 1 else { return }
    var parts = ["\(tally.imported) \(isDryRun ? "new" : "imported")"]
    if tally.duplicates > 0 { parts.append("\(tally.duplicates) already there") }
    if tally.skipped > 0 { parts.append("\(tally.skipped) skipped") }
    if !tally.failures.isEmpty { parts.append("\(tally.failures.count) failed") }
    StandardError.print(parts.joined(separator: ", "))
  }

  private var status: ExitStatus {
    guard let first = tally.failures.first else { return .success }
    return tally.succeeded > 0 ? .partialFailure : first
  }
}

extension IngestError {
  /// The status to leave with where nothing else was done.
  var exitStatus: ExitStatus {
    switch code {
    case .malformed, .notARecording, .unknownFormat, .noDate: .badData
    case .io(let code): code == 2 || code == 20 ? .noInput : .inputOutput
    }
  }
}

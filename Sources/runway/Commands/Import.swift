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
      others go on.

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
    // All of the command line is checked before anything is touched.
    _ = try settings.mission(invocation)
    var options = ReadOptions()
    options.flight = try settings.flightOptions(invocation)
    options.salvage = invocation.has(.salvage)
    let date = try settings.date(invocation)
    options.date = date?.start
    options.decoding.format = try invocation.choice(.trackFormat)
    options.decoding.join = invocation.has(.join)
    options.decoding.date = date?.anchor

    let logbook = try isDryRun ? settings.openForReading() : settings.openForWriting()
    let mission = try settings.namedMission(invocation, in: logbook)
    options.mission = mission.mission

    let importer = Importer(
      logbook: logbook, options: options, missionName: mission.name,
      force: invocation.has(.force), isDryRun: isDryRun
    ) { [self] outcomes, isLast in
      for outcome in outcomes { try show(outcome, logbook: logbook) }
      if !isLast, StandardError.isTerminal {
        StandardError.progress("\(tally.inputs) read, \(tally.imported) flights imported …")
      }
      try StandardOutput.shared.flush()
    }
    // They are read as long as they live.
    var spools: [Spool] = []
    var tracks: [TrackInput] = []
    for input in TrackInput.find(invocation.operands) {
      if input.isDatabase {
        try await importer.run(tracks)
        tracks = []
        try merge(input, into: logbook)
      } else if input.isRegularFile {
        tracks.append(input)
      } else {
        let spool = try Spool(of: input, decoding: options.decoding)
        spools.append(spool)
        tracks.append(spool.input)
      }
    }
    try await importer.run(tracks)
    StandardError.clearProgress()
    summarise()
    return status
  }

  /// Takes in the flights of another logbook.
  private func merge(_ input: TrackInput, into logbook: Logbook) throws {
    do {
      let force = invocation.has(.force)
      let flights =
        try isDryRun
        ? logbook.rehearseMerge(from: input.path, force: force)
        : logbook.merge(from: input.path, force: force)
      let source = isDryRun ? try Logbook(.file(input.path), readOnly: true) : logbook
      for id in flights.stored {
        try show(
          Importer.Outcome(input: input, status: .imported, flight: source.flight(id)),
          logbook: logbook)
      }
      for known in flights.duplicates {
        try show(
          Importer.Outcome(
            input: input, status: .duplicate, flight: logbook.flight(known.existing)),
          logbook: logbook)
      }
    } catch let error as LogbookError {
      guard let fault = fault(error, of: input) else { throw error }
      try show(
        Importer.Outcome(
          input: input,
          status: input.foundInFolder && fault.code == .unknownFormat ? .skipped : .failed,
          error: fault),
        logbook: logbook)
    }
  }

  /// What is wrong with a logbook that was to be taken in; `nil` where the fault is not its own.
  private func fault(_ error: LogbookError, of input: TrackInput) -> IngestError? {
    switch error.code {
    case .corrupt:
      return IngestError(.unknownFormat, reason: "it is a damaged database")
    case .notADatabase, .foreign, .newer:
      // The path stands before the reason already.
      let name = input.path + " "
      let clause = error.message.hasPrefix(name) ? "it \(error.message.dropFirst(name.count))" : nil
      return IngestError(.unknownFormat, reason: clause ?? error.message)
    default:
      // Every message names the file it is about.
      guard error.message.contains(input.path) else { return nil }
      return IngestError(.io(errno: EIO), reason: error.message)
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
    if let error = outcome.error {
      if outcome.status == .failed || error.isInputOutput {
        StandardError.print(TextWidth.printable(error.description(in: outcome.input.name)))
      }
      return
    }
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

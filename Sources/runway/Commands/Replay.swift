internal import Glibc
internal import RunWayIngest
internal import RunWayLogbook
internal import RunWayModel
internal import RunWayTracking

extension CommandSpec {
  private static let speed = OptionSpec(
    "speed", argument: "X", help: "fly at X times the track's own speed (as it arrives)")
  private static let resume = OptionSpec(
    "resume", help: "go on with the flight interrupted last, on its own mission")
  private static let flight = OptionSpec(
    "flight", argument: "FLIGHT", values: .flight,
    help: "fly a stored flight again, without touching it")
  private static let store = OptionSpec(
    "store", help: "with --flight: put what is found in place of what is stored")
  private static let noStore = OptionSpec("no-store", help: "keep nothing in the logbook")

  static let replay = CommandSpec(
    "replay", operands: "[PATH]", .path, operandCount: 0...1,
    summary: "fly a track live, with callouts as they happen",
    discussion: """
      Flies what comes on standard input, or PATH, and stores it as it goes: whatever
      happens, what is older than a second is in the logbook. Ctrl-C touches down.

      A flight that was cut off stays interrupted until the next command that writes to
      the logbook, which closes it where it was cut off. --resume goes on with it before
      that, with what begins within 24 hours of its last location.

        cat /dev/ttyACM0 | runway replay --pace 5:30 --distance 10km
        runway replay --speed 10 run.gpx
        runway replay --flight latest --pace 5:00
      """,
    options: OptionSpec.missionOptions + [
      speed, flight, store, resume, noStore, .force, .join, .salvage, .date, .maxSpeed,
      .trackFormat,
    ],
    run: { invocation in
      let settings = try Settings(invocation)
      try settings.checkMission(invocation, isBased: invocation.has(flight))
      let factor = try invocation.value(speed, expected: "a number above 0, such as 10") { text in
        ValueParsing.number(text).flatMap { $0 > 0 && $0 <= 1e6 ? $0 : nil }
      }
      if let word = invocation.value(flight) {
        guard invocation.operands.isEmpty else {
          throw UsageError("--flight goes with no path")
        }
        try invocation.refuse(
          [speed, resume, noStore, .force, .join, .salvage, .date, .trackFormat], beside: flight)
        return try Rejudgement(invocation, settings: settings)
          .run(word, stores: invocation.has(store))
      }
      if invocation.has(store) { throw UsageError("--store goes with --flight") }
      if invocation.has(resume) {
        if (OptionSpec.missionOptions + [.maxSpeed]).contains(where: invocation.has) {
          throw UsageError("--resume goes on with the flight's own mission")
        }
        try invocation.refuse([noStore], beside: resume)
      }
      return try await Replay(
        invocation, settings: settings, speed: factor, isResuming: invocation.has(resume),
        stores: !invocation.has(noStore)
      ).run()
    })
}

/// `runway replay` of a stream.
@MainActor private final class Replay {
  private let settings: Settings
  private let invocation: Invocation
  private let speed: Double?
  private let isResuming: Bool
  private let stores: Bool
  private let path: String
  private var output: FlightEventOutput
  /// How many locations are stored of the flight to go on with.
  private var flownBefore = 0
  /// Why nothing can be printed any more.
  private var outputFault: (any Error)?

  init(
    _ invocation: Invocation, settings: Settings, speed: Double?, isResuming: Bool, stores: Bool
  ) throws {
    self.invocation = invocation
    self.settings = settings
    self.speed = speed
    self.isResuming = isResuming
    self.stores = stores
    path = invocation.operands.first ?? "-"
    output = FlightEventOutput(settings: settings)
  }

  func run() async throws -> ExitStatus {
    var options = ReadOptions()
    options.flight = try settings.flightOptions(invocation)
    let date = try settings.date(invocation)
    options.date = date?.start
    options.decoding.format = try invocation.choice(.trackFormat)
    options.decoding.join = invocation.has(.join)
    options.salvage = invocation.has(.salvage)
    options.decoding.date = date?.anchor
    let input = TrackInput(name: path, path: path)
    if path != "-", try settings.isPartOfLogbook(path) {
      throw UsageError("\(path) is the logbook itself")
    }
    if date == nil, !input.isRegularFile {
      // A receiver that never tells the date is flown today.
      options.decoding.date = settings.now
    }

    // Whatever is missing is found before a logbook is made.
    let pending = try await patiently { try PendingLogbook(settings) }
    let known = pending.logbook
    let (mission, missionName) = try settings.namedMission(invocation, in: known)
    options.mission = mission
    let latest = isResuming ? try latestInterrupted(in: known) : nil
    let stop = StopSignal.listen()
    let chunks: ByteChunks
    do throws(IngestError) {
      chunks = try ByteChunks(path: path, stopDescriptor: stop)
    } catch {
      StandardError.print(TextWidth.printable(error.description(in: path)))
      return error.exitStatus
    }

    // A live flight must not find out on the way that nothing can be stored; a file may still be no track.
    if stores, !known.isMissing || !input.isRepeatable {
      _ = try await patiently { try pending.forWriting(besides: latest) }
    }
    var landings = FlightLandings(path: path, logbook: pending, date: options.date)
    var resumed: LiveFlight?
    var before: InterruptedFlight?
    if isResuming {
      let logbook = pending.logbook
      let id = try latestInterrupted(in: logbook)
      resumed = try await takeOver(id, in: logbook)
      let flight = try logbook.flight(id)
      (landings.resumed, before) = (flight, try prepare(&options, toResume: flight, in: logbook))
    }
    let reader = LiveReader(
      chunks: chunks, options: options, keepsBroken: options.salvage || !input.isRepeatable,
      speed: speed, wantsSnapshots: settings.json || StandardError.isTerminal, resuming: before)
    try await fly(
      reader, options, missionName, logbook: pending, resuming: resumed, landings: &landings)
    if let outputFault { throw outputFault }
    return landings.status
  }

  /// The flight that was interrupted last.
  private func latestInterrupted(in logbook: Logbook) throws -> FlightID {
    guard let id = try logbook.interruptedFlights().last else {
      throw CommandError("there is no interrupted flight to go on with", status: .noInput)
    }
    return id
  }

  /// Prepares to read what goes on with a flight.
  private func prepare(
    _ options: inout ReadOptions, toResume flight: Flight?, in logbook: Logbook
  ) throws -> InterruptedFlight? {
    guard let flight else { return nil }
    options.mission = flight.mission
    options.flight = flight.options
    // A file goes on about where it was cut off; a receiver tells the time of now.
    options.decoding.date = options.decoding.date ?? flight.totals.endedAt
    var locations: [Location] = []
    try logbook.forEachCoordinateBatch(of: flight.id) { locations += $0.map(\.location) }
    var interrupted = InterruptedFlight(locations: locations, rejected: flight.rejected)
    if TrackInput(name: path, path: path).isRepeatable {
      interrupted.findTrack(in: path == "-" ? "/dev/stdin" : path, options: options.decoding)
    }
    flownBefore = locations.count
    return interrupted
  }

  /// Takes over an interrupted flight, unless another process has come before.
  private func takeOver(_ id: FlightID, in logbook: Logbook) async throws -> LiveFlight {
    try await patiently {
      guard try logbook.interruptedFlights().contains(id) else {
        throw CommandError(
          "flight \(id.rawValue.prefix(8)) is being flown by another process",
          status: .inputOutput)
      }
      return try logbook.resume(id)
    }
  }

  /// Tries again for as long as another process is writing to the logbook.
  private func patiently<Value>(_ body: () throws -> Value) async throws -> Value {
    var hasTold = false
    while true {
      do {
        return try body()
      } catch let error as LogbookError where error.code == .busy {
        if !hasTold { StandardError.print("runway: \(error.message); waiting") }
        hasTold = true
        try await Task.sleep(for: .milliseconds(100))
      }
    }
  }

  /// Prints; where nobody reads any more, the flight goes on all the same.
  private func show(_ body: (inout FlightEventOutput) throws -> Void) {
    guard outputFault == nil else { return }
    do {
      try body(&output)
    } catch {
      outputFault = error
      let reason = (error as? CommandError)?.message ?? "\(error)"
      StandardError.print("runway: \(reason); the flight goes on")
    }
  }

  private func tellResumption(of id: FlightID) {
    let flown = Plural.of(flownBefore, "location")
    StandardError.print("runway: going on with flight \(id.rawValue.prefix(8)), \(flown) flown")
  }

  /// Tells what has happened on a flight.
  private func tell(_ events: [FlightEvent], _ data: FlightData? = nil, of flight: NewFlight) {
    show { output throws in
      try output.show(
        events, data: data, mission: flight.mission, named: flight.missionName,
        flight: stores ? flight.id : nil)
    }
  }

  private func fly(
    _ reader: LiveReader, _ options: ReadOptions, _ missionName: String?, logbook: PendingLogbook,
    resuming resumed: LiveFlight?, landings: inout FlightLandings
  ) async throws {
    var resumed = resumed
    var recorder: LiveRecorder?
    var head = NewFlight()
    var hasBegun = false
    for await piece in ReadAhead(reader) {
      switch piece {
      case .began(let info, let format, let resumes, let takeoff):
        hasBegun = true
        if resumes, let resumed { tellResumption(of: resumed.id) }
        head = NewFlight(
          id: resumes ? resumed?.id ?? FlightID() : FlightID(), name: info.name, type: info.type,
          source: FlightSource(
            path: path, format: format, creator: info.creator),
          mission: options.mission,
          missionName: resumes ? landings.resumed?.missionName : missionName,
          options: options.flightOptions(for: info), calories: info.calories,
          date: options.date ?? info.date)
        if stores {
          recorder = LiveRecorder(
            logbook: try await patiently { try logbook.forWriting() }, header: head,
            force: invocation.has(.force),
            resuming: resumes ? resumed : nil)
          if resumes { resumed = nil }
        }
        if let takeoff { tell([takeoff], of: head) }
      case .flown(let locations, let update, let data):
        tell(update.events, data, of: head)
        recorder?.add(locations, update: update, data: data)
        try await recorder?.makeRoom()
      case .redated(let shift):
        recorder?.redate(byMicroseconds: shift)
      case .noted(let report):
        landings.tell(report.notes)
      case .rejected(let counts):
        recorder?.add(rejected: counts)
      case .ended(let finished, let update):
        tell(update.events, of: head)
        let landing = try await landings.land(finished, update, head, recorder: recorder)
        recorder = nil
        if let landing {
          show { output throws in try output.show(landing) }
          landings.tellRest(of: finished.ingest, landing)
        }
      case .abandoned:
        try landings.abandon(recorder)
        recorder = nil
      case .closed(let error):
        if let error { landings.close(error, salvage: options.salvage) }
      }
    }
    if let resumed, hasBegun { landings.missed(resumed.id) }
  }
}

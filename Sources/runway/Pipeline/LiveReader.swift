internal import RunWayIngest
internal import RunWayModel
internal import RunWayTracking

/// One piece of what a live reader finds, as soon as its last byte has come.
enum LivePiece: Sendable {
  case began(TrackInfo, TrackFormat?)
  /// Locations of the flight, what they brought about, and where the flight stands after them.
  case flown([Location], FlightUpdate, FlightData)
  case redated(byMicroseconds: Int64)
  /// More was passed over.
  case noted(IngestReport)
  /// More of the source could not be used: the counts by reason so far.
  case rejected([String: Int])
  case ended(FinishedFlight, FlightUpdate)
  /// The source turned out broken: nothing of it is to be kept.
  case abandoned
  case closed(format: TrackFormat?, error: IngestError?)
}

/// Flies a track as it arrives.
actor LiveReader {
  /// What the flight began with, where it goes on with an interrupted one.
  private var resumed: InterruptedFlight?
  private let options: ReadOptions
  private let wantsSnapshots: Bool
  private let center = RunningCenter()
  /// Waits for bytes on a thread of its own, so that none of the shared ones is held up by a silent pipe.
  private let chunks: ByteChunkSequence
  private var decoder: TrackDecoder
  private var pacer: FlightPacer<ContinuousClock>?
  private var prefix = ResumedPrefix()
  private var resumedHead: ResumedHead?
  /// What of the source could not be used, as it was last told.
  private var toldRejected: [String: Int] = [:]
  private var isClosed = false

  /// Decoded and not flown.
  private var elements: [TrackElement] = []
  private var nextElement = 0
  private var nextLocation = 0
  private var fault: IngestError?
  private var isAtEnd = false
  private var isAbandoned = false
  private var noted = IngestReport()

  init(
    chunks: ByteChunks, options: ReadOptions, speed: Double?, wantsSnapshots: Bool,
    resuming interrupted: InterruptedFlight? = nil
  ) {
    self.chunks = chunks.async()
    self.options = options
    self.wantsSnapshots = wantsSnapshots
    resumed = interrupted
    resumedHead = interrupted.map { _ in ResumedHead() }
    decoder = TrackDecoder(options.decoding)
    pacer = speed.map { FlightPacer(factor: $0, clock: ContinuousClock()) }
  }

  /// The next piece, or `nil` at the end.
  func next() async -> LivePiece? {
    while true {
      if nextElement < elements.count {
        if let piece = await fly() { return piece }
        continue
      }
      elements.removeAll(keepingCapacity: true)
      nextElement = 0
      let rejected = prefix.rejected(with: decoder.report.rejected)
      if rejected != toldRejected {
        toldRejected = rejected
        return .rejected(rejected)
      }
      if isClosed { return nil }
      if isAbandoned {
        isAbandoned = false
        return .abandoned
      }
      if isAtEnd {
        isClosed = true
        return .closed(format: decoder.format, error: fault)
      }
      await read()
      if let resumedHead = self.resumedHead {
        self.resumedHead = resumedHead.settle(&elements, isDated: decoder.isDated || isAtEnd)
      }
      let report = decoder.report
      if report.notes != noted.notes {
        noted = report
        return .noted(report)
      }
    }
  }

  /// Reads and decodes what has arrived, waiting for at least a byte.
  private func read() async {
    do throws(IngestError) {
      // Single-pass: an iterator goes on where the last one stood.
      var iterator = chunks.makeAsyncIterator()
      guard let bytes = try await iterator.next(isolation: self) else {
        isAtEnd = true
        return try decoder.finish(into: &elements)
      }
      try decode(bytes)
    } catch {
      isAtEnd = true
      // A document that a signal cut short is not broken.
      if error.code == .malformed, StopSignal.hasCome {
        return decoder.salvage(into: &elements)
      }
      fault = error
      // What a receiver sent before its line went dead was flown; a broken document is no recording.
      isAbandoned = !options.salvage && !error.isInputOutput
      if !isAbandoned { decoder.salvage(into: &elements) }
    }
  }

  private func decode(_ bytes: [UInt8]) throws(IngestError) {
    let decoded = bytes.withUnsafeBytes { bytes in
      Result { () throws(IngestError) in try decoder.consume(bytes, into: &elements) }
    }
    try decoded.get()
  }

  /// Flies the next element, or the next location of a paced one.
  private func fly() async -> LivePiece? {
    let element = elements[nextElement]
    if case .locations(let batch) = element, pacer != nil {
      return await flyPaced(batch)
    }
    nextElement += 1
    switch element {
    case .began(let info):
      toldRejected = [:]
      await center.takeoff(
        mission: options.mission, options: options.flightOptions(for: info),
        snapshots: wantsSnapshots)
      if let before = resumed {
        resumed = nil
        _ = await center.process(before.locations)
        prefix = ResumedPrefix(before)
      }
      return .began(info, decoder.format)
    case .locations(let batch):
      return await fly(batch)
    case .redated where !prefix.isEmpty:
      // It would move what was stored with the right date; what came without one stays behind.
      return nil
    case .redated(let shift):
      await center.redate(byMicroseconds: shift)
      return .redated(byMicroseconds: shift)
    case .ended(let info, let ingest):
      let (update, report) = await center.touchdown()
      var ingest = ingest
      ingest.rejected = prefix.rejected(with: ingest.rejected)
      prefix = ResumedPrefix()
      return .ended(FinishedFlight(report: report, info: info, ingest: ingest), update)
    }
  }

  private func flyPaced(_ batch: [Location]) async -> LivePiece? {
    guard nextLocation < batch.count, !StopSignal.hasCome else {
      nextLocation = 0
      nextElement += 1
      return nil
    }
    let location = batch[nextLocation]
    nextLocation += 1
    if var pacer {
      await pacer.wait(for: location.time) { StopSignal.hasCome }
      self.pacer = pacer
    }
    return await fly([location])
  }

  private func fly(_ batch: [Location]) async -> LivePiece? {
    let batch = prefix.isEmpty ? batch : prefix.continuation(of: batch)
    guard !batch.isEmpty else { return nil }
    let update = await center.process(batch)
    return .flown(batch, update, await center.data)
  }
}

/// What an interrupted flight holds.
struct InterruptedFlight: Sendable {
  var locations: [Location] = []
  /// What of its source could not be used, by reason.
  var rejected: [String: Int] = [:]
}

extension IngestError {
  /// Whether the source could not be read, as against being wrong.
  var isInputOutput: Bool {
    if case .io = code { true } else { false }
  }
}

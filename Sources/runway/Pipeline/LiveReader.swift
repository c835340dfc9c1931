internal import RunWayIngest
internal import RunWayModel
internal import RunWayTracking

/// One piece of what a live reader finds, as soon as its last byte has come.
enum LivePiece: Sendable {
  /// A flight begins, or goes on with the interrupted one, of which the takeoff is told again.
  case began(TrackInfo, TrackFormat?, resumes: Bool, takeoff: FlightEvent?)
  /// Locations of the flight, what they brought about, and where the flight stands after them.
  case flown([Location], FlightUpdate, FlightData)
  case redated(byMicroseconds: Int64)
  /// More was passed over.
  case noted(IngestReport)
  /// More of the source could not be used: the counts by reason so far.
  case rejected([String: Int])
  case ended(FinishedFlight, FlightUpdate)
  /// The source turned out broken: nothing of the flight under way is to be kept.
  case abandoned
  case closed(IngestError?)
}

/// Flies a track as it arrives.
actor LiveReader {
  /// The flight to go on with, until a track does.
  private var interrupted: InterruptedFlight?
  /// Whether the flight under way goes on with it.
  private var isResuming = false
  private var trackCount = 0
  /// A track that may go on with it, which its first locations tell.
  private var heldTrack: (info: TrackInfo, locations: [Location])?
  /// Whether what was flown before a fault of the source is kept.
  private let keepsBroken: Bool
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
  private var isFaultSettled = false
  private var hasFlown = false
  private var noted = IngestReport()

  /// Makes a reader that has read nothing.
  ///
  /// - Parameters:
  ///   - chunks: The source.
  ///   - options: How it is read and judged.
  ///   - keepsBroken: Whether what was flown before a fault of the source is kept.
  ///   - speed: How many times as fast as the track to fly; `nil` for as it arrives.
  ///   - wantsSnapshots: Whether updates carry snapshots.
  ///   - interrupted: A flight to go on with.
  init(
    chunks: ByteChunks, options: ReadOptions, keepsBroken: Bool, speed: Double?,
    wantsSnapshots: Bool, resuming interrupted: InterruptedFlight? = nil
  ) {
    self.chunks = chunks.async()
    self.options = options
    self.keepsBroken = keepsBroken
    self.wantsSnapshots = wantsSnapshots
    self.interrupted = interrupted
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
      if let fault, !isFaultSettled {
        isFaultSettled = true
        if keeps(fault) || isResuming || heldTrack != nil {
          decoder.salvage(into: &elements)
        } else if hasFlown {
          return .abandoned
        }
        continue
      }
      if isAtEnd {
        isClosed = true
        return .closed(fault)
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
      if decoder.hasBacklog { return try decoder.consumeBacklog(into: &elements) }
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
    }
  }

  /// Whether what was flown before a fault is kept.
  ///
  /// What a receiver sent before its line went dead was flown; a broken document is no recording.
  private func keeps(_ fault: IngestError) -> Bool { keepsBroken || fault.isInputOutput }

  private func decode(_ bytes: [UInt8]) throws(IngestError) {
    let decoded = bytes.withUnsafeBytes { bytes in
      Result { () throws(IngestError) in try decoder.consume(bytes, into: &elements) }
    }
    try decoded.get()
  }

  /// Flies the next element, or the next location of a paced one.
  private func fly() async -> LivePiece? {
    let element = elements[nextElement]
    if let heldTrack { return await settle(heldTrack.info, before: element) }
    if case .locations(let batch) = element, pacer != nil {
      return await flyPaced(batch)
    }
    nextElement += 1
    switch element {
    case .began(let info):
      trackCount += 1
      if interrupted != nil {
        heldTrack = (info, [])
        return nil
      }
      return await takeOff(info, resumes: false)
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
      isResuming = false
      hasFlown = false
      return .ended(FinishedFlight(report: report, info: info, ingest: ingest), update)
    }
  }

  /// Tells by what follows the beginning of a track whether it goes on with the interrupted flight.
  private func settle(_ info: TrackInfo, before element: TrackElement) async -> LivePiece? {
    var locations = heldTrack?.locations ?? []
    var isAtItsEnd = false
    switch element {
    case .locations(let batch): locations += batch
    // None of those that are held and can be used bears a time.
    case .redated: break
    case .began, .ended: isAtItsEnd = true
    }
    let isEnough = isAtItsEnd || locations.count >= LiveRecorder.mostPending
    guard let head = InterruptedFlight.head(of: locations, isWhole: isEnough) else {
      heldTrack = (info, locations)
      nextElement += 1
      return nil
    }
    if isAtItsEnd {
      elements.insert(.locations(locations), at: nextElement)
    } else {
      elements[nextElement] = .locations(locations)
    }
    heldTrack = nil
    let goesOn =
      !head.isEmpty
      && interrupted?.goesOn(inTrack: trackCount - 1, from: head, of: decoder.format) == true
    if let fault, isFaultSettled, !goesOn, !keeps(fault) {
      // Salvaged only to see whether it does.
      nextElement = elements.count
      return nil
    }
    return await takeOff(info, resumes: goesOn)
  }

  private func takeOff(_ info: TrackInfo, resumes: Bool) async -> LivePiece {
    toldRejected = [:]
    var takeoff: FlightEvent?
    await center.takeoff(
      mission: options.mission, options: options.flightOptions(for: info),
      snapshots: wantsSnapshots)
    if resumes, let before = interrupted {
      interrupted = nil
      isResuming = true
      takeoff = await center.process(before.locations).events.first
      prefix = ResumedPrefix(before)
    }
    return .began(info, decoder.format, resumes: resumes, takeoff: takeoff)
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
    hasFlown = true
    let update = await center.process(batch)
    return .flown(batch, update, await center.data)
  }
}

extension IngestError {
  /// Whether the source could not be read, as against being wrong.
  var isInputOutput: Bool {
    if case .io = code { true } else { false }
  }
}

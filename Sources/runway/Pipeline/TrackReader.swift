internal import RunWayIngest
internal import RunWayModel
internal import RunWayTracking

/// How tracks are read and judged.
struct ReadOptions: Sendable {
  var decoding = TrackDecoder.Options()
  var mission: Mission?
  /// `nil` where the source may say, else the defaults.
  var flight: FlightOptions?
  /// Keep what stands before a fault.
  var salvage = false
  /// The date of tracks that bear none.
  var date: Timestamp?

  /// How a track is judged: as was asked for, else as the flight it was exported from, else by default.
  func flightOptions(for info: TrackInfo) -> FlightOptions {
    flight ?? FlightOptions(maxSpeed: info.maxSpeed ?? FlightOptions.defaultMaxSpeed)
  }
}

/// A flight that has touched down, without its locations.
struct FinishedFlight: Sendable {
  var report: FlightReport
  var info: TrackInfo
  var ingest: IngestReport

  /// Whether any location bears a time.
  var isTimed: Bool { report.totals.startedAt != nil }
  /// Whether any location could be used.
  var hasLocations: Bool { report.totals.coordinateCount > 0 }
}

/// One piece of what a reader finds, sized for a hand-over between actors.
enum TrackPiece: Sendable {
  /// An input is about to be read.
  case opened(TrackInput)
  /// A flight short enough to be handed over whole.
  case flight(FinishedFlight, locations: [Location], discards: [Discard])
  /// A long flight begins.
  case began(TrackInfo)
  /// The next locations of the long flight, and verdicts on these and earlier ones.
  case rows([Location], discards: [Discard])
  /// All times of the long flight so far move.
  case redated(byMicroseconds: Int64)
  /// The long flight ends.
  case ended(FinishedFlight, discards: [Discard])
  /// The input has been read, or could not be; the notes say what of its last track was passed over.
  case closed(format: TrackFormat?, error: IngestError?, notes: [IngestReport.Note] = [])
}

/// Reads inputs one after the other: bytes to locations to measured flights, away from the main actor.
actor TrackReader {
  private let inputs: [TrackInput]
  private let options: ReadOptions
  private let center = RunningCenter()

  private var nextInput = 0
  private var source: OpenSource?
  private var flight = HeldFlight()
  /// What has been found and not been asked for.
  private var pieces: [TrackPiece] = []
  /// The locations among it, and what inputs count for.
  private var pendingLocations = 0

  /// What is read at the moment.
  private struct OpenSource {
    var chunks: ByteChunks
    var decoder: TrackDecoder
  }

  /// The locations of the open flight that have not been handed over.
  private struct HeldFlight {
    var info = TrackInfo()
    var locations: [Location] = []
    var discards: [Discard] = []
    /// Its beginning has been handed over.
    var isLong = false
  }

  /// So many locations are handed over at a time: few enough to bound memory (about 0.3 MB), enough to
  /// make the hop between actors cheap.
  private static let pieceLimit = 2_048
  /// An input counts as so many locations, so that what is wrong with many is not told after the last one only.
  private static let inputWeight = 64

  init(_ inputs: [TrackInput], options: ReadOptions) {
    self.inputs = inputs
    self.options = options
  }

  /// The next pieces, enough of them to be worth the hop between actors; none after the last input.
  func next() async -> [TrackPiece] {
    while pendingLocations < TrackReader.pieceLimit, await advance() {}
    pendingLocations = 0
    defer { pieces.removeAll() }
    return pieces
  }

  /// Reads on until something may have been found; `false` at the very end.
  private func advance() async -> Bool {
    if source == nil {
      guard nextInput < inputs.count else { return false }
      let input = inputs[nextInput]
      nextInput += 1
      pieces.append(.opened(input))
      pendingLocations += TrackReader.inputWeight
      do throws(IngestError) {
        if let fault = input.fault { throw fault }
        source = OpenSource(
          chunks: try ByteChunks(path: input.path),
          decoder: TrackDecoder(options.decoding))
      } catch {
        pieces.append(.closed(format: nil, error: error))
        return true
      }
    }
    await readChunk()
    return true
  }

  private func readChunk() async {
    var elements: [TrackElement] = []
    var isAtEnd = false
    var fault: IngestError?
    do throws(IngestError) {
      isAtEnd = try decodeChunk(into: &elements)
    } catch {
      fault = error
      if options.salvage { source?.decoder.salvage(into: &elements) }
    }
    for element in elements { await take(element) }
    guard isAtEnd || fault != nil, let finished = source else { return }
    let notes = finished.decoder.report.notes
    pieces.append(.closed(format: finished.decoder.format, error: fault, notes: notes))
    source = nil
    flight = HeldFlight()
  }

  /// Decodes the next chunk, or the end; `true` at the end.
  private func decodeChunk(into elements: inout [TrackElement]) throws(IngestError) -> Bool {
    guard var open = source else { return true }
    // Taken out while it is worked on, so that its buffers are not copied.
    source = nil
    defer { source = open }
    if try open.decoder.consumeNext(of: &open.chunks, into: &elements) { return false }
    try open.decoder.finish(into: &elements)
    return true
  }

  private func take(_ element: TrackElement) async {
    switch element {
    case .began(let info):
      flight = HeldFlight(info: info)
      await center.takeoff(mission: options.mission, options: options.flightOptions(for: info))
    case .locations(let batch):
      let update = await center.process(batch)
      flight.discards += update.discards
      flight.locations += batch
      if flight.locations.count >= TrackReader.pieceLimit { handOver() }
    case .redated(let shift):
      await center.redate(byMicroseconds: shift)
      for index in flight.locations.indices {
        flight.locations[index].time = flight.locations[index].time?
          .shifted(byMicroseconds: shift)
      }
      if flight.isLong { pieces.append(.redated(byMicroseconds: shift)) }
    case .ended(let info, let ingest):
      let (update, report) = await center.touchdown()
      let finished = FinishedFlight(report: report, info: info, ingest: ingest)
      flight.discards += update.discards
      if flight.isLong {
        handOver()
        pieces.append(.ended(finished, discards: flight.discards))
      } else {
        pendingLocations += flight.locations.count
        pieces.append(
          .flight(finished, locations: flight.locations, discards: flight.discards))
      }
      flight = HeldFlight()
    }
  }

  private func handOver() {
    if !flight.isLong { pieces.append(.began(flight.info)) }
    flight.isLong = true
    pieces.append(.rows(flight.locations, discards: flight.discards))
    pendingLocations += flight.locations.count
    flight.locations.removeAll(keepingCapacity: true)
    flight.discards.removeAll(keepingCapacity: true)
  }
}

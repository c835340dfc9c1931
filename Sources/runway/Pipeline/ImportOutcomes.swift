internal import RunWayIngest
internal import RunWayLogbook
internal import RunWayModel

/// What became of the flights of one input, in their order.
///
/// They wait for the input's end. The first few are held whole; of more, of which a file of some megabytes may hold a
/// hundred thousand, only what finds them in the logbook again.
@MainActor struct ImportOutcomes {
  private let input: TrackInput
  private var first: [Importer.Outcome] = []
  private var rest: [Brief] = []
  /// What the input is.
  var format: TrackFormat?
  /// What broke the input off behind what is kept of it.
  var fault: IngestError?

  private enum Brief {
    case imported(FlightID)
    case duplicate(FlightID)
    indirect case failed(IngestError)

    var hasFailed: Bool {
      if case .failed = self { true } else { false }
    }
  }

  private static let mostWhole = 128

  init(of input: TrackInput) {
    self.input = input
  }

  /// Whether anything of the input is stored, or was known.
  var hasFlights: Bool {
    first.contains { $0.status != .failed } || rest.contains { !$0.hasFailed }
  }

  /// Adds an outcome.
  ///
  /// - Parameters:
  ///   - outcome: What became of the next flight.
  ///   - isRehearsed: Whether no logbook holds it.
  mutating func append(_ outcome: Importer.Outcome, isRehearsed: Bool = false) {
    guard first.count >= Self.mostWhole, !isRehearsed else { return first.append(outcome) }
    if let id = outcome.flight?.id {
      rest.append(outcome.status == .imported ? .imported(id) : .duplicate(id))
    } else if let error = outcome.error {
      rest.append(.failed(error))
    }
  }

  /// Gives each outcome, whole.
  ///
  /// - Parameters:
  ///   - logbook: Where the flights are stored.
  ///   - body: Takes an outcome.
  /// - Throws: A `LogbookError`, or what `body` throws.
  func forEach(in logbook: Logbook, _ body: (Importer.Outcome) throws -> Void) throws {
    let lastWhole = first.lastIndex { $0.status != .failed }
    let lastBrief = rest.lastIndex { !$0.hasFailed }
    for (index, outcome) in first.enumerated() {
      var outcome = outcome
      outcome.flight?.source.format = format
      if lastBrief == nil, index == lastWhole, let fault { outcome.error = fault }
      try body(outcome)
    }
    for (index, brief) in rest.enumerated() {
      var outcome = try outcome(brief, in: logbook)
      if index == lastBrief { outcome.error = fault }
      try body(outcome)
    }
  }

  private func outcome(_ brief: Brief, in logbook: Logbook) throws -> Importer.Outcome {
    switch brief {
    case .imported(let id):
      let flight = try logbook.flight(id) ?? Flight(id: id)
      var outcome = Importer.Outcome(input: input, status: .imported, flight: flight)
      outcome.ingest.rejected = flight.rejected
      return outcome
    case .duplicate(let id):
      return Importer.Outcome(input: input, status: .duplicate, flight: Flight(id: id))
    case .failed(let error):
      return Importer.Outcome(input: input, status: .failed, error: error)
    }
  }
}

internal import RunWayLogbook
internal import RunWayModel

/// Says what of a stored flight differs from what its coordinates amount to.
@MainActor struct FlightComparison {
  /// A sentence for each difference; none where all agrees.
  private(set) var differences: [String] = []
  /// Whether the coordinates are those that were recorded.
  ///
  /// Where they are not, what else is stored tells more of the recording than they do, and is not compared with them.
  let hasRecordedCoordinates: Bool

  /// Compares a flight.
  ///
  /// - Parameters:
  ///   - flight: The flight, as it is stored.
  ///   - again: What was found by flying it again.
  ///   - logbook: Where it is stored.
  /// - Throws: A `LogbookError`.
  init(_ flight: Flight, _ again: FlightRecovery.Result, in logbook: Logbook) throws {
    let report = again.report
    let fingerprint = try logbook.fingerprint(of: flight.id)
    hasRecordedCoordinates = fingerprint == nil || fingerprint == report.fingerprint
    guard hasRecordedCoordinates else {
      differences.append("the coordinates are not those that were recorded")
      return
    }
    if fingerprint == nil { differences.append("no fingerprint is stored") }
    compare(stored: again.storedDiscards, computed: again.discards)
    compare("", stored: Self.members(of: flight.totals), computed: Self.members(of: report.totals))
    // As a report has them.
    let alerts = try logbook.alerts(of: flight.id).sorted { $0.number < $1.number }
    compareRows("alert", stored: alerts, computed: report.alerts, name: { "\($0.number &+ 1)" }) {
      Self.members(of: $0)
    }
    for (unit, computed) in [
      (SplitUnit.kilometer, report.kilometerSplits), (.mile, report.mileSplits),
    ] {
      let stored = try logbook.splits(of: flight.id, unit: unit)
      compareRows("\(unit.rawValue) split", stored: stored, computed: computed) {
        "\($0.index)"
      } members: {
        Self.members(of: $0)
      }
    }
    let efforts = try logbook.bestEfforts(of: flight.id)
    compareRows(
      "best effort", stored: efforts, computed: report.bestEfforts, name: { $0.kind.rawValue }
    ) {
      [("elapsedTime", "\($0.elapsedTime)"), ("startDistance", "\($0.startDistance.meters)")]
    }
  }

  // MARK: Comparing

  private typealias Members = [(name: String, value: String?)]

  private mutating func compare(_ owner: String, stored: Members, computed: Members) {
    for (stored, computed) in zip(stored, computed) where stored.value != computed.value {
      differences.append(
        """
        \(owner)\(stored.name) is stored as \(stored.value ?? "nothing"), and computed as \
        \(computed.value ?? "nothing")
        """)
    }
  }

  private mutating func compareRows<Row: Equatable>(
    _ kind: String, stored: [Row], computed: [Row], name: (Row) -> String,
    members: (Row) -> Members
  ) {
    guard stored != computed else { return }
    let storedRows = Dictionary(stored.map { (name($0), $0) }) { first, _ in first }
    var missing = Set(storedRows.keys)
    for row in computed {
      let name = name(row)
      missing.remove(name)
      if let storedRow = storedRows[name] {
        compare("\(kind) \(name): ", stored: members(storedRow), computed: members(row))
      } else {
        differences.append("\(kind) \(name) is not stored")
      }
    }
    for name in missing.sorted() {
      differences.append("\(kind) \(name) is stored, and was not computed")
    }
  }

  /// Compares the verdicts on coordinates: one sentence for all, for a shifted rule may turn many.
  private mutating func compare(stored: [Discard], computed: [Discard]) {
    let stored = Dictionary(stored.map { ($0.order, $0.reason) }) { $1 }
    let computed = Dictionary(computed.map { ($0.order, $0.reason) }) { $1 }
    let orders = Set(stored.keys).union(computed.keys)
      .filter { stored[$0] != computed[$0] }.sorted()
    guard let first = orders.first else { return }
    func word(_ reason: DiscardReason?) -> String { reason?.rawValue ?? "counting" }
    let others = orders.count - 1
    let rest = others == 0 ? "" : ", and \(others) more are judged otherwise"
    differences.append(
      """
      coordinate \(first) is stored as \(word(stored[first])), and computed as \
      \(word(computed[first]))\(rest)
      """)
  }

  // MARK: Members

  private static func text(_ value: Double?) -> String? { value.map { "\($0)" } }

  private static func members(of totals: FlightTotals) -> Members {
    [
      ("distance", "\(totals.distance.meters)"), ("rawDistance", "\(totals.rawDistance.meters)"),
      ("startedAt", totals.startedAt?.iso8601), ("endedAt", totals.endedAt?.iso8601),
      ("elapsedTime", text(totals.elapsedTime)), ("movingTime", text(totals.movingTime)),
      ("elevationGain", text(totals.elevationGain)), ("elevationLoss", text(totals.elevationLoss)),
      ("heartRate", text(totals.heartRate)), ("cadence", text(totals.cadence)),
      ("coordinateCount", "\(totals.coordinateCount)"), ("segmentCount", "\(totals.segmentCount)"),
    ]
      + DiscardReason.allCases.map { ("discarded.\($0.rawValue)", "\(totals.discarded[$0])") }
  }

  private static func members(of alert: Alert) -> Members {
    [
      ("state", alert.state.rawValue), ("timestamp", alert.timestamp.iso8601),
      ("endedAt", alert.endedAt?.iso8601), ("pace", text(alert.pace?.secondsPerKilometer)),
      ("peakPace", text(alert.peakPace?.secondsPerKilometer)),
      ("distance", "\(alert.distance.meters)"), ("latitude", "\(alert.latitude)"),
      ("longitude", "\(alert.longitude)"),
    ]
  }

  private static func members(of split: Split) -> Members {
    [
      ("distance", "\(split.distance.meters)"), ("elapsedTime", text(split.elapsedTime)),
      ("movingTime", text(split.movingTime)), ("elevationGain", text(split.elevationGain)),
      ("elevationLoss", text(split.elevationLoss)), ("heartRate", text(split.heartRate)),
    ]
  }
}

internal import RunWayIngest
internal import RunWayLogbook
internal import RunWayModel
internal import RunWayTracking

/// Stores a flight while it is flown: everything older than a second is committed, whoever else writes.
@MainActor final class LiveRecorder {
  private let logbook: Logbook
  private let force: Bool
  private var header: NewFlight
  private var flight: LiveFlight?

  // What waits for the next commit.
  private var locations: [Location] = []
  /// How many could not be used before the first that could: no flight begins with them.
  private var unusableCount = 0
  private var discards: [Discard] = []
  private var alerts: [Int: Alert] = [:]
  private var data: FlightData?
  private var rejected: [String: Int]?
  private var redating: Int64 = 0

  private var lastCommit = ContinuousClock.now - .seconds(60)
  private var timer: Task<Void, Never>?
  /// Why the last commit failed; the timer tries again.
  private var fault: LogbookError?
  private var reportedFault: String?

  /// Half of what was promised, so that a commit may take its time.
  private static let interval = Duration.milliseconds(500)
  /// So many locations are not kept waiting, however fast a recording is flown: about 2.5 MB.
  nonisolated static let mostPending = 16_384
  /// So many are kept while nothing can be stored: about 10 MB, 18 hours of a receiver's.
  private static let mostUnstored = 65_536
  nonisolated static let retryMilliseconds = 15
  private static let retryInterval = Duration.milliseconds(retryMilliseconds)

  init(logbook: Logbook, header: NewFlight, force: Bool, resuming flight: LiveFlight? = nil) {
    self.logbook = logbook
    self.header = header
    self.force = force
    self.flight = flight
  }

  /// Takes what was just flown, and commits it now or within half a second.
  func add(_ batch: [Location], update: FlightUpdate, data: FlightData) {
    if flight == nil, locations.isEmpty, !batch.contains(where: \.isValid) {
      unusableCount += batch.count
    } else {
      locations += batch
    }
    discards += update.discards
    self.data = data
    for event in update.events {
      switch event {
      case .alertOpened(let alert), .alertEnded(let alert): alerts[alert.number] = alert
      default: break
      }
    }
    commitSoon()
  }

  /// Takes what of the source could not be used so far, and commits it as soon.
  func add(rejected counts: [String: Int]) {
    rejected = counts
    commitSoon()
  }

  /// Waits until there is room for more, where nothing could be stored for long.
  ///
  /// - Throws: A `LogbookError` other than `busy` that stands in the way of storing.
  func makeRoom() async throws(LogbookError) {
    while locations.count >= LiveRecorder.mostUnstored, let fault {
      guard fault.code == .busy else { throw fault }
      tell(fault, "waiting")
      try? await Task.sleep(for: LiveRecorder.retryInterval)
    }
  }

  private func commitSoon() {
    // Until the timer has come through, there is no use in trying with each batch.
    if fault != nil { return }
    if locations.count >= LiveRecorder.mostPending
      || lastCommit.duration(to: .now) >= LiveRecorder.interval
    {
      commit()
    } else {
      schedule(after: LiveRecorder.interval)
    }
  }

  /// Moves all times of the flight.
  func redate(byMicroseconds shift: Int64) {
    for index in locations.indices {
      locations[index].time = locations[index].time?.shifted(byMicroseconds: shift)
    }
    for (number, alert) in alerts {
      var moved = alert
      moved.timestamp = alert.timestamp.shifted(byMicroseconds: shift)
      moved.endedAt = alert.endedAt?.shifted(byMicroseconds: shift)
      alerts[number] = moved
    }
    if flight != nil { redating += shift }
  }

  /// Completes the flight, waiting as long as another writer takes.
  ///
  /// - Returns: What became of it; `nil` where no location was ever stored.
  /// - Throws: A `LogbookError` other than `busy`.
  func finish(
    _ finished: FinishedFlight, update: FlightUpdate
  ) async throws -> StoreOutcome? {
    timer?.cancel()
    timer = nil
    discards += update.discards
    while true {
      do {
        return try complete(finished)
      } catch {
        guard error.code == .busy else { throw error }
        tell(error, "waiting")
      }
      try? await Task.sleep(for: LiveRecorder.retryInterval)
    }
  }

  private func complete(_ finished: FinishedFlight) throws(LogbookError) -> StoreOutcome? {
    try writePending()
    return try flight?.finish(
      report: finished.report, info: finished.info, rejected: finished.ingest.rejected,
      force: force)
  }

  /// Removes the flight again.
  func discard() throws {
    timer?.cancel()
    try flight?.discard()
  }

  // MARK: Commits

  private func schedule(after delay: Duration) {
    guard timer == nil else { return }
    timer = Task { [weak self] in
      guard (try? await Task.sleep(for: delay)) != nil, !Task.isCancelled else { return }
      self?.timer = nil
      self?.commit()
    }
  }

  /// Commits what waits; what cannot be stored now is kept and tried again.
  private func commit() {
    timer?.cancel()
    timer = nil
    do throws(LogbookError) {
      try writePending()
      lastCommit = .now
      fault = nil
      reportedFault = nil
    } catch {
      fault = error
      if error.code == .busy {
        schedule(after: LiveRecorder.retryInterval)
      } else {
        tell(error, "the flight goes on, and is stored when it can be")
        schedule(after: LiveRecorder.interval)
      }
    }
  }

  private func writePending() throws(LogbookError) {
    if flight == nil {
      if locations.isEmpty { return }
      flight = try logbook.beginLiveFlight(header)
    }
    guard let flight else { return }
    if redating != 0 {
      try flight.redate(byMicroseconds: redating)
      redating = 0
    }
    if !locations.isEmpty || !discards.isEmpty || rejected != nil {
      try flight.append(
        locations, discards: discards, data: data, unusable: unusableCount, rejected: rejected)
      unusableCount = 0
      locations.removeAll(keepingCapacity: true)
      discards.removeAll(keepingCapacity: true)
      rejected = nil
    }
    for (number, alert) in alerts.sorted(by: { $0.key < $1.key }) {
      try flight.upsert(alert)
      alerts[number] = nil
    }
  }

  private func tell(_ error: LogbookError, _ consequence: String) {
    guard reportedFault != error.message else { return }
    reportedFault = error.message
    StandardError.print("runway: \(error.message); \(consequence)")
  }
}

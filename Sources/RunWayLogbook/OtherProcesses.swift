/// Notices what other processes do to a logbook, for as long as someone holds on to this.
///
/// `PRAGMA data_version` says that something changed and not what: all tables count as changed. Counters kept by
/// triggers would tell what changed, at the price of more writing for every row of every import.
@MainActor final class OtherProcesses {
  /// How often other processes are asked after.
  static let pollInterval: Duration = .milliseconds(250)

  private weak var logbook: Logbook?
  private var dataVersion: Int64
  private var airborne: [Int64: Bool]
  private var poll: Task<Void, Never>?

  init(of logbook: Logbook) {
    self.logbook = logbook
    dataVersion = (try? logbook.connection.integer("PRAGMA data_version")) ?? 0
    airborne = (try? logbook.airborneFlights()) ?? [:]
    poll = Task { [weak self] in
      while !Task.isCancelled {
        try? await Task.sleep(for: OtherProcesses.pollInterval)
        self?.look()
      }
    }
  }

  isolated deinit {
    poll?.cancel()
  }

  private func look() {
    guard let logbook, !logbook.connection.isInTransaction, !logbook.appearIfNeeded() else {
      return
    }
    let version = (try? logbook.connection.integer("PRAGMA data_version")) ?? dataVersion
    if version != dataVersion {
      dataVersion = version
      return logbook.connection.noteUnknownChange()
    }
    // A flight is interrupted without a trace in the file: its process just ends.
    let airborne = (try? logbook.airborneFlights()) ?? self.airborne
    if airborne != self.airborne {
      self.airborne = airborne
      logbook.connection.noteChange(of: "flight")
    }
  }
}

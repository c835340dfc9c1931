/// The observations that wait for changes of a logbook.
///
/// Within the process, a commit tells which tables it wrote, and the queries that read one of them run again.
/// Other processes are noticed by `PRAGMA data_version`, which says that something changed and not what:
/// all queries run again, and only results that differ are handed out. Counters kept by
/// triggers would tell what changed, at the price of more writing for every row of every import.
@MainActor final class ObserverRegistry {
  /// How often other processes are asked after.
  static let pollInterval: Duration = .milliseconds(250)

  /// One observed query.
  private struct Observer {
    /// Runs the query again, and hands out its result if it differs; gives the tables it read, or nothing where the
    /// logbook was busy.
    var refresh: @MainActor (Logbook) -> Set<String>?
    var finish: @MainActor () -> Void
    var tables: Set<String>
  }

  private var observers: [Int: Observer] = [:]
  private var nextNumber = 0
  private weak var logbook: Logbook?
  /// The tables written by this process since the queries ran last.
  private var changed: Set<String> = []
  private var flushIsScheduled = false
  private var poll: Task<Void, Never>?
  private var dataVersion: Int64 = 0
  private var airborne: [Int64: Bool] = [:]

  isolated deinit {
    poll?.cancel()
    for observer in observers.values { observer.finish() }
  }

  /// Notes that a transaction of this process has written tables.
  func tablesChanged(_ tables: Set<String>) {
    guard !observers.isEmpty else { return }
    changed.formUnion(tables)
    guard !flushIsScheduled else { return }
    flushIsScheduled = true
    // Later, so that many small transactions in a row make one refresh.
    Task { [weak self] in self?.flush() }
  }

  /// Begins to observe a query, and runs it.
  ///
  /// - Returns: A number by which to end it.
  func add(
    to logbook: Logbook, refresh: @escaping @MainActor (Logbook) -> Set<String>?,
    finish: @escaping @MainActor () -> Void
  ) -> Int {
    self.logbook = logbook
    nextNumber += 1
    observers[nextNumber] = Observer(refresh: refresh, finish: finish, tables: [])
    // Before the query runs, so that what changes meanwhile is noticed afterwards.
    if poll == nil { startPolling() }
    run(nextNumber, on: logbook)
    return nextNumber
  }

  func remove(_ number: Int) {
    observers[number] = nil
    guard observers.isEmpty else { return }
    poll?.cancel()
    poll = nil
    changed = []
  }

  private func startPolling() {
    dataVersion = (try? logbook?.connection.integer("PRAGMA data_version")) ?? 0
    airborne = (try? logbook?.airborneFlights()) ?? [:]
    poll = Task { [weak self] in
      while !Task.isCancelled {
        try? await Task.sleep(for: ObserverRegistry.pollInterval)
        self?.tick()
      }
    }
  }

  private func tick() {
    guard let logbook, !logbook.connection.isInTransaction else { return }
    if logbook.appearIfNeeded() { return refresh { _ in true } }
    let version = (try? logbook.connection.integer("PRAGMA data_version")) ?? dataVersion
    if version != dataVersion {
      dataVersion = version
      changed = []
      return refresh { _ in true }
    }
    // A flight is interrupted without a trace in the file: its process just ends.
    let airborne = (try? logbook.airborneFlights()) ?? self.airborne
    if airborne != self.airborne {
      self.airborne = airborne
      changed.insert("flight")
    }
    flush()
  }

  private func flush() {
    flushIsScheduled = false
    // What an open transaction has written is not to be seen before it is committed.
    guard !changed.isEmpty, logbook?.connection.isInTransaction == false else { return }
    let tables = changed
    changed = []
    refresh { !$0.isDisjoint(with: tables) }
  }

  private func refresh(where reads: (Set<String>) -> Bool) {
    guard let logbook else { return }
    for (number, observer) in observers where reads(observer.tables) {
      run(number, on: logbook)
    }
  }

  private func run(_ number: Int, on logbook: Logbook) {
    guard let observer = observers[number] else { return }
    if let tables = observer.refresh(logbook) {
      observers[number]?.tables = tables
    } else {
      // The next tick tries again.
      observers[number]?.tables.insert("flight")
      changed.insert("flight")
    }
  }
}

internal import Observation

/// Runs a query, and again whenever a table that it read has changed.
@MainActor final class QueryObserver<Value: Equatable & Sendable> {
  private weak var logbook: Logbook?
  private let query: @MainActor (Logbook) throws -> Value
  private let continuation: AsyncThrowingStream<Value, any Error>.Continuation
  private let otherProcesses: OtherProcesses
  private var last: Value?

  init(
    of logbook: Logbook, query: @escaping @MainActor (Logbook) throws -> Value,
    continuation: AsyncThrowingStream<Value, any Error>.Continuation
  ) {
    self.logbook = logbook
    self.query = query
    self.continuation = continuation
    // Before the query runs, so that what changes meanwhile is noticed afterwards.
    otherProcesses = logbook.noticingOtherProcesses()
  }

  /// Runs the query, and hands out its result if it differs from the last one.
  func run() {
    guard let logbook else { return continuation.finish() }
    // What an open transaction has written is not to be seen before it is committed.
    guard !logbook.connection.isInTransaction else {
      return runAgain(after: OtherProcesses.pollInterval)
    }
    let result = withObservationTracking {
      Result { try query(logbook) }
    } onChange: { [weak self] in
      // Later, so that many small transactions in a row make one run.
      Task { @MainActor in self?.run() }
    }
    do {
      let value = try result.get()
      guard value != last else { return }
      last = value
      continuation.yield(value)
    } catch let error as LogbookError where error.code == .busy {
      runAgain(after: OtherProcesses.pollInterval)
    } catch {
      continuation.finish(throwing: error)
    }
  }

  private func runAgain(after delay: Duration) {
    Task { [weak self] in
      try? await Task.sleep(for: delay)
      self?.run()
    }
  }
}

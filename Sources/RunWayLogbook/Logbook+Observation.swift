public import Observation

/// Whatever is read of a logbook inside `withObservationTracking` is tracked, table by table.
///
/// For example:
///
/// ```swift
/// withObservationTracking {
///   show(try? logbook.flights(limit: 10))
/// } onChange: {
///   showAgainSoon()
/// }
/// ```
///
/// `onChange` is called once a change is committed.
extension Logbook: Observable {}

// MARK: - Observing

extension Logbook {
  /// Observes a query: its result now, and again whenever it has changed.
  ///
  /// For example:
  ///
  /// ```swift
  /// for try await flights in logbook.observe({ try $0.flights(limit: 10) }) {
  ///   show(flights)
  /// }
  /// ```
  ///
  /// Changes by other processes are seen within about a quarter of a second. Results that are overtaken
  /// before they are taken are skipped; the last one never is. The sequence ends when its task is cancelled or
  /// the logbook goes, and throws if the query does.
  ///
  /// - Parameter query: Any reading calls of the logbook it is given.
  /// - Returns: A sequence for one consumer.
  public func observe<Value: Equatable & Sendable>(
    _ query: @escaping @MainActor (Logbook) throws -> Value
  ) -> AsyncThrowingStream<Value, any Error> {
    let (stream, continuation) = AsyncThrowingStream.makeStream(
      of: Value.self, bufferingPolicy: .bufferingNewest(1))
    let observer = QueryObserver(of: self, query: query, continuation: continuation)
    // The stream holds the observer until it ends.
    continuation.onTermination = { _ in withExtendedLifetime(observer) {} }
    observer.run()
    return stream
  }

  /// Notices changes by other processes, for those who track what they read, until the task is cancelled.
  ///
  /// `observe` sees to that itself.
  public func noticeOtherProcesses() async {
    let others = noticingOtherProcesses()
    while !Task.isCancelled { try? await Task.sleep(for: .seconds(3_600)) }
    withExtendedLifetime(others) {}
  }

  /// The flights that have not touched down, and whether they are being flown.
  func airborneFlights() throws -> [Int64: Bool] {
    var flights: [Int64: Bool] = [:]
    try connection.forEachRow("SELECT key FROM flight WHERE touchedDown = 0") {
      flights[$0.integer(0)] = locks.isHeld($0.integer(0))
    }
    return flights
  }
}

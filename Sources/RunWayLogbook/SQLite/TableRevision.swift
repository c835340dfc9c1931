internal import Observation

/// Counts the changes of a table, for those who track what they read of it.
@Observable final class TableRevision {
  private var number: UInt64 = 0

  /// Lets `withObservationTracking` know that the table was read.
  func noteRead() {
    _ = number
  }

  /// Tells those who read the table, once each, that it has changed.
  func advance() {
    number &+= 1
  }
}

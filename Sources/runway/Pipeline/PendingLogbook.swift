internal import Glibc
internal import RunWayLogbook
internal import RunWayModel

/// The logbook of a command that may turn out to have nothing to store: a file that is not there is not made before.
@MainActor final class PendingLogbook {
  private let settings: Settings
  /// What there is so far, for looking things up.
  private(set) var logbook: Logbook

  /// Opens a logbook for reading.
  ///
  /// - Throws: A `LogbookError`.
  init(_ settings: Settings) throws {
    self.settings = settings
    logbook = try settings.openForReading()
  }

  /// Opens a logbook for writing if its file is there, so that it is known at once whether it can be.
  ///
  /// - Throws: A `LogbookError`.
  init(storingBy settings: Settings) throws {
    self.settings = settings
    let isThere =
      if case .file(let path) = try settings.logbookLocation() {
        access(path, F_OK) == 0
      } else {
        true
      }
    logbook = try isThere ? settings.openForWriting() : settings.openForReading()
  }

  /// The logbook to store something in, made where it is not there.
  ///
  /// - Parameter interrupted: A flight that is not to be completed, because it goes on.
  /// - Returns: The logbook.
  /// - Throws: A `LogbookError`.
  func forWriting(besides interrupted: FlightID? = nil) throws -> Logbook {
    if logbook.isReadOnly { logbook = try settings.openForWriting(besides: interrupted) }
    return logbook
  }
}

/// What the process tells its caller; the numbers are those of `sysexits.h`.
enum ExitStatus: Int32, Sendable {
  case success = 0
  /// Some of several inputs failed; the rest is done.
  case partialFailure = 1
  /// `EX_USAGE`: the command line is wrong.
  case usage = 64
  /// `EX_DATAERR`: the input is bad.
  case badData = 65
  /// `EX_NOINPUT`: there is no such input, or no such flight.
  case noInput = 66
  /// `EX_IOERR`: reading, writing or the logbook failed.
  case inputOutput = 74
}

/// A failure that ends the command: one sentence, and the status to leave with.
struct CommandError: Error, Sendable {
  var message: String
  var status: ExitStatus

  init(_ message: String, status: ExitStatus) {
    self.message = message
    self.status = status
  }
}

/// A mistake on the command line.
struct UsageError: Error, Sendable {
  var message: String

  init(_ message: String) {
    self.message = message
  }
}

internal import Glibc

/// Where an export goes: standard output, or a file that appears once it is complete.
@MainActor final class ExportSink {
  private let path: String?
  private let temporaryPath: String?
  private let descriptor: Int32
  private var buffer: [UInt8] = []
  private var isFinished = false

  private static let flushThreshold = 64 << 10

  /// Opens the sink.
  ///
  /// - Parameter path: The file; `nil` for standard output.
  /// - Throws: A `CommandError` where the file cannot be made.
  init(path: String?) throws(CommandError) {
    self.path = path
    guard let path else {
      temporaryPath = nil
      descriptor = STDOUT_FILENO
      return
    }
    var information = stat()
    let isReplaceable =
      stat(path, &information) != 0 || information.st_mode & S_IFMT == S_IFREG
    // A device or a pipe takes the bytes as they come.
    temporaryPath = isReplaceable ? "\(path).\(getpid()).part" : nil
    descriptor = open(temporaryPath ?? path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else {
      throw CommandError(
        "cannot write \(path): \(SystemError.text(errno))", status: .inputOutput)
    }
  }

  isolated deinit {
    guard path != nil else { return }
    close(descriptor)
    if !isFinished, let temporaryPath { unlink(temporaryPath) }
  }

  func write(_ bytes: [UInt8]) throws(CommandError) {
    buffer += bytes
    if buffer.count >= ExportSink.flushThreshold { try flush() }
  }

  func write(_ text: String) throws(CommandError) {
    try write(Array(text.utf8))
  }

  private func flush() throws(CommandError) {
    let pending = buffer
    buffer.removeAll(keepingCapacity: true)
    try FileOutput.writeAll(pending, to: descriptor, name: path ?? "standard output")
  }

  /// Puts the file in place.
  func finish() throws(CommandError) {
    try flush()
    if let path, let temporaryPath {
      guard fsync(descriptor) == 0, rename(temporaryPath, path) == 0 else {
        throw CommandError(
          "cannot write \(path): \(SystemError.text(errno))", status: .inputOutput)
      }
    }
    isFinished = true
  }
}

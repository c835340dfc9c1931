internal import Glibc

/// Standard output: buffered, and its failures are errors instead of a silent loss.
@MainActor final class StandardOutput {
  static let shared = StandardOutput(descriptor: STDOUT_FILENO)

  private let descriptor: Int32
  private var buffer: [UInt8] = []
  /// How many more lines are let through.
  private var linesLeft = Int.max
  private static let flushThreshold = 32 << 10

  init(descriptor: Int32) {
    self.descriptor = descriptor
  }

  /// Writes text; it leaves the process when enough has gathered, or with `flush()`.
  func write(_ text: String) throws(CommandError) {
    append(text.utf8)
    if buffer.count >= StandardOutput.flushThreshold { try flush() }
  }

  /// Writes bytes.
  func write(_ bytes: [UInt8]) throws(CommandError) {
    append(bytes)
    if buffer.count >= StandardOutput.flushThreshold { try flush() }
  }

  /// Lets so many lines through from here on, and drops what comes behind them.
  func limitLines(to count: Int) {
    linesLeft = count
  }

  private func append(_ bytes: some Sequence<UInt8>) {
    if linesLeft == .max { return buffer.append(contentsOf: bytes) }
    for byte in bytes {
      guard linesLeft > 0 else { return }
      buffer.append(byte)
      if byte == UInt8(ascii: "\n") { linesLeft -= 1 }
    }
  }

  /// Sends what has gathered.
  ///
  /// - Throws: A `CommandError` with status 74; the rest of the buffer is dropped then, so that the
  ///   same fault is not met again on the way out.
  func flush() throws(CommandError) {
    let pending = buffer
    buffer.removeAll(keepingCapacity: true)
    if !pending.isEmpty { StandardError.clearProgress() }
    try FileOutput.writeAll(pending, to: descriptor, name: "standard output")
  }
}

/// Writing to descriptors.
enum FileOutput {
  /// Writes all bytes.
  static func writeAll(
    _ bytes: [UInt8], to descriptor: Int32, name: String
  ) throws(CommandError) {
    let result = bytes.withUnsafeBytes { bytes in
      Result { () throws(CommandError) in try writeAll(bytes, to: descriptor, name: name) }
    }
    try result.get()
  }

  /// Writes all bytes, whatever the kernel takes at a time.
  static func writeAll(
    _ bytes: UnsafeRawBufferPointer, to descriptor: Int32, name: String
  ) throws(CommandError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let written = Glibc.write(
        descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
      if written > 0 {
        rest = rest.dropFirst(written)
        continue
      }
      let code = errno
      if written < 0 && code == EINTR { continue }
      if code == EPIPE {
        throw CommandError("\(name) was closed by its reader", status: .inputOutput)
      }
      throw CommandError(
        "cannot write to \(name): \(SystemError.text(code))", status: .inputOutput)
    }
  }
}

/// The C library's words for its error numbers.
enum SystemError {
  static func text(_ code: Int32) -> String {
    String(cString: strerror(code))
  }
}

/// Standard error, for people.
@MainActor enum StandardError {
  static let isTerminal = isatty(STDERR_FILENO) == 1
  private static var progressShown = false

  /// Prints one line, and removes a progress line first.
  static func print(_ line: String) {
    clearProgress()
    emit(line + "\n")
  }

  /// Asks a question, which is answered on its line.
  static func ask(_ question: String) {
    clearProgress()
    emit(question)
  }

  /// Shows a line that the next one replaces; nothing where stderr is no terminal.
  static func progress(_ line: String) {
    guard isTerminal else { return }
    emit("\r\u{1B}[K" + line)
    progressShown = true
  }

  static func clearProgress() {
    guard progressShown else { return }
    emit("\r\u{1B}[K")
    progressShown = false
  }

  private static func emit(_ text: String) {
    // Nowhere to report that the place for reports is gone.
    var text = text
    text.withUTF8 { bytes in
      _ = Glibc.write(STDERR_FILENO, bytes.baseAddress, bytes.count)
    }
  }
}

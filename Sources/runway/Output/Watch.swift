internal import Glibc

/// Printing again and again.
@MainActor enum Watch {
  private static let isTerminal = isatty(STDOUT_FILENO) == 1

  /// Begins another state: on a terminal in place of the last one, in a pipe behind it.
  static func beginScreen(json: Bool) throws {
    guard isTerminal, !json else { return }
    // Home, then erase what is below, so that nothing flickers.
    try StandardOutput.shared.write("\u{1B}[H\u{1B}[J")
  }
}

internal import Glibc
internal import RunWayModel

/// Printing again and again.
@MainActor enum Watch {
  private static let isTerminal = isatty(STDOUT_FILENO) == 1

  /// Begins another state: on a terminal in place of the last one, in a pipe behind it.
  static func beginScreen(json: Bool) throws {
    guard isTerminal, !json else { return }
    // Home, then erase what is below, so that nothing flickers.
    // What would scroll the beginning away is cut, and the cursor rests on the last line.
    StandardOutput.shared.limitLines(to: windowHeight.map { $0 - 1 } ?? .max)
    try StandardOutput.shared.write("\u{1B}[H\u{1B}[J")
  }

  /// The lines that the terminal shows; `nil` where it does not tell.
  private static var windowHeight: Int? {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_row > 1 else { return nil }
    return Int(size.ws_row)
  }

  /// Watches, and begins anew at each midnight, when “today” has become another day.
  ///
  /// - Parameters:
  ///   - settings: Tell whose midnight it is.
  ///   - body: Watches until its task is cancelled.
  /// - Throws: What `body` throws.
  static func daily(
    _ settings: Settings, _ body: @escaping @MainActor () async throws -> Void
  ) async throws {
    var clock = settings.clock
    while true {
      let today = clock.dayNumber(of: settings.now)
      let watching = Task(operation: body)
      let alarm = Task {
        while clock.dayNumber(of: settings.now) == today {
          // No longer than this, for the clock may be set meanwhile.
          let left = clock.startOfDay(today + 1).seconds(since: settings.now)
          try await Task.sleep(for: .seconds(min(max(left, 0.01), 60)))
        }
        watching.cancel()
      }
      defer { alarm.cancel() }
      try await watching.value
      if clock.dayNumber(of: settings.now) == today { return }
    }
  }
}

internal import Glibc
internal import Synchronization

/// Turns Ctrl-C, SIGTERM and a terminal that closes into the end of the input, so that a flight touches down and is
/// stored.
///
/// The handler does what a handler may: it sets a flag and writes a byte to a pipe, which wakes a read
/// that waits on `descriptor` as well. A second signal finds the default action again and ends the process.
enum StopSignal {
  // Globals, for a signal handler can reach nothing else.
  private static let isRaised = Atomic<Bool>(false)
  private static let writeEnd = Atomic<Int32>(-1)

  /// Whether a signal has come.
  static var hasCome: Bool { isRaised.load(ordering: .acquiring) }

  /// Begins to listen.
  ///
  /// - Returns: A descriptor that becomes readable when a signal comes; −1 where there is none to be had.
  static func listen() -> Int32 {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return -1 }
    // A handler must never wait, however many signals come.
    _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
    writeEnd.store(ends[1], ordering: .releasing)

    var action = sigaction()
    action.__sigaction_handler.sa_handler = { _ in
      let code = errno
      StopSignal.isRaised.store(true, ordering: .releasing)
      var byte: UInt8 = 0
      _ = write(StopSignal.writeEnd.load(ordering: .acquiring), &byte, 1)
      errno = code
    }
    action.sa_flags = Int32(bitPattern: SA_RESETHAND)
    sigaction(SIGINT, &action, nil)
    sigaction(SIGTERM, &action, nil)
    // Under nohup it stays ignored.
    var hangUp = sigaction()
    sigaction(SIGHUP, nil, &hangUp)
    if unsafeBitCast(hangUp.__sigaction_handler.sa_handler, to: Int.self)
      != unsafeBitCast(SIG_IGN, to: Int.self)
    {
      sigaction(SIGHUP, &action, nil)
    }
    return ends[0]
  }
}

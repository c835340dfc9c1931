import Glibc

/// The bytes of a file, a pipe or a device, chunk by chunk.
///
/// A chunk is what is there: from a pipe it comes as soon as it is written. Reading blocks the thread; for
/// asynchronous code there is ``ByteChunkSequence``. Single-pass.
public struct ByteChunks: Sendable {
  /// The most bytes in a chunk.
  public static let chunkSize = 131_072

  private let source: OpenDescriptor
  private let stopDescriptor: Int32
  private var buffer: [UInt8]

  /// Opens a file.
  ///
  /// - Parameters:
  ///   - path: The file; `-` is standard input.
  ///   - stopDescriptor: A descriptor that becomes readable, or is hung up, when reading is to end; −1 for none. What
  ///     a signal handler writes into a pipe ends a read that waits, without a race.
  /// - Throws: An `IngestError` of code `io` where the file cannot be opened or is a directory.
  public init(path: String, stopDescriptor: Int32 = -1) throws(IngestError) {
    guard path != "-" else {
      try self.init(descriptor: STDIN_FILENO, stopDescriptor: stopDescriptor)
      return
    }
    if path.utf8.contains(0) { throw IngestError(systemError: ENOENT) }
    var number: Int32
    repeat {
      number = open(path, O_RDONLY | O_CLOEXEC)
      // Opening a named pipe waits for its writer.
    } while number < 0 && errno == EINTR && !Self.isReadable(stopDescriptor)
    guard number >= 0 else { throw IngestError(systemError: errno) }
    try self.init(OpenDescriptor(number, isOwned: true), stopDescriptor: stopDescriptor)
  }

  /// Reads from a descriptor, which stays open.
  ///
  /// - Parameters:
  ///   - descriptor: An open descriptor.
  ///   - stopDescriptor: As in `init(path:stopDescriptor:)`.
  /// - Throws: An `IngestError` of code `io` where the descriptor is not open or is a directory.
  public init(descriptor: Int32, stopDescriptor: Int32 = -1) throws(IngestError) {
    try self.init(OpenDescriptor(descriptor, isOwned: false), stopDescriptor: stopDescriptor)
  }

  private init(_ source: OpenDescriptor, stopDescriptor: Int32) throws(IngestError) {
    var status = stat()
    guard fstat(source.number, &status) == 0 else { throw IngestError(systemError: errno) }
    if status.st_mode & S_IFMT == S_IFDIR { throw IngestError(systemError: EISDIR) }
    self.source = source
    self.stopDescriptor = stopDescriptor
    buffer = [UInt8](repeating: 0, count: Self.chunkSize)
  }

  /// Waits for bytes, and gives them to a closure.
  ///
  /// - Parameter body: Takes the bytes, at least one; they must not be kept.
  /// - Returns: What the closure returns; `nil` at the source's end and when reading is to stop.
  /// - Throws: What the closure throws, or an `IngestError` of code `io`.
  public mutating func withNextChunk<Result>(
    _ body: (UnsafeRawBufferPointer) throws(IngestError) -> Result
  ) throws(IngestError) -> Result? {
    let count = try fill()
    if count == 0 { return nil }
    return try buffer.withUnsafeBufferPointer { bytes throws(IngestError) in
      try body(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(bytes)[..<count]))
    }
  }

  /// The next bytes as an array, or `nil` at the end.
  ///
  /// - Throws: An `IngestError` of code `io`.
  public mutating func next() throws(IngestError) -> [UInt8]? {
    try withNextChunk { bytes throws(IngestError) in [UInt8](bytes) }
  }

  /// Reads what is there into the buffer; 0 at the end.
  private mutating func fill() throws(IngestError) -> Int {
    while true {
      if stopDescriptor >= 0, try waitForBytes() == .stop { return 0 }
      let count = buffer.withUnsafeMutableBytes {
        read(source.number, $0.baseAddress, $0.count)
      }
      if count >= 0 { return count }
      switch errno {
      case EINTR: continue
      // The descriptor was left non-blocking by whoever opened it.
      case EAGAIN: if try waitForBytes() == .stop { return 0 }
      default: throw IngestError(systemError: errno)
      }
    }
  }

  private enum Wait {
    case bytes, stop
  }

  private func waitForBytes() throws(IngestError) -> Wait {
    var polls = [
      pollfd(fd: source.number, events: Int16(POLLIN), revents: 0),
      // A negative descriptor is passed over by `poll`.
      pollfd(fd: stopDescriptor, events: Int16(POLLIN), revents: 0),
    ]
    while poll(&polls, 2, -1) < 0 {
      if errno != EINTR { throw IngestError(systemError: errno) }
    }
    return polls[1].revents == 0 ? .bytes : .stop
  }

  private static func isReadable(_ descriptor: Int32) -> Bool {
    if descriptor < 0 { return false }
    var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&polled, 1, 0) > 0
  }
}

/// A descriptor that is closed with its last user.
private final class OpenDescriptor: Sendable {
  let number: Int32
  private let isOwned: Bool

  init(_ number: Int32, isOwned: Bool) {
    self.number = number
    self.isOwned = isOwned
  }

  deinit {
    if isOwned { close(number) }
  }
}

extension IngestError {
  /// The error for a number of `errno`, in the system's words.
  init(systemError number: Int32) {
    // Large enough for every message of the C library, whose `strerror` is not safe among threads.
    let reason = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { text in
      text.baseAddress.flatMap {
        strerror_r(number, $0, text.count) == 0 ? String(cString: $0) : nil
      }
    }
    self.init(.io(errno: number), reason: reason ?? "error \(number)")
  }
}

/// The bytes of a file or a live pipe as an asynchronous sequence of chunks.
///
/// Reading waits on a thread of its own, so that a pipe on which nothing comes keeps no thread of the
/// cooperative pool. Single-pass: a second iterator goes on where the first one stood.
public struct ByteChunkSequence: AsyncSequence, Sendable {
  public typealias Element = [UInt8]
  public typealias Failure = IngestError

  private let reader: ChunkReader

  /// Makes a sequence that reads on.
  ///
  /// - Parameter chunks: What to read. To end a read that waits, give it a stop descriptor.
  public init(_ chunks: ByteChunks) {
    reader = ChunkReader(chunks)
  }

  public func makeAsyncIterator() -> Iterator {
    Iterator(reader: reader)
  }

  /// Reads chunk by chunk.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let reader: ChunkReader

    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(IngestError) -> [UInt8]? {
      try await reader.next()
    }
  }
}

@available(*, unavailable)
extension ByteChunkSequence.Iterator: Sendable {}

extension ByteChunks {
  /// The chunks as an asynchronous sequence, read on a thread of its own.
  ///
  /// - Returns: A single-pass sequence.
  public func async() -> ByteChunkSequence { ByteChunkSequence(self) }
}

/// Reads on its own thread.
private actor ChunkReader {
  private var chunks: ByteChunks?
  private let thread = ThreadExecutor()

  nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  init(_ chunks: ByteChunks) {
    self.chunks = chunks
  }

  deinit { thread.stop() }

  func next() throws(IngestError) -> [UInt8]? {
    if Task.isCancelled { return nil }
    do throws(IngestError) {
      if let bytes = try chunks?.next() { return bytes }
    } catch {
      chunks = nil
      throw error
    }
    // What has ended stays so, though a terminal would read on.
    chunks = nil
    return nil
  }
}

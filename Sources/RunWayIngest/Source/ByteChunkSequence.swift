/// The bytes of a file or a live pipe as an asynchronous sequence of chunks.
///
/// Reading waits on a thread of its own, so that a pipe on which nothing comes keeps no thread of the
/// cooperative pool. Single-pass: a second iterator goes on where the first one stood.
public struct ByteChunkSequence: AsyncSequence, Sendable {
  /// A chunk, never empty.
  public typealias Element = [UInt8]
  /// Why reading ended early.
  public typealias Failure = IngestError

  private let reader: ReadingThread

  /// Makes a sequence that reads on.
  ///
  /// - Parameter chunks: What to read. To end a read that waits, give it a stop descriptor.
  public init(_ chunks: ByteChunks) {
    reader = ReadingThread(chunks)
  }

  /// Begins to read, or goes on where another iterator stood.
  public func makeAsyncIterator() -> Iterator {
    Iterator(reader: reader)
  }

  /// Reads chunk by chunk.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let reader: ReadingThread

    /// Waits for the next chunk.
    ///
    /// - Parameter actor: Where the caller runs.
    /// - Returns: The chunk; `nil` at the end of the input, and once reading was stopped or the task cancelled.
    /// - Throws: An `IngestError` of code `io`.
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

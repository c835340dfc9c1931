extension AsyncSequence where Element == [UInt8] {
  /// Decodes the bytes of this sequence as tracks, in pieces that are given as soon as their bytes have come.
  ///
  /// What a live flight needs; ``tracks(_:)`` gives tracks as a whole. For example:
  ///
  ///     let chunks = try ByteChunks(path: "/dev/ttyACM0").async()
  ///     for try await elements in chunks.trackElements() { … }
  ///
  /// - Parameter options: How to read the source.
  /// - Returns: A single-pass sequence of batches: what one or several chunks brought, never empty.
  public func trackElements(
    _ options: TrackDecoder.Options = TrackDecoder.Options()
  ) -> TrackElementSequence<Self> {
    TrackElementSequence(base: self, options: options)
  }
}

/// The tracks in a sequence of bytes, batch by batch.
///
/// A fault is thrown after what stood before it. Single-pass, as its base.
public struct TrackElementSequence<Base: AsyncSequence>: AsyncSequence
where Base.Element == [UInt8] {
  /// What one or several chunks brought, never empty.
  public typealias Element = [TrackElement]
  /// An `IngestError`, or what the base throws.
  public typealias Failure = any Error

  fileprivate let base: Base
  fileprivate let options: TrackDecoder.Options

  /// Begins to decode.
  public func makeAsyncIterator() -> Iterator {
    Iterator(base: base.makeAsyncIterator(), decoder: TrackDecoder(options))
  }

  /// Decodes batch by batch.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate var base: Base.AsyncIterator
    fileprivate var decoder: TrackDecoder
    fileprivate var isAtEnd = false
    fileprivate var fault: (any Error)?

    /// Waits for the next batch.
    ///
    /// - Parameter actor: Where the caller runs.
    /// - Returns: The batch; `nil` at the end of the source, and after a fault.
    /// - Throws: An `IngestError` where the rest cannot be read, or what the base throws.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws -> [TrackElement]? {
      var elements: [TrackElement] = []
      while elements.isEmpty, !isAtEnd {
        do {
          if decoder.hasBacklog {
            try decoder.consumeBacklog(into: &elements)
          } else if let bytes = try await base.next(isolation: actor) {
            try bytes.withUnsafeBufferPointer { bytes throws(IngestError) in
              try decoder.consume(UnsafeRawBufferPointer(bytes), into: &elements)
            }
          } else {
            isAtEnd = true
            try decoder.finish(into: &elements)
          }
        } catch {
          isAtEnd = true
          fault = error
        }
      }
      if !elements.isEmpty { return elements }
      if let error = fault {
        fault = nil
        throw error
      }
      return nil
    }
  }
}

extension TrackElementSequence: Sendable where Base: Sendable {}

@available(*, unavailable)
extension TrackElementSequence.Iterator: Sendable {}

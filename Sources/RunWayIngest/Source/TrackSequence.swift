public import RunWayModel

/// One track of a source, whole.
public struct Track: Sendable, Hashable {
  /// What the source says of it.
  public var info: TrackInfo
  /// Its locations in their order, with their final times; ones whose coordinates can't be used stand among them, not valid.
  public var locations: [Location]
  /// What of it could not be used.
  public var report: IngestReport

  /// Makes a track.
  public init(info: TrackInfo, locations: [Location], report: IngestReport = IngestReport()) {
    self.info = info
    self.locations = locations
    self.report = report
  }
}

extension AsyncSequence where Element == [UInt8] {
  /// Decodes the bytes of this sequence as whole tracks.
  ///
  /// For example:
  ///
  ///     for try await track in try ByteChunks(path: "run.gpx").async().tracks() { … }
  ///
  /// - Parameter options: How to read the source.
  /// - Returns: A single-pass sequence of the source's tracks; memory grows with the longest of them.
  public func tracks(
    _ options: TrackDecoder.Options = TrackDecoder.Options()
  ) -> TrackSequence<Self> {
    TrackSequence(base: trackElements(options))
  }
}

/// The tracks in a sequence of bytes, one by one.
///
/// A fault is thrown after the tracks that ended before it. Single-pass, as its base.
public struct TrackSequence<Base: AsyncSequence>: AsyncSequence where Base.Element == [UInt8] {
  /// A whole track.
  public typealias Element = Track
  /// An `IngestError`, or what the base throws.
  public typealias Failure = any Error

  fileprivate let base: TrackElementSequence<Base>

  /// Begins to decode.
  public func makeAsyncIterator() -> Iterator {
    Iterator(base: base.makeAsyncIterator())
  }

  /// Collects track by track.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate var base: TrackElementSequence<Base>.Iterator
    private var elements: ArraySlice<TrackElement> = []
    private var locations: [Location] = []

    fileprivate init(base: TrackElementSequence<Base>.Iterator) {
      self.base = base
    }

    /// Waits for the next track to end.
    ///
    /// - Parameter actor: Where the caller runs.
    /// - Returns: The track; `nil` at the end of the source, and after a fault.
    /// - Throws: An `IngestError` where the rest cannot be read, or what the base throws.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws -> Track? {
      while true {
        while let element = elements.popFirst() {
          if let track = take(element) { return track }
        }
        guard let batch = try await base.next(isolation: actor) else { return nil }
        elements = batch[...]
      }
    }

    /// Takes the next piece, and gives the track that it ends.
    private mutating func take(_ element: TrackElement) -> Track? {
      switch element {
      case .began:
        locations = []
      case .locations(let batch):
        locations += batch
      case .redated(let shift):
        for index in locations.indices {
          locations[index].time = locations[index].time?.shifted(byMicroseconds: shift)
        }
      case .ended(let info, let report):
        defer { locations = [] }
        return Track(info: info, locations: locations, report: report)
      }
      return nil
    }
  }
}

extension TrackSequence: Sendable where Base: Sendable {}

@available(*, unavailable)
extension TrackSequence.Iterator: Sendable {}

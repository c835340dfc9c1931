/// What a live reader finds, read ahead of who shows and stores it.
///
/// On a live stream each piece is handed over as it comes. What comes faster than it is stored gathers
/// while a commit lasts, so that decoding and storing overlap.
struct ReadAhead: AsyncSequence {
  typealias Element = LivePiece
  typealias Failure = Never

  private let reader: LiveReader

  init(_ reader: LiveReader) {
    self.reader = reader
  }

  /// Begins to read.
  ///
  /// The task is not waited for: on a silent pipe it would keep a command that has failed from ending.
  func makeAsyncIterator() -> Iterator {
    let queue = PieceQueue()
    Task { [reader] in await queue.fill(from: reader) }
    return Iterator(queue: queue)
  }

  struct Iterator: AsyncIteratorProtocol {
    fileprivate let queue: PieceQueue
    /// Taken from the queue, last first, so that each is let go of when it is handed over.
    private var taken: [LivePiece] = []

    fileprivate init(queue: PieceQueue) {
      self.queue = queue
    }

    mutating func next() async -> LivePiece? {
      if taken.isEmpty { taken = await queue.takeAll().reversed() }
      return taken.popLast()
    }
  }
}

/// Pieces that wait, as many as the recorder commits at a time.
private actor PieceQueue {
  private var pieces: [LivePiece] = []
  private var locationCount = 0
  private var isAtEnd = false
  private var taker: CheckedContinuation<Void, Never>?
  private var filler: CheckedContinuation<Void, Never>?

  /// Reads to the end, pausing while the queue is full.
  func fill(from reader: LiveReader) async {
    while let piece = await reader.next() {
      if case .flown(let locations, _, _) = piece { locationCount += locations.count }
      pieces.append(piece)
      taker.take()?.resume()
      // A source of nothing but rejections must not fill the memory either.
      if max(locationCount, pieces.count) >= LiveRecorder.mostPending {
        await withCheckedContinuation { filler = $0 }
      }
    }
    isAtEnd = true
    taker.take()?.resume()
  }

  /// All that waits, in its order, once there is any; nothing at the end.
  func takeAll() async -> [LivePiece] {
    if pieces.isEmpty, !isAtEnd {
      await withCheckedContinuation { taker = $0 }
    }
    defer {
      pieces.removeAll()
      locationCount = 0
      filler.take()?.resume()
    }
    return pieces
  }
}

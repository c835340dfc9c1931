internal import RunWayModel

/// The time spans of a flight's segments, which never overlap.
struct CoveredSpans: Sendable {
  private struct Span: Sendable {
    var start: Timestamp
    var end: Timestamp
  }

  /// Beyond so many spans, the smallest gap between two is covered too, so that memory is bounded.
  private static let limit = 128

  private var open: Span?
  private var closed: ContiguousArray<Span> = []
  private var latestClosed: Timestamp?

  /// Lengthens the open span, which lies behind all others; refuses where it does not.
  @inline(__always)
  mutating func extend(to time: Timestamp) -> Bool {
    guard let open else { return false }
    if let latestClosed, open.end <= latestClosed { return false }
    self.open?.end = time
    return true
  }

  /// Adds a moment to the open span, and opens one if none is.
  mutating func cover(_ time: Timestamp) {
    guard var span = open else {
      open = Span(start: time, end: time)
      return
    }
    span.end = max(span.end, time)
    open = span
  }

  /// Ends the open span.
  mutating func close() {
    guard let span = open else { return }
    open = nil
    latestClosed = max(latestClosed ?? span.end, span.end)
    let place = closed.lastIndex { $0.start <= span.start }.map { $0 + 1 } ?? 0
    closed.insert(span, at: place)
    if closed.count > CoveredSpans.limit { mergeAcrossSmallestGap() }
  }

  func contains(_ time: Timestamp) -> Bool {
    if let open, open.start <= time, time <= open.end { return true }
    guard let latestClosed, time <= latestClosed else { return false }
    return closed.contains { $0.start <= time && time <= $0.end }
  }

  /// Whether a span of more than a moment begins between two moments.
  func liesBetween(_ earlier: Timestamp, _ later: Timestamp) -> Bool {
    guard let latestClosed, earlier < latestClosed else { return false }
    return closed.contains { earlier < $0.start && $0.start < min($0.end, later) }
  }

  private mutating func mergeAcrossSmallestGap() {
    var place = 1
    var smallest = Int64.max
    for index in 1..<closed.count {
      let gap = closed[index].start.microseconds &- closed[index - 1].end.microseconds
      if gap < smallest {
        smallest = gap
        place = index
      }
    }
    closed[place - 1].end = max(closed[place - 1].end, closed[place].end)
    closed.remove(at: place)
  }
}

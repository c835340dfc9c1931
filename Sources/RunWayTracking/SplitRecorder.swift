internal import RunWayModel

/// Metres climbed and descended since a flight began.
struct Climb: Sendable {
  var gain = 0.0
  var loss = 0.0
}

/// Marks where a flight's distance reaches each multiple of a length.
///
/// Only sums up to each crossing are kept, and a split is the difference of two: when a stop turns out to have
/// begun before a crossing, the sums at the crossing are set back.
struct SplitRecorder: Sendable {
  private struct Crossing: Sendable {
    /// `nil` where the distance grew by locations without a time.
    var mark: Mark?
    var climb: Climb
  }

  /// More than anybody runs: a track that leaps about the globe is not cut up any further, its rest is the last part.
  private static let limit = 20_000

  private let length: Double
  private var crossings: ContiguousArray<Crossing> = []
  private var next: Double
  /// The crossings from here on await the next location with a time.
  private var firstPending = 0

  init(length: Distance) {
    self.length = length.meters
    next = length.meters
  }

  /// Marks the crossings up to a distance, those at it only where `inclusive`.
  @inline(__always)
  mutating func cross(upTo distance: Double, inclusive: Bool, climb: Climb) {
    while next < distance || (inclusive && next == distance) {
      crossings.append(Crossing(mark: nil, climb: climb))
      // Multiplied rather than added up: a sum of miles would drift.
      next =
        crossings.count < SplitRecorder.limit ? length * Double(crossings.count + 1) : .infinity
    }
  }

  /// Dates the crossings since the last paced location.
  ///
  /// - Parameters:
  ///   - start: The last paced location of the segment and the distance there; `nil` at the segment's first.
  ///   - end: This one.
  @inline(__always)
  mutating func date(
    from start: (mark: Mark, distance: Double)?, to end: (mark: Mark, distance: Double)
  ) {
    guard firstPending < crossings.count else { return }
    interpolate(from: start, to: end)
  }

  private mutating func interpolate(
    from start: (mark: Mark, distance: Double)?, to end: (mark: Mark, distance: Double)
  ) {
    defer { firstPending = crossings.count }
    guard let start, end.distance > start.distance else { return }
    let time = Double(end.mark.time.microseconds &- start.mark.time.microseconds)
    for index in firstPending..<crossings.count {
      let crossed = length * Double(index + 1)
      let share = min(1, max(0, (crossed - start.distance) / (end.distance - start.distance)))
      crossings[index].mark = Mark(
        time: start.mark.time.shifted(byMicroseconds: Int64((share * time).rounded())),
        tally: start.mark.tally.interpolated(to: end.mark.tally, by: share))
    }
  }

  /// Sets the sums of all crossings after a moment back to it: the runner stood still since.
  @inline(__always)
  mutating func rewind(to moment: Mark) {
    // The pending ones lie after the stop; an undated one before them belongs to an earlier segment.
    for index in (0..<firstPending).reversed() {
      guard let mark = crossings[index].mark, mark.time > moment.time else { break }
      crossings[index].mark?.tally = moment.tally
    }
  }

  /// The splits of a flight that ends here.
  ///
  /// - Parameters:
  ///   - start: The first location, if it has a time.
  ///   - end: The last moment of the flight.
  ///   - distance: Metres.
  ///   - climb: The whole climb; `nil` without elevations.
  /// - Returns: The full splits and the part that is left.
  func splits(from start: Mark?, to end: Mark?, distance: Double, climb: Climb?) -> [Split] {
    var splits: [Split] = []
    splits.reserveCapacity(crossings.count + 1)
    var last = Crossing(mark: start, climb: Climb())
    func close(at crossing: Crossing, length: Double) {
      splits.append(
        Split(
          number: splits.count + 1, length: length, from: last.mark, to: crossing.mark,
          gain: climb.map { _ in crossing.climb.gain - last.climb.gain },
          loss: climb.map { _ in crossing.climb.loss - last.climb.loss }))
      last = crossing
    }
    for crossing in crossings { close(at: crossing, length: length) }
    let rest = distance - length * Double(crossings.count)
    if rest > 0 { close(at: Crossing(mark: end, climb: climb ?? Climb()), length: rest) }
    return splits
  }
}

extension Split {
  fileprivate init(
    number: Int, length: Double, from start: Mark?, to end: Mark?, gain: Double?, loss: Double?
  ) {
    self.init(
      index: number, distance: .meters(length), elevationGain: gain, elevationLoss: loss)
    guard let start, let end, end.time >= start.time else { return }
    elapsedTime = end.time.seconds(since: start.time)
    movingTime = max(0, end.tally.moving - start.tally.moving)
    let known = end.tally.heartRateTime - start.tally.heartRateTime
    if known > 0 { heartRate = (end.tally.heartRate - start.tally.heartRate) / known }
  }
}

internal import RunWayModel

/// Sums over moving time, as of some moment of a flight.
struct Tally: Sendable {
  /// Seconds.
  var moving = 0.0
  /// Beats per minute × seconds, and the seconds they are known for.
  var heartRate = 0.0
  var heartRateTime = 0.0
  /// The same for cadence.
  var cadence = 0.0
  var cadenceTime = 0.0

  /// The tally at a point between this one and a later one.
  func interpolated(to other: Tally, by share: Double) -> Tally {
    func between(_ from: Double, _ to: Double) -> Double { from + share * (to - from) }
    return Tally(
      moving: between(moving, other.moving),
      heartRate: between(heartRate, other.heartRate),
      heartRateTime: between(heartRateTime, other.heartRateTime),
      cadence: between(cadence, other.cadence),
      cadenceTime: between(cadenceTime, other.cadenceTime))
  }
}

/// A moment of a flight with the sums up to it.
struct Mark: Sendable {
  var time: Timestamp
  var tally: Tally
}

/// The paced locations of the open segment, back to the first that is at least 8 s earlier than the newest.
///
/// Bounded: locations less than 10 ms after the newest are left out, so that there are never many more than 800.
struct RecentLocations: Sendable {
  /// The shortest chord of the walk back, microseconds.
  private static let hop: Int64 = 4_000_000
  /// How far back stops look, and where the walk back may end, microseconds.
  private static let reach: Int64 = 8_000_000
  /// The shortest interval between two locations that are kept, microseconds.
  private static let finest: Int64 = 10_000

  struct Entry: Sendable {
    var time: Timestamp
    var latitude: Double
    var longitude: Double
    var tally: Tally
    /// Metres and microseconds back to the nearest entry at least 4 s earlier, else to the segment's start.
    var chord: Double
    var chordTime: Int64
  }

  private var entries = RingBuffer<Entry>()
  /// The nearest entry at least 4 s earlier than the newest location, or the segment's start.
  private var hopIndex = 0
  /// The nearest entry at least 8 s earlier; the segment's start before there is one.
  private var farIndex = 0
  /// Stops do not look back beyond this one.
  private var floor = 0
  private var stepper = GeodesicStepper()

  /// Begins a new segment.
  mutating func removeAll() {
    entries.removeAll()
    hopIndex = 0
    farIndex = 0
    floor = 0
  }

  /// Lets stops look back no farther than to the next location that is appended.
  mutating func raiseFloor() {
    floor = entries.endIndex
  }

  /// Moves on to a location.
  ///
  /// - Returns: The chord back from it, in metres and microseconds; zeros at the segment's first location.
  mutating func advance(
    to time: Timestamp, latitude: Double, longitude: Double
  ) -> (chord: Double, time: Int64) {
    guard !entries.isEmpty else { return (0, 0) }
    while hopIndex + 1 < entries.endIndex,
      time.microseconds &- entries[hopIndex + 1].time.microseconds >= RecentLocations.hop
    { hopIndex += 1 }
    while farIndex + 1 < entries.endIndex,
      time.microseconds &- entries[farIndex + 1].time.microseconds >= RecentLocations.reach
    { farIndex += 1 }
    entries.removeFirst(upTo: farIndex)
    let entry = entries[hopIndex]
    let chord = stepper.length(
      fromLatitude: entry.latitude, longitude: entry.longitude, toLatitude: latitude,
      longitude: longitude)
    return (chord, time.microseconds &- entry.time.microseconds)
  }

  /// The speed over the chords back from a location, after `advance`.
  ///
  /// Two hops of 4 s make the 8 s, and the second one was measured when its end was the newest.
  ///
  /// - Parameters:
  ///   - chord: The first chord in metres.
  ///   - time: Its time in microseconds.
  /// - Returns: Metres per second; `nil` at the segment's first location.
  func speed(chord: Double, time: Int64) -> Double? {
    guard time > 0 else { return nil }
    var length = chord
    var total = time
    if time < RecentLocations.reach {
      let entry = entries[hopIndex]
      length += entry.chord
      total += entry.chordTime
    }
    return length * 1_000_000 / Double(total)
  }

  /// Whether the runner has stood still at a location, after `advance`.
  ///
  /// - Parameters:
  ///   - time: The location's time.
  ///   - latitude: Degrees north.
  ///   - longitude: Degrees east.
  ///   - slowest: Metres per second.
  /// - Returns: The location the stop is backdated to, or `nil` where the runner has moved.
  mutating func standstill(
    at time: Timestamp, latitude: Double, longitude: Double, slowest: Double
  ) -> Mark? {
    guard farIndex >= floor, farIndex < entries.endIndex else { return nil }
    let first = entries[farIndex]
    let span = time.microseconds &- first.time.microseconds
    guard span >= RecentLocations.reach else { return nil }
    let radius = slowest * Double(span) / 1_000_000
    // The earliest is the farthest of a runner who moves.
    for index in farIndex..<entries.endIndex {
      let entry = entries[index]
      let length = stepper.length(
        fromLatitude: entry.latitude, longitude: entry.longitude, toLatitude: latitude,
        longitude: longitude)
      guard length <= radius else { return nil }
    }
    return Mark(time: first.time, tally: first.tally)
  }

  /// Keeps a location, after `advance`.
  mutating func append(
    time: Timestamp, latitude: Double, longitude: Double, tally: Tally,
    chord: (chord: Double, time: Int64)
  ) {
    if let newest = entries.last,
      time.microseconds &- newest.time.microseconds < RecentLocations.finest
    {
      return
    }
    entries.append(
      Entry(
        time: time, latitude: latitude, longitude: longitude, tally: tally, chord: chord.chord,
        chordTime: chord.time))
  }
}

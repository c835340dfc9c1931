internal import RunWayModel

/// Holds locations back so that a track flies at a multiple of its own speed.
struct FlightPacer<C: Clock> where C.Duration == Duration {
  /// How much faster than the track.
  let factor: Double
  let clock: C
  private var origin: (wall: C.Instant, track: Timestamp)?
  private var last: Timestamp?

  /// Seconds of the track that are not waited for at a stretch: a time that is off may be years ahead.
  private static var longestWait: Double { 86_400 }

  init(factor: Double, clock: C) {
    self.factor = factor
    self.clock = clock
  }

  /// Waits until a moment of the track has come; at once where it names none.
  ///
  /// - Parameters:
  ///   - time: The moment.
  ///   - isStopped: Asked now and then; ends the wait.
  mutating func wait(for time: Timestamp?, isStopped: () -> Bool) async {
    guard let time else { return }
    defer { last = time }
    guard let origin, let last, abs(time.seconds(since: last)) <= Self.longestWait else {
      origin = (clock.now, time)
      return
    }
    let seconds = time.seconds(since: origin.track) / factor
    guard seconds > 0, seconds < 1e9 else { return }
    let due = origin.wall.advanced(by: .seconds(seconds))
    while clock.now < due && !isStopped() {
      // In slices, so that a signal is heard.
      let slice = min(due, clock.now.advanced(by: .milliseconds(100)))
      guard (try? await clock.sleep(until: slice, tolerance: nil)) != nil else { return }
    }
  }
}

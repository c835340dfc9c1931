internal import Glibc
public import RunWayModel

/// A run that never took place, as a watch would have recorded it.
///
/// A sequence of locations made as they are asked for, the same for the same values: a runner follows
/// the stages over a course; heart rate and cadence answer to the effort. Each value is rounded
/// to the digits that files carry, so that the locations written to a file and read back are equal.
///
/// ```swift
/// let run = SampleRun(
///   course: SampleCourse(latitude: 49.0069, longitude: 8.4037),
///   start: Timestamp(microseconds: 1_780_986_600_000_000),
///   stages: [.run(.kilometers(1), at: Pace(secondsPerKilometer: 330)), .stand(seconds: 30)])
/// let locations = Array(run)
/// ```
public struct SampleRun: Sequence, Sendable, Hashable {
  /// A part of a run.
  public enum Stage: Sendable, Hashable {
    /// Running so far, at a pace that the runner takes a few seconds to find.
    case run(Distance, at: Pace)
    /// Standing still, with the recording going on.
    case stand(seconds: Double)
    /// The recording is paused; what follows is a new segment, at the same place.
    case pause(seconds: Double)
  }

  /// How far the recorded position is from the true one.
  public struct PositionNoise: Sendable, Hashable {
    /// Metres to each of north and east, correlated over `correlationTime`.
    public var wandering: Double
    /// Seconds.
    public var correlationTime: Double
    /// Metres to each of north and east, independent from location to location.
    public var white: Double

    /// Makes position noise.
    public init(wandering: Double, correlationTime: Double, white: Double) {
      self.wandering = wandering
      self.correlationTime = correlationTime
      self.white = white
    }

    /// The true position.
    public static let none = PositionNoise(wandering: 0, correlationTime: 1, white: 0)
    /// What a good watch writes: 3 m over 200 s, and 0.1 m.
    public static let goodWatch = PositionNoise(wandering: 3, correlationTime: 200, white: 0.1)
  }

  /// The course that is run.
  public var course: SampleCourse
  /// The time of the first location.
  public var start: Timestamp
  /// What the runner does, one stage after another.
  public var stages: [Stage]
  /// Seconds between two locations, whole and above 0.
  public var interval = 1
  /// The standard deviation of the runner's speed about the stage's, as a share of it.
  public var unsteadiness = 0.01
  /// How far recorded positions are from the true ones.
  public var positionNoise = PositionNoise.none
  /// Whether locations bear the receiver's speed, course and dilution of precision.
  public var measuresSpeed = false
  /// The standard deviation of the receiver's speed, m/s.
  public var speedNoise = 0.0
  /// Whether locations bear heart rate and cadence.
  public var hasSensors = true
  /// What chance begins from: the same seed gives the same run.
  public var seed: UInt64 = 1

  /// Makes a run; the rest is set on the value.
  public init(course: SampleCourse, start: Timestamp, stages: [Stage]) {
    self.course = course
    self.start = start
    self.stages = stages
  }

  /// Sets out at the start of the course.
  public func makeIterator() -> Iterator { Iterator(self) }
}

extension SampleRun {
  /// The runner on the way.
  public struct Iterator: IteratorProtocol, Sendable {
    private let run: SampleRun
    /// The runner's chance, and the receiver's: what is measured must not change what is run.
    private var runner: SeededGenerator
    private var receiver: SeededGenerator
    private var effort: WanderingNoise
    private var northError: WanderingNoise
    private var eastError: WanderingNoise

    private var stageIndex = 0
    /// Metres or seconds of the stage that are done.
    private var stageProgress = 0.0
    private var position: SamplePosition
    private var distance = 0.0
    private var speed = 0.0
    private var heartRate = 95.0
    /// Whole seconds since the start.
    private var clock: Int64 = 0
    private var segment: Int32 = 0

    init(_ run: SampleRun) {
      self.run = run
      runner = SeededGenerator(seed: run.seed)
      receiver = SeededGenerator(seed: ~run.seed)
      effort = WanderingNoise(deviation: run.unsteadiness, correlationTime: 20)
      let noise = run.positionNoise
      northError = WanderingNoise(
        deviation: noise.wandering, correlationTime: noise.correlationTime)
      eastError = northError
      position = SamplePosition(
        latitude: run.course.latitude, longitude: run.course.longitude)
    }

    /// The next location; `nil` once all stages are done.
    public mutating func next() -> Location? {
      while stageIndex < run.stages.count {
        if case .pause(let seconds) = run.stages[stageIndex] {
          clock += Int64(seconds)
          speed = 0
          segment += 1
          stageIndex += 1
        } else if stageIsDone {
          stageIndex += 1
          stageProgress = 0
        } else {
          let location = observe()
          for _ in 0..<Swift.max(run.interval, 1) { advanceOneSecond() }
          return location
        }
      }
      return nil
    }

    private var stageIsDone: Bool {
      switch run.stages[stageIndex] {
      case .run(let length, _): stageProgress >= length.meters
      case .stand(let seconds), .pause(let seconds): stageProgress >= seconds
      }
    }

    /// Moves the runner on by a second.
    private mutating func advanceOneSecond() {
      var aim = 0.0
      let strength = 1 + effort.next(after: 1, using: &runner)
      if case .run(_, let pace) = run.stages[stageIndex] {
        aim = 1_000 / pace.secondsPerKilometer * strength
      }
      // A runner finds a new speed within a few seconds, and stands when hardly moving.
      speed += (aim - speed) * 0.4
      if aim == 0, speed < 0.1 { speed = 0 }

      let heading = run.course.heading(at: distance + speed / 2) * .pi / 180
      position = position.moved(north: speed * cos(heading), east: speed * sin(heading))
      distance += speed
      clock += 1
      if case .run = run.stages[stageIndex] { stageProgress += speed } else { stageProgress += 1 }

      let grade = (run.course.altitude(at: distance + 1) - run.course.altitude(at: distance))
      let aimedRate = speed == 0 ? 95 : 78 + 26 * speed + 250 * Swift.max(grade, -0.02)
      heartRate += (aimedRate - heartRate) / 30
    }

    /// The runner as the watch sees it now.
    private mutating func observe() -> Location {
      let noise = run.positionNoise
      let seconds = Double(run.interval)
      var seen = position
      if noise != .none {
        seen = position.moved(
          north: northError.next(after: seconds, using: &receiver)
            + noise.white * receiver.normal(),
          east: eastError.next(after: seconds, using: &receiver)
            + noise.white * receiver.normal())
      }
      var location = Location(
        latitude: rounded(seen.latitude, 10_000_000),
        longitude: rounded(seen.longitude, 10_000_000),
        altitude: rounded(run.course.altitude(at: distance), 10),
        time: run.start.shifted(byMicroseconds: clock * 1_000_000),
        segment: segment)
      if run.measuresSpeed {
        let error = run.speedNoise > 0 ? run.speedNoise * receiver.normal() : 0
        location.speed = rounded(Swift.max(speed + error, 0), 1_000)
        let course = rounded(run.course.heading(at: distance), 10)
        location.course = course < 360 ? course : 0
        location.hdop = rounded(0.9 + 0.3 * receiver.uniform(), 10)
      }
      if run.hasSensors {
        location.heartRate = heartRate.rounded()
        // Garmin counts the steps of one leg.
        location.cadence = speed == 0 ? 0 : (70 + 5.5 * speed + receiver.uniform()).rounded()
      }
      return location
    }

    private func rounded(_ value: Double, _ scale: Double) -> Double {
      (value * scale).rounded() / scale
    }
  }
}

public import RunWayModel

/// A flight for previews, tests and fixtures: what a source says of itself, the mission, the locations.
///
/// `SampleFlight.all` fills a logbook for a preview; the same flights are written to `Fixtures/`.
public struct SampleFlight: Sendable, Hashable {
  /// What its source says of it.
  public var info: TrackInfo
  /// What the runner sets out to do; `nil` for a free flight.
  public var mission: Mission?
  /// The run that is recorded.
  public var run: SampleRun

  /// Makes a sample flight.
  public init(info: TrackInfo, mission: Mission? = nil, run: SampleRun) {
    self.info = info
    self.mission = mission
    self.run = run
  }

  /// The locations, in order.
  ///
  /// - Complexity: O(*n*) at each call.
  public var locations: [Location] { Array(run) }
}

extension SampleFlight {
  /// Five flights of a month, oldest first.
  public static let all = [tenKilometers, stops, midnight, dateLine, noisyWatch]

  /// 10 km against a mission of 5:30 ± 15 s: slow twice, fast once, and over the finish.
  public static let tenKilometers: SampleFlight = {
    let stages: [SampleRun.Stage] = [
      .run(.meters(1_800), at: pace(5, 28)),
      .run(.meters(600), at: pace(6, 5)),
      .run(.meters(1_900), at: pace(5, 30)),
      .run(.meters(800), at: pace(5, 0)),
      .run(.meters(1_700), at: pace(5, 31)),
      .run(.meters(400), at: pace(6, 0)),
      .run(.meters(2_840), at: pace(5, 27)),
    ]
    var run = SampleRun(
      course: SampleCourse(latitude: 49.0131, longitude: 8.4044, heading: 20),
      start: moment(9, 6, 30), stages: stages)
    run.seed = 10
    return SampleFlight(
      info: info("Ten kilometres"),
      mission: Mission(pace: pace(5, 30), tolerance: 15, distance: .kilometers(10)), run: run)
  }()

  /// 3.2 km in two segments: 45 s at a traffic light, later 5 min with the watch paused.
  public static let stops: SampleFlight = {
    let stages: [SampleRun.Stage] = [
      .run(.meters(900), at: pace(5, 40)),
      .stand(seconds: 45),
      .run(.meters(700), at: pace(5, 40)),
      .pause(seconds: 300),
      .run(.meters(1_600), at: pace(5, 50)),
    ]
    var run = SampleRun(
      course: SampleCourse(latitude: 48.1375, longitude: 11.5755, heading: 80, lapLength: 3_000),
      start: moment(14, 16, 5), stages: stages)
    run.seed = 20
    return SampleFlight(info: info("Traffic light and water"), run: run)
  }()

  /// A run over midnight, UTC, with the receiver's speed.
  public static let midnight: SampleFlight = {
    var run = SampleRun(
      course: SampleCourse(latitude: 51.4779, longitude: -0.0015, heading: 300, lapLength: 2_000),
      start: moment(20, 23, 56, 30),
      stages: [.run(.meters(1_200), at: pace(5, 50))])
    run.measuresSpeed = true
    run.seed = 30
    return SampleFlight(info: info("Over midnight"), run: run)
  }()

  /// A run to and fro over the 180th meridian.
  public static let dateLine: SampleFlight = {
    var run = SampleRun(
      course: SampleCourse(
        latitude: -16.7900, longitude: 179.9985, heading: 60, lapLength: 1_500, altitude: 20,
        hills: 8),
      start: moment(24, 18, 10),
      stages: [.run(.meters(1_500), at: pace(6, 10))])
    run.seed = 40
    return SampleFlight(info: info("Over the date line"), run: run)
  }()

  /// 3 km at a steady 5:30 as a good watch sees them, against a mission of 5:30 ± 15 s.
  public static let noisyWatch: SampleFlight = {
    var run = SampleRun(
      course: SampleCourse(latitude: 35.6852, longitude: 139.7528, heading: 180),
      start: moment(28, 21, 0),
      stages: [.run(.meters(3_000), at: pace(5, 30))])
    run.positionNoise = .goodWatch
    run.seed = 50
    return SampleFlight(
      info: info("Round the moat"),
      mission: Mission(pace: pace(5, 30), tolerance: 15, distance: .kilometers(3)), run: run)
  }()

  private static func info(_ name: String) -> TrackInfo {
    TrackInfo(name: name, type: "running", creator: "RunWay samples")
  }

  private static func pace(_ minutes: Double, _ seconds: Double) -> Pace {
    Pace(secondsPerKilometer: minutes * 60 + seconds)
  }

  /// A moment in June 2026, UTC.
  private static func moment(
    _ day: Int, _ hour: Int, _ minute: Int, _ second: Int = 0
  ) -> Timestamp {
    let days = Timestamp.days(year: 2026, month: 6, day: day)
    let seconds = Int64(((days * 24 + hour) * 60 + minute) * 60 + second)
    return Timestamp(microseconds: seconds * 1_000_000)
  }
}

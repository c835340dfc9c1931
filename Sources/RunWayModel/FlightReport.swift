/// What a flight amounts to.
public struct FlightTotals: Sendable, Hashable {
  /// The earliest time of a location that counts.
  public var startedAt: Timestamp?
  /// The latest.
  public var endedAt: Timestamp?
  /// The distance over the locations that count, not across breaks, not while stationary.
  public var distance: Distance = .zero
  /// The distance over all valid locations within the source's own segments.
  public var rawDistance: Distance = .zero
  /// Seconds from `startedAt` to `endedAt`; `nil` without times.
  public var elapsedTime: Double?
  /// Seconds of it without breaks and stops; `nil` without times.
  public var movingTime: Double?
  /// Metres climbed; `nil` without elevations.
  public var elevationGain: Double?
  /// Metres descended, 0 or more; `nil` without elevations.
  public var elevationLoss: Double?
  /// Beats per minute, the mean over moving time.
  public var heartRate: Double?
  /// Per minute, the mean over moving time.
  public var cadence: Double?
  /// The locations that count.
  public var coordinateCount = 0
  /// The source's segments that hold a valid location.
  public var segmentCount = 0
  /// The locations that do not count, by reason.
  public var discarded = DiscardCounts()

  /// Makes the totals of nothing.
  public init() {}

  /// Moving time over distance.
  public var pace: Pace? {
    movingTime.flatMap { Pace(covering: distance, in: $0) }
  }
}

/// One full kilometre or mile of a flight, or the part that is left at its end.
public struct Split: Sendable, Hashable {
  /// Counted from 1.
  public var index: Int
  /// The split's true length.
  public var distance: Distance
  /// Seconds, stops and breaks included; `nil` without times.
  public var elapsedTime: Double?
  /// Seconds without stops and breaks; `nil` without times.
  public var movingTime: Double?
  /// Metres climbed; `nil` without elevations.
  public var elevationGain: Double?
  /// Metres descended, 0 or more; `nil` without elevations.
  public var elevationLoss: Double?
  /// Beats per minute, the mean over moving time.
  public var heartRate: Double?

  /// Makes a split.
  public init(
    index: Int, distance: Distance, elapsedTime: Double? = nil, movingTime: Double? = nil,
    elevationGain: Double? = nil, elevationLoss: Double? = nil, heartRate: Double? = nil
  ) {
    self.index = index
    self.distance = distance
    self.elapsedTime = elapsedTime
    self.movingTime = movingTime
    self.elevationGain = elevationGain
    self.elevationLoss = elevationLoss
    self.heartRate = heartRate
  }

  /// Moving time over distance.
  public var pace: Pace? {
    movingTime.flatMap { Pace(covering: distance, in: $0) }
  }
}

/// A distance that runners compare themselves over.
public enum BestEffortDistance: String, Sendable, Hashable, CaseIterable, Codable {
  /// 400 m, a lap of the track.
  case fourHundredMeters = "400 m"
  /// 1000 m.
  case oneKilometer = "1 km"
  /// The international mile, 1609.344 m.
  case oneMile = "1 mile"
  /// 5000 m.
  case fiveKilometers = "5 km"
  /// 10,000 m.
  case tenKilometers = "10 km"
  /// 21,097.5 m.
  case halfMarathon = "Half marathon"
  /// 42,195 m.
  case marathon = "Marathon"

  /// The length; a marathon is 42.195 km.
  public var distance: Distance {
    switch self {
    case .fourHundredMeters: .meters(400)
    case .oneKilometer: .meters(1_000)
    case .oneMile: .mile
    case .fiveKilometers: .meters(5_000)
    case .tenKilometers: .meters(10_000)
    case .halfMarathon: .meters(21_097.5)
    case .marathon: .meters(42_195)
    }
  }
}

/// The fastest stretch of a given length in a flight, by elapsed time.
public struct BestEffort: Sendable, Hashable {
  /// The length of the stretch.
  public var kind: BestEffortDistance
  /// Seconds, stops and breaks included.
  public var elapsedTime: Double
  /// The distance run before the stretch.
  public var startDistance: Distance

  /// Makes a best effort.
  public init(kind: BestEffortDistance, elapsedTime: Double, startDistance: Distance) {
    self.kind = kind
    self.elapsedTime = elapsedTime
    self.startDistance = startDistance
  }

  /// Elapsed time over distance.
  public var pace: Pace? { Pace(covering: kind.distance, in: elapsedTime) }
}

/// Everything that is known of a flight once it has touched down.
public struct FlightReport: Sendable, Hashable {
  /// What the flight amounts to.
  public var totals: FlightTotals
  /// All alerts, in the order of their numbers.
  public var alerts: [Alert]
  /// The splits of 1000 m.
  public var kilometerSplits: [Split]
  /// The splits of a mile.
  public var mileSplits: [Split]
  /// Shortest first, where the flight is long enough.
  public var bestEfforts: [BestEffort]
  /// The recording's identity.
  public var fingerprint: RecordingFingerprint

  /// Makes a report.
  public init(
    totals: FlightTotals, alerts: [Alert] = [], kilometerSplits: [Split] = [],
    mileSplits: [Split] = [], bestEfforts: [BestEffort] = [], fingerprint: RecordingFingerprint
  ) {
    self.totals = totals
    self.alerts = alerts
    self.kilometerSplits = kilometerSplits
    self.mileSplits = mileSplits
    self.bestEfforts = bestEfforts
    self.fingerprint = fingerprint
  }
}

public import FoundationEssentials

/// The identity of a stored flight: a UUID in lower case.
public struct FlightID: Sendable, Hashable, RawRepresentable, CustomStringConvertible {
  /// The UUID as it is stored, in lower case.
  public let rawValue: String

  /// Takes an identity as it is stored.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// Makes an identity that no other flight has.
  public init(_ uuid: UUID = UUID()) {
    rawValue = uuid.uuidString.lowercased()
  }

  /// The UUID, as `rawValue` has it.
  public var description: String { rawValue }
}

/// What a track says of itself, apart from its locations.
public struct TrackInfo: Sendable, Hashable {
  /// The name the source gives the track.
  public var name: String?
  /// The activity, in the source's own words: "running".
  public var type: String?
  /// The program or device that wrote the source.
  public var creator: String?
  /// The energy the source says was spent, kcal.
  public var calories: Double?
  /// The speed limit for spikes that a flight was judged by before it was exported, metres per second.
  public var maxSpeed: Double?
  /// When the track began, as an export tells of one whose points bear no times.
  public var date: Timestamp?
  /// Whether an export says that the flight bears no date, nor any of its points a time.
  public var isUndated: Bool

  /// Makes what a track says of itself.
  public init(
    name: String? = nil, type: String? = nil, creator: String? = nil, calories: Double? = nil,
    maxSpeed: Double? = nil, date: Timestamp? = nil, isUndated: Bool = false
  ) {
    self.name = name
    self.type = type
    self.creator = creator
    self.calories = calories
    self.maxSpeed = maxSpeed
    self.date = date
    self.isUndated = isUndated
  }
}

/// The format of a source.
public enum TrackFormat: String, Sendable, Hashable, CaseIterable, Codable {
  /// GPX 1.0 or 1.1, plain or compressed by gzip.
  case gpx
  /// NMEA 0183 sentences, plain or compressed by gzip.
  case nmea
}

/// Where a flight came from.
public struct FlightSource: Sendable, Hashable {
  /// The file's path as it was given, `-` for standard input.
  public var path: String?
  /// The format; `nil` where it is not known.
  public var format: TrackFormat?
  /// The program or device that wrote it.
  public var creator: String?

  /// Makes a source.
  public init(path: String? = nil, format: TrackFormat? = nil, creator: String? = nil) {
    self.path = path
    self.format = format
    self.creator = creator
  }
}

/// One run: everything that is stored of it, apart from its coordinates, alerts and splits.
public struct Flight: Sendable, Hashable, Identifiable {
  /// Its identity, which no other flight has.
  public var id: FlightID
  /// What its source or the runner calls it.
  public var name: String?
  /// The activity, in the source's or the runner's words: "running".
  public var type: String?
  /// What the runner wrote on it.
  public var notes: String?
  /// Where it came from.
  public var source: FlightSource
  /// What the runner set out to do; `nil` for a free flight.
  public var mission: Mission?
  /// The name of the saved mission it was flown with, while that one exists.
  public var missionName: String?
  /// How it was judged, apart from the mission.
  public var options: FlightOptions
  /// What it amounts to; while it lasts, what is known so far.
  public var totals: FlightTotals
  /// What of the source could not be used, counted by reason.
  public var rejected: [String: Int]
  /// How many alerts are stored of it.
  public var alertCount: Int
  /// The energy the source says was spent, kcal.
  public var calories: Double?
  /// Kilocalories: what the source says, else from weight and distance.
  public var fuel: Double?
  /// Begun, not touched down, and no process is flying it.
  public var interrupted: Bool
  /// Begun, not touched down, and a process is flying it.
  public var live: Bool
  /// The names of its tags, in alphabetical order.
  public var tags: [String]

  /// Makes a flight.
  public init(
    id: FlightID, name: String? = nil, type: String? = nil, notes: String? = nil,
    source: FlightSource = FlightSource(), mission: Mission? = nil, missionName: String? = nil,
    options: FlightOptions = FlightOptions(), totals: FlightTotals = FlightTotals(),
    rejected: [String: Int] = [:], alertCount: Int = 0, calories: Double? = nil,
    fuel: Double? = nil,
    interrupted: Bool = false, live: Bool = false, tags: [String] = []
  ) {
    self.id = id
    self.name = name
    self.type = type
    self.notes = notes
    self.source = source
    self.mission = mission
    self.missionName = missionName
    self.options = options
    self.totals = totals
    self.rejected = rejected
    self.alertCount = alertCount
    self.calories = calories
    self.fuel = fuel
    self.interrupted = interrupted
    self.live = live
    self.tags = tags
  }

  /// Whether it has a mission.
  public var mode: FlightMode { mission == nil ? .modeB : .modeA }

  /// The energy a run takes: 1.036 kcal a kilogram of the runner and kilometre.
  ///
  /// - Parameters:
  ///   - weight: The runner's, kilograms.
  ///   - distance: The distance run.
  /// - Returns: Kilocalories.
  public static func fuel(weight: Double, over distance: Distance) -> Double {
    1.036 * weight * distance.kilometers
  }
}

import RunWayModel
import RunWayTracking

/// Tracks of locations at known distances, made without the code under test.
///
/// All lie on the equator, where a metre to the east is the same everywhere: 360° are 2πa, a = 6,378,137 m.
enum Track {
  static let degreesPerMeter = 180 / (Double.pi * 6_378_137)
  /// 2026-06-09T06:30:00Z.
  static let start = Timestamp(microseconds: 1_780_986_600_000_000)

  /// The moment so many seconds after the start.
  static func time(_ seconds: Double) -> Timestamp {
    Timestamp(microseconds: start.microseconds + Int64((seconds * 1_000_000).rounded()))
  }

  /// A location so many metres east of the start.
  static func location(
    at seconds: Double?, _ meters: Double, altitude: Double? = nil, speed: Double? = nil,
    heartRate: Double? = nil, cadence: Double? = nil, segment: Int32 = 0
  ) -> Location {
    Location(
      latitude: 0, longitude: meters * degreesPerMeter, altitude: altitude,
      time: seconds.map(time), speed: speed, heartRate: heartRate, cadence: cadence,
      segment: segment)
  }

  /// A run at constant speeds.
  ///
  /// - Parameters:
  ///   - legs: Seconds and metres per second, one after the other.
  ///   - interval: Seconds between locations.
  ///   - withSpeed: Whether the receiver gives the speed.
  /// - Returns: The locations, the first at the start.
  static func run(
    _ legs: [(seconds: Double, speed: Double)], every interval: Double = 1,
    withSpeed: Bool = false
  ) -> [Location] {
    let total = legs.reduce(0) { $0 + $1.seconds }
    return stride(from: 0, through: total, by: interval).map { time in
      var left = time
      var meters = 0.0
      var current = legs[0].speed
      for leg in legs {
        let part = min(left, leg.seconds)
        meters += part * leg.speed
        left -= part
        if part > 0 { current = leg.speed }
        if left <= 0 { break }
      }
      return location(at: time, meters, speed: withSpeed ? current : nil)
    }
  }
}

/// Flies a track at once.
func fly(
  _ locations: [Location], mission: Mission? = nil, options: FlightOptions = FlightOptions(),
  snapshots: Bool = false
) -> (update: FlightUpdate, report: FlightReport) {
  var computer = FlightComputer(mission: mission, options: options, snapshots: snapshots)
  var update = FlightUpdate()
  computer.process(locations, into: &update)
  let report = computer.finish(into: &update)
  return (update, report)
}

extension Double {
  /// Whether two lengths or times agree to a ten-thousandth.
  func isClose(to other: Double, within tolerance: Double = 1e-4) -> Bool {
    abs(self - other) <= tolerance
  }
}

import RunWayModel
import RunWaySamples

/// Makes the recording of a run as a watch would, with the errors of its receiver.
struct RunSimulator {
  /// What the receiver gives beside the position.
  enum Receiver: String, CaseIterable {
    case positionsOnly
    case measuresSpeed
  }

  var receiver: Receiver
  /// Deviation of the slowly drifting part of the position error, metres, each for east and north.
  var drift = 3.0
  /// Seconds over which the drift is correlated.
  var driftTime = 200.0
  /// Deviation of the part that is new with every location, metres.
  var jitter = 0.1
  /// Deviation of the receiver's speed, metres per second.
  var speedError = 0.3

  /// The recording at 1 Hz of a run due north-east.
  ///
  /// - Parameters:
  ///   - legs: Seconds and pace in seconds per kilometre.
  ///   - seed: The errors' seed.
  /// - Returns: The locations, from the start to the end of the last leg.
  func run(_ legs: [(seconds: Int, pace: Double)], seed: UInt64) -> [Location] {
    var generator = SeededGenerator(seed: seed)
    // A first-order process keeps its deviation if each second's innovation has the rest of the variance.
    let persistence = 1 - 1 / driftTime
    let innovation = drift * (1 - persistence * persistence).squareRoot()
    var error = (east: drift * generator.normal(), north: drift * generator.normal())
    var meters = 0.0
    var second = 0
    var locations: [Location] = []
    for leg in legs {
      for _ in 0..<leg.seconds {
        let speed = 1_000 / leg.pace
        locations.append(
          location(at: second, meters, speed: speed, error: error, using: &generator))
        meters += speed
        second += 1
        error.east = persistence * error.east + innovation * generator.normal()
        error.north = persistence * error.north + innovation * generator.normal()
      }
    }
    return locations
  }

  private func location(
    at second: Int, _ meters: Double, speed: Double, error: (east: Double, north: Double),
    using generator: inout SeededGenerator
  ) -> Location {
    let diagonal = meters * 0.5.squareRoot()
    let east = diagonal + error.east + jitter * generator.normal()
    let north = diagonal + error.north + jitter * generator.normal()
    // A sphere is good enough to place errors on; 48° north, where its cosine is 0.669.
    let degrees = 1 / 111_200.0
    return Location(
      latitude: 48 + north * degrees, longitude: 11 + east * degrees / 0.669,
      time: Track.time(Double(second)),
      speed: receiver == .measuresSpeed
        ? max(0, speed + speedError * generator.normal()) : nil)
  }
}

import RunWayModel

/// SplitMix64 (Steele, Lea, Flood 2014): the same numbers from the same seed on every machine.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xbf58_476d_1ce4_e5b9
    bits = (bits ^ (bits >> 27)) &* 0x94d0_49bb_1331_11eb
    return bits ^ (bits >> 31)
  }

  /// A number of the normal distribution with mean 0 and deviation 1: the sum of twelve uniform ones less 6.
  ///
  /// The tails end at 6; in exchange no logarithm has to agree between machines.
  mutating func normal() -> Double {
    // Twelve numbers of 16 bits in three draws; half a step centres them.
    var sum = 6
    for _ in 0..<3 {
      let bits = next()
      for shift in [0, 16, 32, 48] as [UInt64] {
        sum += Int(truncatingIfNeeded: bits >> shift & 0xffff)
      }
    }
    return Double(sum) / 65_536 - 6
  }
}

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

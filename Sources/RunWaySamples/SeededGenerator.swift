internal import Glibc

/// A small random number generator that gives the same numbers for the same seed, on every machine.
///
/// SplitMix64: Guy L. Steele Jr., Doug Lea, Christine H. Flood, “Fast Splittable Pseudorandom Number
/// Generators”, 2014. The standard library's own distributions may change between releases, so
/// the few that are needed stand here.
public struct SeededGenerator: RandomNumberGenerator, Sendable, Hashable {
  private var state: UInt64

  /// Makes a generator.
  public init(seed: UInt64) {
    state = seed
  }

  /// The next 64 bits.
  public mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }

  /// The next number of an even distribution over 0 ..< 1.
  public mutating func uniform() -> Double {
    // The upper 53 bits are as many as a `Double` holds.
    Double(next() >> 11) * 0x1p-53
  }

  /// The next number of a normal distribution with mean 0 and standard deviation 1 (Box–Muller).
  public mutating func normal() -> Double {
    let radius = (-2 * log(1 - uniform())).squareRoot()
    return radius * cos(2 * .pi * uniform())
  }
}

/// Noise that wanders: a first-order Gauss–Markov process.
///
/// Its autocorrelation falls to 1/e within `correlationTime`; that is how the error of a satellite
/// fix and the effort of a runner behave.
public struct WanderingNoise: Sendable, Hashable {
  /// The standard deviation.
  public var deviation: Double
  /// Seconds, above 0.
  public var correlationTime: Double
  private var value: Double?

  /// Makes noise that has not begun.
  public init(deviation: Double, correlationTime: Double) {
    self.deviation = deviation
    self.correlationTime = correlationTime
  }

  /// The noise so many seconds after the last call.
  public mutating func next(
    after seconds: Double, using generator: inout SeededGenerator
  ) -> Double {
    let fresh = deviation * generator.normal()
    let kept = exp(-seconds / correlationTime)
    let moved = value.map { kept * $0 + (1 - kept * kept).squareRoot() * fresh } ?? fresh
    value = moved
    return moved
  }
}

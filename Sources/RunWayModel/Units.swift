/// A length on the ground.
@frozen public struct Distance: Sendable, Hashable, Comparable {
  /// Metres.
  public var meters: Double

  /// Makes a distance of so many metres.
  @inlinable public init(meters: Double) {
    self.meters = meters
  }

  /// No length at all.
  public static let zero = Distance(meters: 0)

  /// The international mile, 1609.344 m.
  public static let mile = Distance(meters: 1_609.344)

  /// Makes a distance of so many metres.
  @inlinable public static func meters(_ meters: Double) -> Distance {
    Distance(meters: meters)
  }

  /// Makes a distance of so many kilometres.
  @inlinable public static func kilometers(_ kilometers: Double) -> Distance {
    Distance(meters: kilometers * 1_000)
  }

  /// Makes a distance of so many international miles of 1609.344 m.
  @inlinable public static func miles(_ miles: Double) -> Distance {
    Distance(meters: miles * mile.meters)
  }

  /// This distance in kilometres.
  public var kilometers: Double { meters / 1_000 }

  /// This distance in international miles.
  public var miles: Double { meters / Distance.mile.meters }

  @inlinable public static func < (left: Distance, right: Distance) -> Bool {
    left.meters < right.meters
  }

  /// The sum of two distances.
  @inlinable public static func + (left: Distance, right: Distance) -> Distance {
    Distance(meters: left.meters + right.meters)
  }

  /// Adds a distance to another.
  @inlinable public static func += (left: inout Distance, right: Distance) {
    left.meters += right.meters
  }
}

/// The time a kilometre takes.
@frozen public struct Pace: Sendable, Hashable, Comparable {
  /// Seconds per kilometre, finite and above 0.
  public var secondsPerKilometer: Double

  /// Makes a pace of so many seconds per kilometre.
  @inlinable public init(secondsPerKilometer: Double) {
    self.secondsPerKilometer = secondsPerKilometer
  }

  /// Makes the pace that belongs to a speed, or none where the speed is not finite and above 0.
  ///
  /// - Parameter metersPerSecond: The speed.
  @inlinable public init?(metersPerSecond: Double) {
    let pace = 1_000 / metersPerSecond
    guard pace > 0, pace.isFinite else { return nil }
    secondsPerKilometer = pace
  }

  /// Makes the pace at which a distance is covered in a time, or none where either is not above 0.
  ///
  /// - Parameters:
  ///   - distance: The distance covered.
  ///   - seconds: The time it took.
  public init?(covering distance: Distance, in seconds: Double) {
    let pace = seconds * 1_000 / distance.meters
    guard distance.meters > 0, pace > 0, pace.isFinite else { return nil }
    secondsPerKilometer = pace
  }

  /// Seconds per international mile.
  public var secondsPerMile: Double { secondsPerKilometer * Distance.mile.kilometers }

  @inlinable public static func < (left: Pace, right: Pace) -> Bool {
    left.secondsPerKilometer < right.secondsPerKilometer
  }
}

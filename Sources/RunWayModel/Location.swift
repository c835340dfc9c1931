/// One fix, as its source gave it.
///
/// What the source did not say is `nil`, never 0. A location is a plain value: whether it counts
/// towards a flight is decided where flights are measured.
@frozen public struct Location: Sendable, Hashable {
  /// Degrees north, WGS 84, −90 … 90; NaN where the source's value could not be read.
  public var latitude: Double
  /// Degrees east, WGS 84, −180 … 180; NaN where the source's value could not be read.
  public var longitude: Double
  /// Metres above the source's own zero, mostly mean sea level.
  public var altitude: Double?
  /// When the fix was taken.
  public var time: Timestamp?
  /// Metres per second over ground, as the receiver measured it, 0 or more.
  public var speed: Double?
  /// Degrees clockwise from true north, 0 ..< 360.
  public var course: Double?
  /// Horizontal dilution of precision, without a unit.
  public var hdop: Double?
  /// Beats per minute.
  public var heartRate: Double?
  /// Steps or revolutions per minute, as the sensor counts them.
  public var cadence: Double?
  /// Watts.
  public var power: Double?
  /// The number of the source's own segment, counted from 0 within a flight.
  ///
  /// Nothing is measured between two locations of different segments.
  public var segment: Int32

  /// Makes a location; what is left out is absent.
  @inlinable public init(
    latitude: Double, longitude: Double, altitude: Double? = nil, time: Timestamp? = nil,
    speed: Double? = nil, course: Double? = nil, hdop: Double? = nil, heartRate: Double? = nil,
    cadence: Double? = nil, power: Double? = nil, segment: Int32 = 0
  ) {
    self.latitude = latitude
    self.longitude = longitude
    self.altitude = altitude
    self.time = time
    self.speed = speed
    self.course = course
    self.hdop = hdop
    self.heartRate = heartRate
    self.cadence = cadence
    self.power = power
    self.segment = segment
  }

  /// Whether latitude and longitude are numbers within their ranges.
  @inlinable public var isValid: Bool {
    // NaN fails both comparisons.
    abs(latitude) <= 90 && abs(longitude) <= 180
  }
}

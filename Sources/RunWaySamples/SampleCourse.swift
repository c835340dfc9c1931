internal import Glibc
internal import RunWayModel

/// A course that does not exist: a winding lap over hills, given by formulas of the distance run.
public struct SampleCourse: Sendable, Hashable {
  /// Degrees north, WGS 84, of the start.
  public var latitude: Double
  /// Degrees east, WGS 84, of the start.
  public var longitude: Double
  /// Degrees clockwise from true north at the start.
  public var heading: Double
  /// Metres after which the course has turned once around.
  public var lapLength: Double
  /// Metres above sea level, about which the course rises and falls.
  public var altitude: Double
  /// Metres from the middle of a hill to its top.
  public var hills: Double

  /// Makes a course.
  public init(
    latitude: Double, longitude: Double, heading: Double = 0, lapLength: Double = 5_000,
    altitude: Double = 120, hills: Double = 12
  ) {
    self.latitude = latitude
    self.longitude = longitude
    self.heading = heading
    self.lapLength = lapLength
    self.altitude = altitude
    self.hills = hills
  }

  /// The direction of the course, degrees clockwise from true north, 0 ..< 360.
  func heading(at distance: Double) -> Double {
    let turned = heading + 360 * distance / lapLength + 30 * sin(2 * .pi * distance / 430)
    let wrapped = turned.truncatingRemainder(dividingBy: 360)
    return wrapped < 0 ? wrapped + 360 : wrapped
  }

  /// The height of the course, metres above sea level.
  func altitude(at distance: Double) -> Double {
    let lap = 2 * Double.pi * distance / lapLength
    return altitude + hills * (sin(lap) + 0.35 * sin(5 * lap + 1))
  }
}

/// A place that is moved step by step over the WGS 84 ellipsoid.
struct SamplePosition: Sendable, Hashable {
  var latitude: Double
  var longitude: Double

  /// This place moved by metres to the north and to the east.
  ///
  /// The inverse of the local ellipsoidal form, with the radii of curvature at the step's middle
  /// latitude; good to a part in 10⁹ for steps of a runner.
  func moved(north: Double, east: Double) -> SamplePosition {
    let radian = Double.pi / 180
    let squaredEccentricity = Geodesic.flattening * (2 - Geodesic.flattening)
    var middle = latitude
    var moved = self
    // The second round knows the middle latitude; a third would change nothing.
    for _ in 0..<2 {
      let sine = sin(middle * radian)
      let root = 1 - squaredEccentricity * sine * sine
      let primeVertical = Geodesic.equatorialRadius / root.squareRoot()
      let meridional = primeVertical * (1 - squaredEccentricity) / root
      moved.latitude = latitude + north / meridional / radian
      moved.longitude = longitude + east / (primeVertical * cos(middle * radian)) / radian
      middle = (latitude + moved.latitude) / 2
    }
    if moved.longitude >= 180 { moved.longitude -= 360 }
    if moved.longitude < -180 { moved.longitude += 360 }
    return moved
  }
}

/// Lengths of geodesics on the WGS 84 ellipsoid.
public enum Geodesic {
  /// The equatorial radius of WGS 84 in metres.
  public static let equatorialRadius = 6_378_137.0
  /// The flattening of WGS 84.
  public static let flattening = 1 / 298.257223563
}

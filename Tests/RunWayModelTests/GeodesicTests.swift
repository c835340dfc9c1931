import RunWayModel
import Testing

@Suite struct GeodesicTests {
  /// What a length may differ by: 0.01 ppm, and a nanometre-scale share for the digits of a coordinate near 180°
  /// (180° in radians has steps of 4e-16, which are 3 nm on the ground).
  private func tolerance(_ length: Double) -> Double { length * 1e-8 + 6e-9 }

  @Test(arguments: geographicLibLengths.indices)
  func `lengths agree with GeographicLib within 0.01 ppm`(row: Int) {
    let (latitude1, longitude1, latitude2, longitude2, expected) = geographicLibLengths[row]
    let there = Geodesic.length(
      fromLatitude: latitude1, longitude: longitude1, toLatitude: latitude2, longitude: longitude2)
    #expect(abs(there - expected) <= tolerance(expected), "\(there) is not \(expected)")
    let back = Geodesic.length(
      fromLatitude: latitude2, longitude: longitude2, toLatitude: latitude1, longitude: longitude1)
    #expect(abs(back - expected) <= tolerance(expected), "\(back) is not \(expected)")
  }

  @Test(arguments: geographicLibLengths.indices)
  func `a stepper agrees whatever it measured before`(row: Int) {
    let (latitude1, longitude1, latitude2, longitude2, expected) = geographicLibLengths[row]
    for displacement in [-0.0039, -0.001, 0, 0.0025, 0.0039, 1] {
      var stepper = GeodesicStepper()
      let elsewhere = min(90, max(-90, latitude1 + displacement))
      _ = stepper.length(
        fromLatitude: elsewhere, longitude: 0, toLatitude: elsewhere, longitude: 0)
      let length = stepper.length(
        fromLatitude: latitude1, longitude: longitude1, toLatitude: latitude2,
        longitude: longitude2)
      #expect(abs(length - expected) <= tolerance(expected), "\(length) is not \(expected)")
    }
  }

  @Test func `every pair of valid points has a finite length of at most half a meridian ellipse`() {
    let latitudes = [
      -90, -89.99999999, -45, -1e-7, -Double.leastNonzeroMagnitude, -0.0, 0,
      Double.leastNonzeroMagnitude, 1e-12, 30, 89.99999, 90,
    ]
    let longitudes = [
      -180, -179.99999999, -90, -0.0, 0, 1e-12, 0.5, 179.4, 179.5, 179.99999999, 180,
    ]
    // The meridian quadrant of WGS 84 is 10,001,965.729 m.
    let longest = 20_003_931.4587
    for latitude1 in latitudes {
      for longitude1 in longitudes {
        for latitude2 in latitudes {
          for longitude2 in longitudes {
            let length = Geodesic.length(
              fromLatitude: latitude1, longitude: longitude1, toLatitude: latitude2,
              longitude: longitude2)
            #expect(length >= 0 && length <= longest)
          }
        }
      }
    }
  }

  @Test func `a point lies nowhere but at itself`() {
    for (latitude, longitude) in [(0.0, 0.0), (52.5, 13.4), (90, 10), (-90, 180), (84.9, -180)] {
      let length = Geodesic.length(
        fromLatitude: latitude, longitude: longitude, toLatitude: latitude, longitude: longitude)
      #expect(length == 0)
    }
  }
}

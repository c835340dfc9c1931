import Foundation
import Testing

/// A run along the equator at an even speed: one position a second.
///
/// A degree of longitude is π ÷ 180 × 6 378 137 m there, along the ellipsoid's own circle, so that distances
/// follow from the speed alone.
struct EvenRun {
  var name: String
  var start: Date
  /// Metres a second.
  var speed: Double
  var seconds: Int
  /// The energy that the file itself tells, kcal.
  var calories: Int?

  init(_ name: String, start: Date, speed: Double, seconds: Int, calories: Int? = nil) {
    (self.name, self.start) = (name, start)
    (self.speed, self.seconds, self.calories) = (speed, seconds, calories)
  }

  init(_ name: String, _ start: String, speed: Double, seconds: Int, calories: Int? = nil) {
    let start = ISO8601DateFormatter().date(from: start) ?? .distantPast
    self.init(name, start: start, speed: speed, seconds: seconds, calories: calories)
  }

  var gpx: String {
    let formatter = ISO8601DateFormatter()
    let degree = Double.pi / 180 * 6_378_137
    var text = """
      <gpx version="1.1" creator="tests" xmlns="http://www.topografix.com/GPX/1/1"><trk><name>\(name)</name>
      """
    if let calories { text += "<extensions><calories>\(calories)</calories></extensions>" }
    text += "<trkseg>\n"
    for second in 0...seconds {
      let longitude = String(format: "%.8f", 8 + speed * Double(second) / degree)
      let time = formatter.string(from: start + Double(second))
      text += "<trkpt lat=\"0\" lon=\"\(longitude)\"><ele>100</ele><time>\(time)</time></trkpt>\n"
    }
    return text + "</trkseg></trk></gpx>\n"
  }

  // 1200 m in 300 s, 250 s/km; 1500 m in 600 s, 400 s/km; 600 m in 200 s, 333 s/km.
  static let alpha = EvenRun("Alpha run", "2026-06-01T10:00:00Z", speed: 4, seconds: 300)
  static let beta = EvenRun("Beta", "2026-06-02T10:00:00Z", speed: 2.5, seconds: 600)
  static let alphabet = EvenRun("alphabet", "2026-06-03T10:00:00Z", speed: 3, seconds: 200)
}

extension LogbookOnDisk {
  /// Imports a run.
  ///
  /// - Returns: The flight.
  @discardableResult
  func fly(_ run: EvenRun, _ options: String...) throws -> JSONValue {
    let path = try folder.write(run.gpx, to: "\(run.name).gpx")
    let result = try runway(["import", "--json", path] + options)
    #expect(result.status == 0, "\(result.standardError)")
    let line = try #require(try result.jsonLines().first)
    #expect(line["status"].string == "imported")
    return line["flight"]
  }

  /// The names of the flights that a list holds, in its order.
  func names(_ arguments: [String] = []) throws -> [String] {
    try runway(["flights", "--json"] + arguments).json().array.map { $0["name"].string ?? "" }
  }

  func latest() throws -> JSONValue {
    try runway("show", "latest", "--json").json()
  }

  func flightID(named name: String) throws -> String {
    let flights = try runway("flights", "--json").json().array
    return try #require(flights.first { $0["name"].string == name }?["id"].string)
  }
}

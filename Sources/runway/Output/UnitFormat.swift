internal import RunWayModel

/// Numbers for people, in metric or imperial units.
struct UnitFormat: Sendable {
  enum System: String, CaseIterable, Sendable {
    case metric, imperial
  }

  var system: System

  static let absent = "–"

  var distanceUnit: String { system == .metric ? "km" : "mi" }
  var paceUnit: String { system == .metric ? "/km" : "/mi" }
  var heightUnit: String { system == .metric ? "m" : "ft" }

  /// Minutes and seconds, `5:30`, and hours where there are any, `1:05:30`.
  ///
  /// The whole is rounded before it is split, so never `5:60`.
  static func duration(_ seconds: Double?) -> String {
    guard let seconds, seconds.isFinite, abs(seconds) < 1e15 else { return absent }
    let whole = Int(abs(seconds).rounded())
    let text =
      whole < 3_600
      ? "\(whole / 60):\(DateText.twoDigits(whole % 60))"
      : "\(whole / 3_600):\(DateText.twoDigits(whole / 60 % 60)):\(DateText.twoDigits(whole % 60))"
    return seconds < 0 && whole > 0 ? "−" + text : text
  }

  /// `5:30`, without the unit; absent from 100 minutes on, which is nobody's pace.
  func pace(_ pace: Pace?) -> String {
    let seconds = pace.map { system == .metric ? $0.secondsPerKilometer : $0.secondsPerMile }
    guard let seconds, seconds.rounded() < 6_000 else { return UnitFormat.absent }
    return UnitFormat.duration(seconds)
  }

  /// `5:30 /km`.
  func paceWithUnit(_ pace: Pace?) -> String {
    let text = self.pace(pace)
    return text == UnitFormat.absent ? text : "\(text) \(paceUnit)"
  }

  /// `10.00`, in kilometres or miles.
  func distance(_ distance: Distance, digits: Int = 2) -> String {
    UnitFormat.fixed(system == .metric ? distance.kilometers : distance.miles, digits: digits)
  }

  /// `10.00 km`.
  func distanceWithUnit(_ distance: Distance, digits: Int = 2) -> String {
    "\(self.distance(distance, digits: digits)) \(distanceUnit)"
  }

  /// `123`, in metres or feet.
  func height(_ meters: Double?) -> String {
    guard let meters else { return UnitFormat.absent }
    return UnitFormat.fixed(system == .metric ? meters : meters / 0.3048, digits: 0)
  }

  /// A whole number, rounded.
  static func whole(_ value: Double?) -> String {
    value.map { fixed($0, digits: 0) } ?? absent
  }

  /// A number with so many digits behind the point, halves away from zero.
  static func fixed(_ value: Double, digits: Int) -> String {
    var scale = 1
    for _ in 0..<digits { scale *= 10 }
    let scaled = (value * Double(scale)).rounded()
    guard scaled.isFinite, let units = Int(exactly: scaled) else { return absent }
    let sign = units < 0 ? "−" : ""
    guard digits > 0 else { return "\(sign)\(units.magnitude)" }
    let fraction = String(units.magnitude % UInt(scale) + UInt(scale)).dropFirst()
    return "\(sign)\(units.magnitude / UInt(scale)).\(fraction)"
  }
}

internal import RunWayModel

/// The small languages of option arguments.
enum ValueParsing {
  /// `5:30`, `1:05:30`, `330`: minutes and seconds, or seconds; above 0.
  static func duration(_ text: String) -> Double? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard (1...3).contains(parts.count) else { return nil }
    var seconds = 0.0
    for (index, part) in parts.enumerated() {
      guard let value = number(part), index == 0 || value < 60 else { return nil }
      guard index == parts.count - 1 || value == value.rounded() else { return nil }
      seconds = seconds * 60 + value
    }
    return seconds > 0 && seconds.isFinite ? seconds : nil
  }

  /// A pace in the units asked for: `5:30` is per kilometre, or per mile; `5:30/km` and `8:51/mi` say so.
  ///
  /// A bare number is none, for it may mean minutes as well as seconds.
  static func pace(_ text: String, units: UnitFormat.System) -> Pace? {
    var text = text[...]
    var perMile = units == .imperial
    for (suffix, isMile) in [("/km", false), ("/mi", true)] where text.hasSuffix(suffix) {
      text = text.dropLast(suffix.count)
      perMile = isMile
    }
    guard text.contains(":"), let seconds = duration(String(text)), seconds >= 1, seconds <= 86_400
    else { return nil }
    return Pace(secondsPerKilometer: perMile ? seconds / Distance.mile.kilometers : seconds)
  }

  /// `10km`, `10k`, `5000m`, `3mi`, `half`, `marathon`; a bare number is kilometres, or miles with imperial units.
  static func distance(
    _ text: String, units: UnitFormat.System, allowsZero: Bool = false
  ) -> Distance? {
    let words: [(String, Double)] = [
      ("km", 1_000), ("k", 1_000), ("mi", Distance.mile.meters), ("m", 1),
    ]
    switch text.lowercased() {
    case "half", "halfmarathon", "half-marathon": return BestEffortDistance.halfMarathon.distance
    case "marathon": return BestEffortDistance.marathon.distance
    default: break
    }
    var number = text[...]
    var factor = units == .metric ? 1_000 : Distance.mile.meters
    for (unit, meters) in words where number.lowercased().hasSuffix(unit) {
      number = number.dropLast(unit.count)
      factor = meters
      break
    }
    while number.last == " " { number.removeLast() }
    guard let value = Self.number(number), value > 0 || allowsZero, value * factor <= 1e7 else {
      return nil
    }
    return Distance(meters: value * factor)
  }

  /// A decimal number of 0 or more, digits and one point only.
  static func number(_ text: some StringProtocol) -> Double? {
    guard !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) || $0 == 46 }) else {
      return nil
    }
    return Double(text)
  }

  /// A whole calendar date, or a moment with a time of day.
  enum When: Sendable, Hashable {
    case day(Int)
    case moment(Timestamp)
  }

  /// `2026-06-09`, `2026-06-09T06:30`, `…:15`, `…Z`, `…+09:00`, `today`, `yesterday`; what names no zone is in the clock's.
  static func when(_ text: String, clock: TimeZoneClock, now: Timestamp) -> When? {
    var clock = clock
    switch text {
    case "today": return .day(clock.dayNumber(of: now))
    case "yesterday": return .day(clock.dayNumber(of: now) - 1)
    default: break
    }
    var scanner = DigitScanner(text)
    guard let year = scanner.digits(4), year >= 1, scanner.skip("-"),
      let month = scanner.digits(2), (1...12).contains(month), scanner.skip("-"),
      let day = scanner.digits(2), day >= 1, day <= Timestamp.daysInMonth(month, year: year)
    else { return nil }
    if scanner.isAtEnd { return .day(Timestamp.days(year: year, month: month, day: day)) }

    guard scanner.skip("T") || scanner.skip(" "),
      let hour = scanner.digits(2), hour < 24, scanner.skip(":"),
      let minute = scanner.digits(2), minute < 60
    else { return nil }
    var second = 0
    if scanner.skip(":") {
      guard let value = scanner.digits(2), value < 60 else { return nil }
      second = value
    }
    let local = Timestamp.Components(
      year: year, month: month, day: day, hour: hour, minute: minute, second: second,
      microsecond: 0)
    if scanner.isAtEnd { return .moment(clock.moment(of: local)) }
    guard let offset = scanner.zoneOffset(), scanner.isAtEnd else { return nil }
    let moment = TimeZoneClock(.fixed(0)).moment(of: local)
    return .moment(moment.shifted(byMicroseconds: -Int64(offset) * 1_000_000))
  }

  /// `2026-06`, `2026`: a whole month or year, as days counted from 1970-01-01.
  static func period(_ text: String) -> ClosedRange<Int>? {
    var scanner = DigitScanner(text)
    guard let year = scanner.digits(4), year >= 1 else { return nil }
    var months = 1...12
    if scanner.skip("-") {
      guard let month = scanner.digits(2), months.contains(month) else { return nil }
      months = month...month
    }
    guard scanner.isAtEnd else { return nil }
    let last = months.upperBound
    return Timestamp.days(
      year: year, month: months.lowerBound, day: 1)...Timestamp.days(
        year: year, month: last, day: Timestamp.daysInMonth(last, year: year))
  }

  /// A time zone by its name, `UTC`, or an offset such as `+09:00`.
  static func timeZone(_ text: String) -> ClockZone? {
    if let zone = ClockZone(name: text) { return zone }
    var scanner = DigitScanner(text)
    guard let offset = scanner.zoneOffset(), scanner.isAtEnd else { return nil }
    return .fixed(offset)
  }
}

/// Reads digits and marks off the front of a short text.
private struct DigitScanner {
  private var rest: ArraySlice<UInt8>

  init(_ text: String) {
    rest = Array(text.utf8)[...]
  }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func digits(_ count: Int) -> Int? {
    guard rest.count >= count, rest.prefix(count).allSatisfy({ (48...57).contains($0) }) else {
      return nil
    }
    let value = rest.prefix(count).reduce(0) { $0 * 10 + Int($1) - 48 }
    rest = rest.dropFirst(count)
    return value
  }

  mutating func skip(_ mark: Unicode.Scalar) -> Bool {
    guard rest.first == UInt8(ascii: mark) else { return false }
    rest = rest.dropFirst()
    return true
  }

  /// `Z`, `+09:00`, `+0900` or `+09`, in seconds.
  mutating func zoneOffset() -> Int? {
    if skip("Z") || skip("z") { return 0 }
    let sign: Int
    if skip("+") { sign = 1 } else if skip("-") { sign = -1 } else { return nil }
    guard let hours = digits(2), hours <= 18 else { return nil }
    if isAtEnd { return sign * hours * 3_600 }
    _ = skip(":")
    guard let minutes = digits(2), minutes < 60 else { return nil }
    return sign * (hours * 3_600 + minutes * 60)
  }
}

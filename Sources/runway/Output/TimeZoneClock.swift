internal import Glibc
internal import RunWayModel
internal import Synchronization

/// A time zone, as the C library knows it.
///
/// Not Foundation's: that one finds no zone but GMT in a statically linked program, where nothing pulls in
/// the part that knows the others.
enum ClockZone: Sendable, Hashable {
  /// The system's: `$TZ`, else `/etc/localtime`.
  case system
  /// One of the zone database.
  case named(String)
  /// So many seconds east of UTC.
  case fixed(Int)

  /// Looks a zone up by its name.
  ///
  /// - Parameter name: Such as `Europe/Berlin`; `UTC` needs no database.
  init?(name: String) {
    if ["UTC", "GMT", "Z", "Etc/UTC"].contains(name.uppercased()) || name == "Etc/UTC" {
      self = .fixed(0)
      return
    }
    let folder = getenv("TZDIR").map { String(cString: $0) } ?? "/usr/share/zoneinfo"
    guard !name.isEmpty, !name.hasPrefix("/"), !name.split(separator: "/").contains(".."),
      let file = fopen("\(folder)/\(name)", "rb")
    else { return nil }
    defer { fclose(file) }
    var head = [UInt8](repeating: 0, count: 4)
    guard fread(&head, 1, 4, file) == 4, head == Array("TZif".utf8) else { return nil }
    self = .named(name)
  }
}

/// Turns moments into a time zone's dates, and dates into moments.
struct TimeZoneClock: Sendable {
  let zone: ClockZone
  private var cachedQuarter: Int64 = .min
  private var cachedOffset: Int64 = 0

  init(_ zone: ClockZone) {
    self.zone = zone
  }

  /// Offsets change on a whole quarter of an hour of UTC everywhere since 1972, so one look-up
  /// serves all moments of a quarter.
  private static let quarter: Int64 = 900_000_000

  /// The zone's offset from UTC in microseconds.
  mutating func offset(at moment: Timestamp) -> Int64 {
    let quarter = moment.microseconds / TimeZoneClock.quarter
    if quarter != cachedQuarter {
      cachedOffset = Int64(CLibraryZone.localTime(moment, in: zone).offset) * 1_000_000
      cachedQuarter = quarter
    }
    return cachedOffset
  }

  /// The date and time of day that the zone's clocks show.
  mutating func components(of moment: Timestamp) -> Timestamp.Components {
    moment.shifted(byMicroseconds: offset(at: moment)).components
  }

  /// The day, counted from 1970-01-01, on the zone's calendars.
  mutating func dayNumber(of moment: Timestamp) -> Int {
    let parts = components(of: moment)
    return Timestamp.days(year: parts.year, month: parts.month, day: parts.day)
  }

  /// The moment at which a day begins in the zone, which is not midnight where the clocks skip it.
  func startOfDay(_ dayNumber: Int) -> Timestamp {
    var clock = self
    // Every zone's day begins within 18 h of UTC's; the earliest second on it is found by halving.
    let midnight = Int64(dayNumber) * 86_400
    var before = midnight - 18 * 3_600
    var after = midnight + 18 * 3_600
    while after - before > 1 {
      let middle = (before + after) / 2
      if clock.dayNumber(of: Timestamp(microseconds: middle * 1_000_000)) < dayNumber {
        before = middle
      } else {
        after = middle
      }
    }
    return Timestamp(microseconds: after * 1_000_000)
  }

  /// The moment at which the zone's clocks show a date and time of day.
  func moment(of local: Timestamp.Components) -> Timestamp {
    let day = Timestamp.days(year: local.year, month: local.month, day: local.day)
    let seconds = Int64(local.hour * 3_600 + local.minute * 60 + local.second)
    let wall =
      Int64(day) * Timestamp.microsecondsPerDay + seconds * 1_000_000 + Int64(local.microsecond)
    var clock = self
    var moment = Timestamp(microseconds: wall)
    // Twice, for the first offset may be that of the other side of a change.
    for _ in 0..<2 {
      moment = Timestamp(microseconds: wall - clock.offset(at: moment))
    }
    return moment
  }

  // MARK: Text

  /// The zone's name: as it was given, else what its clocks are called at a moment, such as `CEST`.
  func name(at moment: Timestamp) -> String {
    switch zone {
    case .named(let name): return name
    case .system: return CLibraryZone.localTime(moment, in: zone).name
    case .fixed(0): return "UTC"
    case .fixed(let seconds):
      let minutes = abs(seconds) / 60
      let sign = seconds < 0 ? "−" : "+"
      return "UTC\(sign)\(DateText.twoDigits(minutes / 60)):\(DateText.twoDigits(minutes % 60))"
    }
  }

  /// `2026-06-09`.
  mutating func date(_ moment: Timestamp) -> String {
    DateText.date(components(of: moment))
  }

  /// `06:30`.
  mutating func time(_ moment: Timestamp) -> String {
    let parts = components(of: moment)
    return "\(DateText.twoDigits(parts.hour)):\(DateText.twoDigits(parts.minute))"
  }

  /// `06:30:05`.
  mutating func timeWithSeconds(_ moment: Timestamp) -> String {
    "\(time(moment)):\(DateText.twoDigits(components(of: moment).second))"
  }
}

/// The zone that the C library is set to, of which a process has one.
private enum CLibraryZone {
  /// The zone set last; the lock keeps it until it has been used.
  private static let current = Mutex<ClockZone>(.system)

  static func localTime(_ moment: Timestamp, in zone: ClockZone) -> (offset: Int, name: String) {
    if case .fixed(let offset) = zone { return (offset, "UTC") }
    return current.withLock { current in
      if current != zone {
        set(zone)
        current = zone
      }
      var seconds = time_t(moment.microseconds / 1_000_000)
      var parts = tm()
      guard localtime_r(&seconds, &parts) != nil else { return (0, "UTC") }
      return (parts.tm_gmtoff, parts.tm_zone.map { String(cString: $0) } ?? "UTC")
    }
  }

  private static let systemZone = getenv("TZ").map { String(cString: $0) }

  private static func set(_ zone: ClockZone) {
    let system = systemZone
    if case .named(let name) = zone {
      setenv("TZ", name, 1)
    } else if let system {
      setenv("TZ", system, 1)
    } else {
      unsetenv("TZ")
    }
    tzset()
  }
}

/// Dates as text.
enum DateText {
  static func twoDigits(_ value: Int) -> String {
    value < 10 ? "0\(value)" : "\(value)"
  }

  static func date(_ parts: Timestamp.Components) -> String {
    let year = String(repeating: "0", count: max(0, 4 - "\(parts.year)".count)) + "\(parts.year)"
    return "\(year)-\(twoDigits(parts.month))-\(twoDigits(parts.day))"
  }

  static func date(dayNumber: Int) -> String {
    date(Timestamp(microseconds: Int64(dayNumber) * Timestamp.microsecondsPerDay).components)
  }

  /// 1 is Monday, 7 is Sunday.
  static func weekday(dayNumber: Int) -> Int {
    // 1970-01-01 was a Thursday.
    (dayNumber % 7 + 7 + 3) % 7 + 1
  }
}

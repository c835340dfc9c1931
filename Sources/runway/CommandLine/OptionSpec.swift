/// One option of a command, as the scanner, the help text and the shell completions need it.
struct OptionSpec: Sendable, Hashable {
  /// What may stand for an option's argument; the shells complete it.
  enum Values: Sendable, Hashable {
    case any
    case file
    case flight
    case tag
    case mission
    case oneOf([String])
  }

  /// The name behind `--`.
  var name: String
  /// The letter behind `-`, if there is one.
  var letter: Character?
  /// What the help calls the argument; `nil` for a switch.
  var argument: String?
  var values: Values
  /// One line of help.
  var help: String

  init(
    _ name: String, letter: Character? = nil, argument: String? = nil, values: Values = .any,
    help: String
  ) {
    self.name = name
    self.letter = letter
    self.argument = argument
    self.values = values
    self.help = help
  }
}

// MARK: - The options that several commands share

extension OptionSpec {
  static let help = OptionSpec("help", letter: "h", help: "print this help")
  static let version = OptionSpec("version", help: "print the version")
  static let logbook = OptionSpec(
    "logbook", argument: "PATH", values: .file, help: "the logbook's file")
  static let json = OptionSpec("json", help: "print JSON")
  static let timeZone = OptionSpec(
    "tz", argument: "ZONE", help: "the time zone of dates, such as Europe/Berlin (the system's)")
  static let units = OptionSpec(
    "units", argument: "UNITS", values: .oneOf(["metric", "imperial"]),
    help: "metric (default) or imperial")

  /// Those that every command takes.
  static let common = [logbook, json, timeZone, units, help, version]

  static let pace = OptionSpec(
    "pace", argument: "M:SS", help: "the target pace per kilometre (per mile with imperial units)")
  static let tolerance = OptionSpec(
    "tolerance", argument: "S",
    help: "seconds per kilometre (mile with imperial units) it may stray (10)")
  static let distance = OptionSpec(
    "distance", argument: "D",
    help: "10km, 5000m, 3mi, half, marathon; 10 is km (mi with imperial units)")
  static let mission = OptionSpec(
    "mission", argument: "NAME", values: .mission,
    help: "a mission saved with “runway missions”; a number given beside it wins")

  /// Those that make a mission.
  static let missionOptions = [pace, tolerance, distance, mission]

  static let since = OptionSpec(
    "since", argument: "DATE",
    help: "from this date, month (2026-06), year or moment on; also today, yesterday")
  static let until = OptionSpec(
    "until", argument: "DATE",
    help: "up to this date, month, year (included) or moment; also today, yesterday")
  static let limit = OptionSpec("limit", argument: "N", help: "at most so many")
  static let state = OptionSpec(
    "state", argument: "STATE", values: .oneOf(["sinkRate", "overspeed", "minimums"]),
    help: "sinkRate, overspeed or minimums")

  static let trackFormat = OptionSpec(
    "format", argument: "FORMAT", values: .oneOf(["gpx", "nmea"]),
    help: "gpx or nmea (found from the content)")
  static let date = OptionSpec(
    "date", argument: "DATE", help: "the date of a track that bears none: 2026-06-09T06:30+09:00")
  static let force = OptionSpec("force", help: "store again what is already there")
  static let maxSpeed = OptionSpec(
    "max-speed", argument: "M/S",
    help: "one to three locations reached and left faster are a spike (12.5)")
  static let join = OptionSpec("join", help: "make one flight of all tracks of a file")
  static let salvage = OptionSpec(
    "salvage", help: "keep what stands before the fault of a broken file")
  static let yes = OptionSpec("yes", letter: "y", help: "do not ask")
  static let watch = OptionSpec("watch", help: "print again whenever something changes")
}

/// Where a logbook is.
public enum LogbookLocation: Sendable, Hashable {
  /// In memory, gone with the `Logbook`.
  case inMemory
  /// In a file.
  case file(String)

  /// The logbook that is meant where none is named.
  ///
  /// In this order: `RUNWAY_LOGBOOK`, `XDG_DATA_HOME/runway/logbook.sqlite`,
  /// `HOME/.local/share/runway/logbook.sqlite`. Empty variables are as good as absent, and by the XDG
  /// specification so is a data home that is not absolute.
  ///
  /// - Parameter environment: The process's environment.
  /// - Returns: The file.
  /// - Throws: A `LogbookError` (`noLocation`) where none of them is set.
  public static func `default`(
    environment: [String: String]
  ) throws(LogbookError) -> LogbookLocation {
    func value(_ name: String) -> String? {
      environment[name].flatMap { $0.isEmpty ? nil : $0 }
    }
    if let path = value("RUNWAY_LOGBOOK") { return .file(path) }
    if let folder = value("XDG_DATA_HOME"), folder.hasPrefix("/") {
      return .file("\(folder)/runway/logbook.sqlite")
    }
    if let home = value("HOME") { return .file("\(home)/.local/share/runway/logbook.sqlite") }
    throw LogbookError(
      .noLocation,
      "it is not known where the logbook is: name it with --logbook, or set RUNWAY_LOGBOOK or HOME")
  }

  /// The path, or words that stand for it.
  var name: String {
    switch self {
    case .inMemory: "the logbook in memory"
    case .file(let path): path
    }
  }
}

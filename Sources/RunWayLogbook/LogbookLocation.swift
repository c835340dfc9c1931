internal import Glibc

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

  /// Whether a path leads to the logbook's file, or to one that SQLite or RunWay keeps beside it.
  ///
  /// A program must not open these by itself: closing any descriptor of a file drops all POSIX locks that the process
  /// holds on it, SQLite's among them (https://sqlite.org/howtocorrupt.html, section 2.2).
  ///
  /// - Parameter path: A path, of whatever is or is not there.
  /// - Returns: Whether it is one of the logbook's files.
  public func includes(_ path: String) -> Bool {
    guard case .file(let logbook) = self else { return false }
    if LogbookFile.isSameFile(path, logbook) { return true }
    // By their names, for they come and go.
    let own = LogbookLocation.resolved(logbook)
    let other = LogbookLocation.resolved(path)
    let suffixes = ["-wal", "-shm", "-journal", LogbookLocation.liveSuffix]
    return suffixes.contains { other == own + $0 }
  }

  /// What is added to a logbook's path for the file of the flights in the air.
  static let liveSuffix = "-live"

  /// A path without links and dots, as far as what it names is there.
  ///
  /// SQLite follows links, and keeps its files beside the one that it finds.
  static func resolved(_ path: String) -> String {
    if let whole = realpath(path, nil) {
      defer { free(whole) }
      return String(cString: whole)
    }
    let slash = path.lastIndex(of: "/")
    let folder = slash.map { String(path[...$0]) } ?? "."
    guard let found = realpath(folder, nil) else { return path }
    defer { free(found) }
    let name = slash.map { path[path.index(after: $0)...] } ?? path[...]
    return "\(String(cString: found))/\(name)"
  }

  /// The path, or words that stand for it.
  var name: String {
    switch self {
    case .inMemory: "the logbook in memory"
    case .file(let path): path
    }
  }
}

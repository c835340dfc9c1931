import Foundation
import Testing

/// The built command, run as a user would.
struct RunwayProcess {
  struct Result {
    var standardOutput: String
    var standardError: String
    var status: Int32

    /// The lines of standard output.
    var lines: [String] { standardOutput.split(separator: "\n").map(String.init) }

    /// Standard output as JSON.
    func json() throws -> JSONValue {
      try JSONValue(standardOutput)
    }

    /// Standard output as a JSON document a line.
    func jsonLines() throws -> [JSONValue] {
      try lines.map { try JSONValue($0) }
    }
  }

  /// The command beside the test bundle.
  static let executable: String = {
    let bundle =
      (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    return URL(fileURLWithPath: bundle).deletingLastPathComponent().appendingPathComponent("runway")
      .path
  }()

  /// Runs the command to its end.
  ///
  /// - Parameters:
  ///   - arguments: What stands behind `runway`.
  ///   - input: What it reads on standard input.
  ///   - environment: Variables besides a fixed UTC and C locale.
  ///   - folder: The working directory.
  /// - Returns: What it printed, and how it ended: minus the signal where it was killed.
  /// - Throws: Where it could not be started.
  static func run(
    _ arguments: [String], input: Data? = nil, environment: [String: String] = [:],
    folder: String? = nil
  ) throws -> Result {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: executable)
    process.arguments = arguments
    var variables = ["TZ": "UTC", "LC_ALL": "C", "PATH": "/usr/bin:/bin", "HOME": "/nonexistent"]
    variables.merge(environment) { $1 }
    process.environment = variables
    if let folder { process.currentDirectoryURL = URL(fileURLWithPath: folder) }
    // Files, not pipes: nothing can fill up and wait.
    let files = try TemporaryFolder()
    let output = files.path("stdout")
    let error = files.path("stderr")
    for path in [output, error] { try Data().write(to: URL(fileURLWithPath: path)) }
    if let input {
      try input.write(to: URL(fileURLWithPath: files.path("stdin")))
      process.standardInput = FileHandle(forReadingAtPath: files.path("stdin"))
    } else {
      process.standardInput = FileHandle.nullDevice
    }
    process.standardOutput = FileHandle(forWritingAtPath: output)
    process.standardError = FileHandle(forWritingAtPath: error)
    try process.run()
    process.waitUntilExit()
    return Result(
      standardOutput: try String(contentsOfFile: output, encoding: .utf8),
      standardError: try String(contentsOfFile: error, encoding: .utf8),
      status: process.terminationReason == .exit
        ? process.terminationStatus : -process.terminationStatus)
  }
}

/// A folder that goes when its owner goes.
final class TemporaryFolder: Sendable {
  let path: String

  init() throws {
    path = NSTemporaryDirectory() + "runway-tests-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }

  func path(_ name: String) -> String { "\(path)/\(name)" }

  /// The names of what lies in it, in order.
  var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
  }

  /// Writes a file, and gives its path.
  @discardableResult
  func write(_ content: String, to name: String) throws -> String {
    try content.write(toFile: path(name), atomically: false, encoding: .utf8)
    return path(name)
  }
}

/// A logbook of its own in a folder of its own, and the command on it.
struct LogbookOnDisk: Sendable {
  let folder: TemporaryFolder
  var path: String { folder.path("logbook.sqlite") }

  init() throws {
    folder = try TemporaryFolder()
  }

  @discardableResult
  func runway(
    _ arguments: String..., input: Data? = nil, environment: [String: String] = [:]
  ) throws -> RunwayProcess.Result {
    try runway(arguments, input: input, environment: environment)
  }

  @discardableResult
  func runway(
    _ arguments: [String], input: Data? = nil, environment: [String: String] = [:]
  ) throws -> RunwayProcess.Result {
    var environment = environment
    environment["RUNWAY_LOGBOOK"] = path
    return try RunwayProcess.run(arguments, input: input, environment: environment)
  }

  /// The number of flights.
  func flightCount() throws -> Int {
    try runway("flights", "--json").json().array.count
  }
}

/// The repository's fixtures.
enum Fixture {
  static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Fixtures").path

  static func path(_ name: String) -> String { "\(folder)/\(name)" }

  static func data(_ name: String) throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: path(name)))
  }
}

/// A JSON value to ask questions of.
struct JSONValue: CustomStringConvertible {
  let value: Any

  init(_ text: String) throws {
    value = try JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)
  }

  private init(_ value: Any) {
    self.value = value
  }

  subscript(key: String) -> JSONValue {
    JSONValue((value as? [String: Any])?[key] ?? Missing())
  }

  subscript(index: Int) -> JSONValue {
    let array = value as? [Any] ?? []
    return JSONValue(array.indices.contains(index) ? array[index] : Missing())
  }

  struct Missing {}

  var keys: Set<String> { Set((value as? [String: Any] ?? [:]).keys) }
  var array: [JSONValue] { (value as? [Any] ?? []).map { JSONValue($0) } }
  var string: String? { value as? String }
  var double: Double? { (value as? NSNumber)?.doubleValue }
  var int: Int? { (value as? NSNumber)?.intValue }
  var bool: Bool? { value as? Bool }
  var isNull: Bool { value is NSNull }
  var description: String { "\(value)" }
}

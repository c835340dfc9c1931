import Foundation
import Glibc
import Synchronization

/// A process that runs beside the test: fed through a pipe, heard through another, ended by signals.
final class RunningProcess: Sendable {
  /// A line of standard output, and when it came.
  struct Line: Sendable {
    var text: String
    var arrival: ContinuousClock.Instant
  }

  let identifier: Int32
  private let input: Mutex<Int32>
  private let heard = Mutex<[Line]>([])
  private let unended = Mutex("")
  private let outputEnded = Mutex(false)
  private let files: TemporaryFolder

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - arguments: What stands behind its name.
  ///   - program: Its path.
  ///   - environment: Variables besides a fixed UTC and C locale.
  /// - Throws: The system's error where it cannot be started.
  init(
    _ arguments: [String], program: String = RunwayProcess.executable,
    environment: [String: String] = [:]
  ) throws {
    files = try TemporaryFolder()
    var variables = ["TZ": "UTC", "LC_ALL": "C", "PATH": "/usr/bin:/bin", "HOME": "/nonexistent"]
    variables.merge(environment) { $1 }
    // Writing to a killed process is an error here, not the end of the tests.
    signal(SIGPIPE, SIG_IGN)
    var toChild: [Int32] = [-1, -1]
    var fromChild: [Int32] = [-1, -1]
    guard pipe(&toChild) == 0, pipe(&fromChild) == 0 else { throw POSIXError(.EMFILE) }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    process.environment = variables
    process.standardInput = FileHandle(fileDescriptor: toChild[0], closeOnDealloc: false)
    process.standardOutput = FileHandle(fileDescriptor: fromChild[1], closeOnDealloc: false)
    let error = files.path("stderr")
    try Data().write(to: URL(fileURLWithPath: error))
    process.standardError = FileHandle(forWritingAtPath: error)
    try process.run()
    close(toChild[0])
    close(fromChild[1])
    identifier = process.processIdentifier
    input = Mutex(toChild[1])
    self.process = Mutex(process)
    listen(to: fromChild[0])
  }

  private let process: Mutex<Process>

  deinit {
    let isRunning = process.withLock { $0.isRunning }
    if isRunning { kill(SIGKILL) }
    closeInput()
  }

  // MARK: Talking

  /// Writes to standard input; `false` where the process is gone.
  @discardableResult
  func write(_ bytes: some Sequence<UInt8>) -> Bool {
    let bytes = Array(bytes)
    return input.withLock { descriptor in
      var sent = 0
      while descriptor >= 0, sent < bytes.count {
        let count = bytes[sent...].withUnsafeBytes {
          Glibc.write(descriptor, $0.baseAddress, $0.count)
        }
        if count < 0 {
          if errno == EINTR { continue }
          return false
        }
        sent += count
      }
      return descriptor >= 0
    }
  }

  @discardableResult
  func write(_ text: String) -> Bool { write(text.utf8) }

  /// Ends standard input.
  func closeInput() {
    input.withLock { descriptor in
      if descriptor >= 0 { close(descriptor) }
      descriptor = -1
    }
  }

  func kill(_ number: Int32) {
    _ = Glibc.kill(identifier, number)
  }

  // MARK: Listening

  private func listen(to descriptor: Int32) {
    Thread { [weak self] in
      var rest: [UInt8] = []
      var buffer = [UInt8](repeating: 0, count: 65_536)
      while true {
        let count = read(descriptor, &buffer, buffer.count)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { break }
        rest += buffer[..<count]
        let now = ContinuousClock.now
        var lines = rest.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        rest = Array(lines.removeLast())
        guard let self else { break }
        unended.withLock { $0 = String(decoding: rest, as: UTF8.self) }
        heard.withLock { heard in
          heard += lines.map { Line(text: String(decoding: $0, as: UTF8.self), arrival: now) }
        }
      }
      close(descriptor)
      self?.outputEnded.withLock { $0 = true }
    }.start()
  }

  /// What has come from standard output so far.
  var lines: [Line] { heard.withLock { $0 } }

  /// The end of standard output that is no whole line yet.
  var unendedLine: String { unended.withLock { $0 } }

  /// What has come from standard error so far.
  var standardError: String {
    (try? String(contentsOfFile: files.path("stderr"), encoding: .utf8)) ?? ""
  }

  /// Waits until a line of standard output satisfies a condition.
  ///
  /// - Returns: The line; `nil` where none came in time.
  func line(
    within limit: Duration = .seconds(10), where condition: (String) -> Bool
  ) async -> Line? {
    let end = ContinuousClock.now + limit
    while true {
      if let line = lines.first(where: { condition($0.text) }) { return line }
      guard ContinuousClock.now < end else { return nil }
      try? await Task.sleep(for: .milliseconds(10))
    }
  }

  /// Waits for the end.
  ///
  /// - Returns: The status, negative for a signal; `nil` where the process still runs after `limit`.
  func end(within limit: Duration = .seconds(20)) async -> Int32? {
    let end = ContinuousClock.now + limit
    while true {
      if let statusIfEnded { return statusIfEnded }
      guard ContinuousClock.now < end else { return nil }
      try? await Task.sleep(for: .milliseconds(10))
    }
  }

  /// The status, negative for a signal, once the process has ended and its output is read.
  var statusIfEnded: Int32? {
    guard outputEnded.withLock({ $0 }) else { return nil }
    return process.withLock { process in
      if process.isRunning { return nil }
      return process.terminationReason == .exit
        ? process.terminationStatus : -process.terminationStatus
    }
  }
}

/// The `sqlite3` shell, which needs no code of ours.
enum SQLiteShell {
  static let path = "/usr/bin/sqlite3"
  static let isInstalled = FileManager.default.isExecutableFile(atPath: path)

  /// Runs statements on a database.
  ///
  /// - Returns: What they print.
  @discardableResult
  static func run(_ sql: String, on database: String) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = ["-batch", "-cmd", ".timeout 5000", database, sql]
    let output = Pipe()
    process.standardOutput = output
    process.standardError = output
    process.standardInput = FileHandle.nullDevice
    try process.run()
    let bytes = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// Whether a database is whole, by SQLite's own checks.
  static func isSound(_ database: String) throws -> Bool {
    try run("PRAGMA integrity_check; PRAGMA foreign_key_check;", on: database) == "ok"
  }

  /// Takes the write lock of a database and holds it until `COMMIT` is written or the process ends.
  static func holdingWriteLock(of database: String) async throws -> RunningProcess {
    let shell = try RunningProcess(
      ["-batch", "-cmd", ".timeout 20000", database], program: path)
    shell.write("BEGIN IMMEDIATE; SELECT 'locked';\n")
    guard await shell.line(where: { $0 == "locked" }) != nil else {
      throw LockFailure(message: shell.standardError)
    }
    return shell
  }

  struct LockFailure: Error {
    var message: String
  }
}

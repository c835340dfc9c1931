import Foundation

extension RunningProcess {
  /// Waits for the end, and watches.
  ///
  /// - Returns: The most memory that the process had resident, in kB; 0 where it ended before it could be asked.
  func peakMemory(within limit: Duration) async throws -> Int {
    try await last("VmHWM", of: "status", within: limit)
  }

  /// Waits for the end, and watches.
  ///
  /// - Returns: The bytes that the process gave to the system to write; 0 where it ended before it could be asked.
  func bytesWritten(within limit: Duration) async throws -> Int {
    try await last("wchar", of: "io", within: limit)
  }

  /// The last value of a field of the process that only rises: what it misses is that of the last 2 ms.
  private func last(
    _ field: String, of file: String, within limit: Duration
  ) async throws -> Int {
    var last = 0
    let end = ContinuousClock.now + limit
    while statusIfEnded == nil, ContinuousClock.now < end {
      // Before it runs the command, a new process still shows what the one it came from has used.
      if fields(of: "status")["Name"] == "runway", let text = fields(of: file)[field],
        let now = text.split(separator: " ").first.flatMap({ Int($0) })
      {
        last = now
      }
      try await Task.sleep(for: .milliseconds(2))
    }
    return last
  }

  private func fields(of file: String) -> [String: String] {
    let text = try? String(contentsOfFile: "/proc/\(identifier)/\(file)", encoding: .utf8)
    return (text ?? "").split(separator: "\n").reduce(into: [:]) {
      let parts = $1.split(separator: ":", maxSplits: 1)
      if parts.count == 2 { $0[String(parts[0])] = parts[1].trimmingCharacters(in: .whitespaces) }
    }
  }
}

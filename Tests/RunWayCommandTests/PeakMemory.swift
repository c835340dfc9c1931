import Foundation

extension RunningProcess {
  /// Waits for the end, and watches.
  ///
  /// - Returns: The most memory that the process had resident, in kB; 0 where it ended before it could be asked.
  func peakMemory(within limit: Duration) async throws -> Int {
    var peak = 0
    let end = ContinuousClock.now + limit
    while statusIfEnded == nil, ContinuousClock.now < end {
      // It only rises, so the last one known misses 2 ms.
      if let now = peakMemorySoFar { peak = now }
      try await Task.sleep(for: .milliseconds(2))
    }
    return peak
  }

  /// The most memory that the process had resident, in kB, as long as it can be asked.
  private var peakMemorySoFar: Int? {
    let status = try? String(contentsOfFile: "/proc/\(identifier)/status", encoding: .utf8)
    let fields = (status ?? "").split(separator: "\n").reduce(into: [String: String]()) {
      let parts = $1.split(separator: ":", maxSplits: 1)
      if parts.count == 2 { $0[String(parts[0])] = parts[1].trimmingCharacters(in: .whitespaces) }
    }
    // Before it runs the command, a new process still shows the memory of the one it came from.
    guard fields["Name"] == "runway", let text = fields["VmHWM"] else { return nil }
    return text.split(separator: " ").first.flatMap { Int($0) }
  }
}

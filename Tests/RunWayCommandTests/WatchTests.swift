import Foundation
import Testing

/// `--watch` on a terminal.
@Suite(
  .enabled(
    if: FileManager.default.isExecutableFile(atPath: LogbookUpkeepTests.script), "needs script(1)"))
struct WatchTests {
  @Test func `a list that is longer than the window keeps its beginning`() async throws {
    let logbook = try LogbookOnDisk()
    for run in [EvenRun.alpha, .beta, .alphabet] { try logbook.fly(run) }
    // Four lines of a window of five: the header and all flights; three of a window of four: one flight fewer.
    for (height, shown) in [(5, ["alphabet", "Beta", "Alpha"]), (4, ["alphabet", "Beta"])] {
      let terminal = try RunningProcess(
        [
          "-qec",
          "stty rows \(height); exec '\(RunwayProcess.executable)' flights --watch --until 2026-06-30",
          "/dev/null",
        ],
        program: LogbookUpkeepTests.script, environment: ["RUNWAY_LOGBOOK": logbook.path])
      #expect(await terminal.line { $0.contains("Beta") } != nil)
      try await Task.sleep(for: .milliseconds(500))
      terminal.kill(SIGTERM)
      _ = await terminal.end()
      terminal.closeInput()
      let lines = terminal.lines.map(\.text)
      #expect(lines.first?.contains("DATE") == true, "\(lines)")
      #expect(
        ["alphabet", "Beta", "Alpha"].filter { name in lines.contains { $0.contains(name) } }
          == shown, "\(lines)")
    }
  }
}

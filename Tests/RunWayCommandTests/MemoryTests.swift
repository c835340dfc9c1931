import Foundation
import Testing

/// The memory of an import does not grow with the track.
@Suite(.serialized) struct MemoryTests {
  /// Writes a run along the equator, 3 m east each second, without holding it.
  private func writeRun(of count: Int, to path: String) throws {
    try Data().write(to: URL(fileURLWithPath: path))
    let file = try #require(FileHandle(forWritingAtPath: path))
    var text = "<gpx version=\"1.1\" creator=\"tests\"><trk><name>Long</name><trkseg>\n"
    for index in 0..<count {
      // 0.000027° are 3.006 m there; days of June, of which there are thirty.
      let longitude = 5_000_000 + 27 * index
      let fraction = String(1_000_000 + longitude % 1_000_000).dropFirst()
      let clock = [index / 3_600 % 24, index / 60 % 60, index % 60]
        .map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
      let day = String(101 + index / 86_400).dropFirst()
      text += """
        <trkpt lat="0" lon="\(longitude / 1_000_000).\(fraction)"><ele>\(100 + index / 50 % 40)</ele>\
        <time>2026-06-\(day)T\(clock)Z</time></trkpt>

        """
      if text.utf8.count > 1 << 20 {
        try file.write(contentsOf: Data(text.utf8))
        text = ""
      }
    }
    try file.write(contentsOf: Data((text + "</trkseg></trk></gpx>\n").utf8))
    try file.close()
  }

  /// Imports a run into a logbook of its own.
  ///
  /// - Returns: The most memory that the command had resident, kB.
  private func peak(importing count: Int) async throws -> Int {
    let logbook = try LogbookOnDisk()
    let path = logbook.folder.path("run.gpx")
    try writeRun(of: count, to: path)
    let process = try RunningProcess(
      ["import", path, "--pace", "5:30"], environment: ["RUNWAY_LOGBOOK": logbook.path])
    let peak = try await process.peakMemory(within: .seconds(300))
    #expect(process.statusIfEnded == 0, "\(process.standardError)")
    #expect(try logbook.latest()["coordinateCount"].int == count)
    return peak
  }

  // A build without optimisation takes about 40,000 points a second: the million itself, in half a minute. It stood at
  // 28 MB, a tenth of it at 27. Were 900,000 locations kept, of 14 numbers each, they alone would be 100 MB.
  @Test func `a million points take 60 MB at most, and hardly more than a tenth of them`()
    async throws
  {
    let few = try await peak(importing: 100_000)
    let many = try await peak(importing: 1_000_000)
    #expect(few > 10_000, "\(few) kB cannot be all")
    #expect(many < 60_000, "\(many) kB")
    #expect(many - few < 8_000, "\(few) kB, then \(many) kB")
  }

  // 30,000 rows make a file of 1.5 MB, written once to the log and once from there. With a savepoint open, SQLite would put some
  // 5 pages a statement of 128 rows into a temporary file besides: 4.8 MB.
  @Test func `an import writes each row twice and no more`() async throws {
    let logbook = try LogbookOnDisk()
    let path = logbook.folder.path("run.gpx")
    try writeRun(of: 30_000, to: path)
    let process = try RunningProcess(
      ["import", path], environment: ["RUNWAY_LOGBOOK": logbook.path])
    let written = try await process.bytesWritten(within: .seconds(60))
    #expect(process.statusIfEnded == 0)
    let size = try Data(contentsOf: URL(fileURLWithPath: logbook.path)).count
    #expect(size > 1_000_000)
    #expect((size / 2..<size * 5 / 2).contains(written), "\(written) for \(size)")
  }
}

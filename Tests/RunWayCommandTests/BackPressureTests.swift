import Foundation
import Testing

/// What a replay does that cannot store for long.
@Suite struct BackPressureTests {
  /// So many locations fill the room for what is not stored (65,536) three times.
  private static let count = 200_000

  /// Writes a run that goes to and fro along the equator, 3 m each second.
  private func writeRun(to path: String) throws {
    var text = "<gpx version=\"1.1\" creator=\"tests\"><trk><trkseg>\n"
    for index in 0..<Self.count {
      let clock = [index / 3_600 % 24, index / 60 % 60, index % 60]
        .map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
      // 0.000027° are 3.006 m there.
      let longitude = 100_000 + 27 * abs(index % 2_000 - 1_000)
      text += """
        <trkpt lat="0" lon="5.\(longitude)"><time>2026-07-0\(1 + index / 86_400)T\(clock)Z</time></trkpt>

        """
    }
    try (text + "</trkseg></trk></gpx>\n").write(toFile: path, atomically: false, encoding: .utf8)
  }

  // 200,000 of 14 numbers each would be 22 MB; and to look for the first that can be used among all of them, batch by batch,
  // took 16 s.
  @Test func `locations before the first that can be used are counted, and not kept`() async throws
  {
    let logbook = try LogbookOnDisk()
    let path = logbook.folder.path("run.gpx")
    let unusable = String(repeating: "<trkpt lat=\"95\" lon=\"5\"/>\n", count: 200_000)
    let usable = (0..<60).map {
      "<trkpt lat=\"0\" lon=\"5.00\(1_000 + 27 * $0)\"><time>2026-07-01T06:00:\($0 < 10 ? "0" : "")\($0)Z</time></trkpt>"
    }
    let text =
      "<gpx version=\"1.1\" creator=\"tests\"><trk><trkseg>\(unusable)\(usable.joined())</trkseg></trk></gpx>"
    try text.write(toFile: path, atomically: false, encoding: .utf8)
    let process = try RunningProcess(
      ["replay", path], environment: ["RUNWAY_LOGBOOK": logbook.path])
    let peak = try await process.peakMemory(within: .seconds(60))
    #expect(process.statusIfEnded == 0)
    #expect((1...45_000).contains(peak), "\(peak) kB")
    let flight = try logbook.latest()
    #expect(flight["discarded"]["invalid"].int == 200_000)
    #expect(flight["coordinateCount"].int == 60)
    #expect(try logbook.runway("check").status == 0)
  }

  /// How much of a file a process has read, in bytes; `nil` where it has not opened it.
  private func offset(of process: RunningProcess, in path: String) -> Int? {
    let folder = "/proc/\(process.identifier)"
    let manager = FileManager.default
    for number in (try? manager.contentsOfDirectory(atPath: "\(folder)/fd")) ?? []
    where (try? manager.destinationOfSymbolicLink(atPath: "\(folder)/fd/\(number)")) == path {
      let status = try? String(contentsOfFile: "\(folder)/fdinfo/\(number)", encoding: .utf8)
      return status?.split(separator: "\n").first?.split(separator: "\t").last.flatMap { Int($0) }
    }
    return nil
  }

  /// Where the reading of a file stands once it has stood for two seconds.
  private func restingPlace(of process: RunningProcess, in path: String) async throws -> Int? {
    var last: Int?
    var since = ContinuousClock.now
    let end = since + .seconds(90)
    while process.statusIfEnded == nil, ContinuousClock.now < end {
      let now = offset(of: process, in: path)
      if now == nil || now != last { (last, since) = (now, .now) }
      if since.duration(to: .now) > .seconds(2) { return last }
      try await Task.sleep(for: .milliseconds(50))
    }
    return nil
  }

  @Test(.enabled(if: SQLiteShell.isInstalled))
  func `a recording is read no further than can be kept while another process writes`()
    async throws
  {
    let logbook = try LogbookOnDisk()
    try logbook.runway("import", Fixture.path("stops.gpx"))
    let path = logbook.folder.path("run.gpx")
    try writeRun(to: path)
    let size = try Data(contentsOf: URL(fileURLWithPath: path)).count
    let lock = try await SQLiteShell.holdingWriteLock(of: logbook.path)
    let replay = try RunningProcess(
      ["replay", path], environment: ["RUNWAY_LOGBOOK": logbook.path])
    let place = try #require(try await restingPlace(of: replay, in: path))
    // What is kept, and as much as is read ahead, is less than a half.
    #expect((size / 4..<size / 2).contains(place), "\(place) of \(size)")
    lock.write("COMMIT;\n")
    lock.closeInput()
    #expect(await lock.end() == 0)
    #expect(await replay.end(within: .seconds(90)) == 0, "\(replay.standardError)")
    #expect(try logbook.latest()["coordinateCount"].int == Self.count)
    #expect(replay.standardError.contains("waiting"))
  }

  @Test(.enabled(if: OwnMounts.isPossible && SQLiteShell.isInstalled))
  func `a recording for which there is no room on the disk ends early and keeps what was stored`()
    async throws
  {
    let folder = try TemporaryFolder()
    try writeRun(to: folder.path("run.gpx"))
    let result = try await script(
      """
      mkdir "$1/small"
      mount -t tmpfs -o size=900k tmpfs "$1/small" || exit 1
      export RUNWAY_LOGBOOK="$1/small/logbook.sqlite"
      "$RUNWAY" replay "$1/run.gpx" > "$1/callouts"
      echo "status $?"
      tail -n 1 "$1/callouts" | cut -c 1-8
      sqlite3 "$RUNWAY_LOGBOOK" 'PRAGMA integrity_check; SELECT count(*) > 500 FROM coordinate'
      """, folder: folder, ownMounts: true)
    #expect(result.status == 0)
    #expect(result.lines.first == "status 74", "\(result)")
    #expect(Array(result.lines.suffix(2)) == ["ok", "1"], "\(result)")
    #expect(result.standardError.contains("the disk is full"), "\(result.standardError)")
  }
}

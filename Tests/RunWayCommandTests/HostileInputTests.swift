import Foundation
import Testing

/// Input that was made to harm: it ends soon, in a line that says why, and leaves nothing behind.
@Suite(.serialized) struct HostileInputTests {
  struct Attack: CustomTestStringConvertible, Sendable {
    var testDescription: String
    /// The status: 65 where it is refused.
    var status: Int32
    var bytes: @Sendable () -> Data
  }

  /// Twenty points, a second apart.
  private static let points = (10..<30).map {
    "<trkpt lat=\"48.00\($0)\" lon=\"9\"><time>2026-06-01T06:00:\($0)Z</time></trkpt>"
  }.joined()

  private static func gpx(
    name: String = "n", type: String = "", attribute: String = "", before: String = "",
    points: String = points
  ) -> Data {
    Data(
      """
      <?xml version="1.0"?>\(type)<gpx version="1.1" creator="x"><trk><name>\(name)</name>\(before)\
      <trkseg\(attribute)>\(points)</trkseg></trk></gpx>
      """.utf8)
  }

  /// Nine levels of ten: a thousand million words.
  private static let bomb: String = {
    let levels = (1...9).map { level in
      "<!ENTITY e\(level) \"" + String(repeating: "&e\(level - 1);", count: 10) + "\">"
    }
    return "<!DOCTYPE gpx [<!ENTITY e0 \"lol\">\(levels.joined())]>"
  }()

  static let attacks = [
    Attack(testDescription: "entity bomb", status: 65) { gpx(name: "&e9;", type: bomb) },
    Attack(testDescription: "attribute of 11 MB", status: 65) {
      gpx(attribute: " a=\"" + String(repeating: "x", count: 11_000_000) + "\"")
    },
    Attack(testDescription: "280 elements deep", status: 65) {
      gpx(
        before: String(repeating: "<a>", count: 280) + String(repeating: "</a>", count: 280))
    },
    Attack(testDescription: "a million empty segments", status: 0) {
      gpx(before: String(repeating: "<trkseg></trkseg>", count: 1_000_000))
    },
    Attack(testDescription: "numbers of thousands of digits", status: 0) {
      let digits = String(repeating: "9", count: 3_000)
      return gpx(points: points + "<trkpt lat=\"\(digits)\" lon=\"9\"/>")
    },
    Attack(testDescription: "a million names", status: 65) {
      gpx(before: (0..<1_000_000).map { "<n\($0)/>" }.joined())
    },
    Attack(testDescription: "NUL in GPX", status: 65) { gpx(before: "\0") },
    Attack(testDescription: "a million NUL", status: 65) { Data(count: 1_000_000) },
    Attack(testDescription: "endless line", status: 65) {
      Data("$GPRMC,".utf8) + Data(repeating: UInt8(ascii: "1"), count: 40_000_000)
    },
    Attack(testDescription: "noise", status: 65) {
      // A fixed sequence (Knuth's MMIX generator), so that a failure can be had again.
      var state: UInt64 = 1
      let words = (0..<5_000_000).map { _ -> UInt64 in
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state
      }
      return words.withUnsafeBytes { Data($0) }
    },
  ]

  @Test(arguments: attacks)
  func `an attack ends soon and leaves nothing`(attack: Attack) throws {
    let logbook = try LogbookOnDisk()
    let input = attack.bytes()
    let clock = ContinuousClock()
    var result: RunwayProcess.Result?
    let time = try clock.measure { result = try logbook.runway("import", "-", input: input) }
    let ended = try #require(result)
    #expect(ended.status == attack.status)
    #expect(time < .seconds(20))
    #expect(try logbook.flightCount() == (attack.status == 0 ? 1 : 0))
    if attack.status != 0 {
      #expect(ended.standardOutput == "")
      #expect(ended.standardError.hasPrefix("-:"))
      #expect(ended.standardError.utf8.count < 200)
      // What was passed over may be named before.
      let lines = ended.standardError.split(separator: "\n")
      #expect(lines.count <= 2 && lines.allSatisfy { $0.hasPrefix("-:") })
    }
  }

  @Test func `an entity outside of the document is not read, which is told`() throws {
    let logbook = try LogbookOnDisk()
    let secret = try logbook.folder.write("secret", to: "secret.txt")
    let type = """
      <!DOCTYPE gpx [<!ENTITY out SYSTEM "file://\(secret)">
      <!ENTITY in "Tom"><!ENTITY % more SYSTEM "file://\(secret)">%more;]>

      """
    let path = logbook.folder.path("run.gpx")
    try Self.gpx(name: "&in; &out; &in;", type: type).write(to: URL(fileURLWithPath: path))
    let result = try logbook.runway("import", path, "--json")
    #expect(result.status == 0)
    #expect(
      result.standardError.split(separator: "\n").first.map(String.init)
        == "\(path):3: the entity “out” lies outside of the document, and is not read")
    let flight = try result.jsonLines()[0]["flight"]
    #expect(flight["name"].string == "Tom  Tom")
    #expect(flight["rejected"]["entity"].int == 1)
    #expect(!result.standardOutput.contains("secret"))
  }

  @Test(
    arguments: ["import -", "replay"],
    [
      "yes 'Dear diary'", "cat /dev/zero", "cat /dev/urandom",
      "{ echo '<gpx><trk><a></b>'; yes '<trkpt/>'; }", "{ cat /dev/zero | gzip; }",
      "{ echo '<gpx><trk><trkseg>'; yes; }", "{ echo '<gpx><trk>'; yes '<!-- a -->'; }",
    ])
  func `an endless stream of garbage ends`(command: String, source: String) async throws {
    let folder = try TemporaryFolder()
    let result = try await script("\(source) | timeout 60 \"$RUNWAY\" \(command)", folder: folder)
    #expect(result.status == 65)
    #expect(result.lines.isEmpty)
    #expect(result.standardError.hasPrefix("-:"), "\(result.standardError)")
  }

  /// A watch's padding is passed over; nobody pads without end.
  @Test(arguments: ["cat /dev/zero", "yes ''"])
  func `a recording that is padded without end ends`(padding: String) async throws {
    let folder = try TemporaryFolder()
    let result = try await script(
      "{ cat \"$STOPS\"; \(padding); } | timeout 60 \"$RUNWAY\" import --salvage -", folder: folder)
    #expect(result.status == 0)
    #expect(result.lines.count == 1)
    #expect(
      result.standardError.contains("no element begins within 16 MiB; kept what stands before"),
      "\(result.standardError)")
  }

  @Test func `what is read from a pipe leaves no copy behind, however it ends`() async throws {
    let folder = try TemporaryFolder()
    let result = try await script(
      """
      mkdir "$1/temporary"
      export TMPDIR="$1/temporary"
      { cat "$RUN"; sleep 3; } | "$RUNWAY" import - &
      sleep 1
      kill -9 $!
      ls -A "$TMPDIR"
      cat "$RUN" | "$RUNWAY" import - --json | grep -c imported
      ls -A "$TMPDIR"
      """, folder: folder)
    #expect(result.lines == ["1"], "\(result)")
  }

  @Test(arguments: attacks)
  func `an attack takes little memory`(attack: Attack) async throws {
    let logbook = try LogbookOnDisk()
    let path = logbook.folder.path("input")
    let bytes = attack.bytes()
    let size = bytes.count
    try bytes.write(to: URL(fileURLWithPath: path))
    for command in ["import", "replay"] {
      let process = try RunningProcess(
        [command, path], environment: ["RUNWAY_LOGBOOK": logbook.folder.path(command)])
      let peak = try await process.peakMemory(within: .seconds(30))
      #expect(process.statusIfEnded != nil)
      // About 25 MB are the program itself, without optimisation; the inputs are of up to 40 MB.
      #expect(peak < 64_000, "\(command): \(peak) kB")
      // What is small may end before it can be asked.
      if size > 1_000_000 { #expect(peak > 0) }
    }
  }

  // What became of each used to be held whole until the file's end: 1.6 kB a track.
  @Test func `memory hardly grows with the number of tracks`() async throws {
    let logbook = try LogbookOnDisk()
    let count = 15_000
    let tracks = (0..<count).map {
      """
      <trk><trkseg><trkpt lat="1" lon="2"><ele>\($0)</ele>\
      <time>2026-06-01T10:00:00Z</time></trkpt></trkseg></trk>
      """
    }
    let document = "<gpx version=\"1.1\" creator=\"tests\">\n\(tracks.joined(separator: "\n"))\n"
    let whole = try logbook.folder.write(document + "</gpx>", to: "whole.gpx")
    let process = try RunningProcess(
      ["import", whole], environment: ["RUNWAY_LOGBOOK": logbook.path])
    let peak = try await process.peakMemory(within: .seconds(120))
    #expect(process.statusIfEnded == 0)
    #expect((1...40_000).contains(peak), "\(peak) kB")
    #expect(process.lines.count == count)
    #expect(process.lines.allSatisfy { $0.text.contains(" 2026-06-01 10:00 ") })

    // The fault is told once, with the last of the flights.
    let broken = try logbook.folder.write(document, to: "broken.gpx")
    let again = try logbook.runway("import", "--salvage", "--json", broken).jsonLines()
    #expect(again.count == count)
    #expect(
      again.allSatisfy { $0["status"].string == "duplicate" && $0["flight"]["id"].string != nil })
    #expect(again.filter { !$0["error"].isNull }.count == 1)
    #expect(again.last?["error"]["line"].int == count + 2)
  }

  // gzip packs equal points 300 to 1. All of them held would be 15 MB of text and, of 14 numbers each, 25 MB of locations,
  // and they were copied.
  @Test func `an archive is not inflated at a stretch`() async throws {
    let logbook = try LogbookOnDisk()
    let made = try await script(
      """
      { echo '<gpx version="1.1" creator="tests"><trk><trkseg>'
        yes '<trkpt lat="1.0" lon="2.0"><time>2026-06-01T10:00:00Z</time></trkpt>' | head -n 200000
        echo '</trkseg></trk></gpx>'; } | gzip > "$1/equal.gpx.gz"
      """, folder: logbook.folder)
    #expect(made.status == 0)
    for command in ["import", "replay"] {
      let process = try RunningProcess(
        [command, logbook.folder.path("equal.gpx.gz")],
        environment: ["RUNWAY_LOGBOOK": logbook.folder.path(command)])
      let peak = try await process.peakMemory(within: .seconds(60))
      #expect(process.statusIfEnded == 0)
      #expect((1...64_000).contains(peak), "\(command): \(peak) kB")
    }
  }

  @Test func `an external entity is not read`() throws {
    let logbook = try LogbookOnDisk()
    let secret = try logbook.folder.write("do-not-tell", to: "secret")
    let type = "<!DOCTYPE gpx [<!ENTITY x SYSTEM \"file://\(secret)\">]>"
    let result = try logbook.runway("import", "-", input: Self.gpx(name: "a&x;b", type: type))
    let flights = try logbook.runway("flights", "--json")
    for text in [result.standardOutput, result.standardError, flights.standardOutput] {
      #expect(!text.contains("do-not-tell"))
    }
  }
}

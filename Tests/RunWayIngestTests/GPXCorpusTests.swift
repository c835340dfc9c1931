import RunWayModel
import Testing

@testable import RunWayIngest

@Suite(.enabled(if: corpusFolder != nil, "RUNWAY_CORPUS names no folder"))
struct `GPX corpus` {
  static let rows = corpusFolder.map { manifest("\($0)/gpx/MANIFEST.tsv") } ?? []

  /// Where the outcome differs from the manifest’s figures, which say what a parser in recovery mode finds.
  ///
  /// Only whole points before a fault are ours; what a fault leaves unread is not.
  static let deviations: [String: [String: String]] = [
    // The fault stands in the track’s name, before all points.
    "bad-control-character-in-name.gpx": [
      "segments": "0", "points": "0", "valid_points": "0", "points_with_ele": "0",
      "first_time": "", "last_time": "",
    ],
    // The fault stands before the points.
    "bad-deep-nesting-300.gpx": [
      "points": "0", "valid_points": "0", "points_with_ele": "0",
      "first_time": "", "last_time": "",
    ],
    // The third point is never closed.
    "bad-missing-close-trkpt.gpx": [
      "points": "2", "valid_points": "2", "points_without_time": "2",
    ],
    // The last point is cut off in its start tag.
    "bad-truncated-mid-tag.gpx": ["points": "129", "points_without_time": "0"],
    // The second waypoint follows the fault.
    "bad-mismatched-tag-in-extensions.gpx": ["wpt": "1"],
    // The manifest counts route points by their positions, of which this one has none.
    "bad-lat-lon-undefined.gpx": ["rtept": "1"],
    // A zone name in brackets is passed over, and the offset before it used; the manifest's parser reads no such time.
    "time-with-zone-name-suffix.gpx": [
      "points_without_time": "0", "first_time": "2018-03-13T12:44:45.504Z",
      "last_time": "2018-03-13T12:48:55.504Z",
    ],
  ]

  @Test(arguments: rows)
  func `agrees with the manifest`(row: ManifestRow) throws {
    let folder = try #require(corpusFolder)
    let file = row.file
    let bytes = try #require(readFile("\(folder)/gpx/\(file)"))
    let whole = decodeGPX(bytes, salvaging: true, usesTemplates: false)
    // In a long file the smallest chunks show nothing that they do not show in the short ones, and take a minute.
    for size in chunkSizes.dropFirst(bytes.count > 250_000 ? 3 : 0) {
      let cut = decodeGPX(bytes, chunk: size, salvaging: true)
      let isSame = same(cut, whole)
      #expect(isSame, "chunks of \(size): \(cut.error as Any)")
    }

    let verdict = row["xmllint"]
    let isWellFormed = verdict == "ok" || verdict.contains("namespace error")
    let isReadable = whole.error.map { $0.code == .notARecording } ?? true
    #expect(isReadable == isWellFormed || whole.error?.reason.contains("root element") == true)
    if whole.error?.code == .malformed {
      #expect(verdict.hasPrefix("line \(whole.error?.line ?? 0):"))
    }
    func text(_ column: String) -> String { Self.deviations[file]?[column] ?? row[column] }
    func count(_ column: String) -> Int? { Int(text(column)) }
    #expect(whole.census.tracks == count("tracks"))
    #expect(whole.census.segments == count("segments"))
    let locations = whole.locations
    #expect(locations.count == count("points"))
    #expect(locations.count(where: \.isValid) == count("valid_points"))
    #expect(locations.count { $0.time == nil } == count("points_without_time"))
    #expect(locations.count { $0.altitude != nil } == count("points_with_ele"))
    #expect(whole.census.routePoints == count("rtept"))
    #expect(whole.census.waypoints == count("wpt"))
    func milliseconds(_ time: Timestamp?) -> String {
      guard let time else { return "" }
      let remainder = (time.microseconds % 1_000 + 1_000) % 1_000
      let text = Timestamp(microseconds: time.microseconds - remainder).iso8601.dropLast()
      let parts = text.split(separator: ".")
      let fraction = parts.count > 1 ? String(parts[1]) : ""
      return "\(parts[0]).\(fraction)\(String(repeating: "0", count: 3 - fraction.count))Z"
    }
    let times = locations.compactMap(\.time)
    #expect(milliseconds(times.first) == text("first_time"))
    #expect(milliseconds(times.last) == text("last_time"))
  }
}

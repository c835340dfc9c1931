import RunWayModel
import Testing

@testable import RunWayIngest

@Suite(.enabled(if: corpusFolder != nil, "RUNWAY_CORPUS names no folder"))
struct `GPX corpus` {
  static let rows = corpusFolder.map { manifest("\($0)/gpx/MANIFEST.tsv") } ?? []

  /// Where a file’s outcome differs from the manifest’s figures, and why ours stands.
  static let deviations: [String: String] = [:]

  @Test(arguments: rows)
  func `agrees with the manifest`(row: ManifestRow) throws {
    let folder = try #require(corpusFolder)
    let file = row.file
    let bytes = try #require(readFile("\(folder)/gpx/\(file)"))
    let whole = decodeGPX(bytes, salvaging: true)
    for size in [1, 7, 4_096] {
      let cut = decodeGPX(bytes, chunk: size, salvaging: true)
      let isSame = same(cut, whole)
      #expect(isSame, "chunks of \(size): \(cut.error as Any)")
    }

    let verdict = row["xmllint"]
    let isWellFormed = verdict == "ok" || verdict.contains("namespace error")
    print(
      "CORPUS \(file): \(verdict) | \(whole.error.map { "\($0.code) \($0.description(in: file))" } ?? "-") | \(whole.census) | \(whole.tracks.map { "\($0.info?.name ?? "-") \($0.report.rejected) \($0.report.notes)" }.prefix(3))"
    )
    #expect((whole.error?.code == .malformed) == !isWellFormed)
    func count(_ column: String) -> Int? { Int(row[column]) }
    #expect(whole.census.tracks == count("tracks"))
    #expect(whole.census.segments == count("segments"))
    let locations = whole.locations
    #expect(locations.count == count("points"))
    #expect(locations.count(where: \.isValid) == count("valid_points"))
    #expect(locations.count { $0.time == nil } == count("points_without_time"))
    #expect(locations.count { $0.altitude != nil } == count("points_with_ele"))
    #expect(whole.census.routePoints == count("rtept"))
    #expect(whole.census.waypoints == count("wpt"))
    func text(_ time: Timestamp?) -> String {
      guard let time else { return "" }
      let milliseconds = time.microseconds / 1_000 * 1_000
      let text = Timestamp(microseconds: milliseconds).iso8601.dropLast()
      let parts = text.split(separator: ".")
      let fraction = parts.count > 1 ? String(parts[1]) : ""
      return "\(parts[0]).\(fraction)\(String(repeating: "0", count: 3 - fraction.count))Z"
    }
    let times = locations.compactMap(\.time)
    #expect(text(times.first) == row["first_time"])
    #expect(text(times.last) == row["last_time"])
  }
}

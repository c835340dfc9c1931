import RunWayModel
import Testing

@testable import RunWayIngest

@Suite(.enabled(if: corpusFolder != nil, "RUNWAY_CORPUS names no folder"))
struct `NMEA corpus` {
  static let rows = corpusFolder.map { manifest("\($0)/nmea/MANIFEST.tsv") } ?? []

  @Test(arguments: rows)
  func `agrees with the manifest`(row: ManifestRow) throws {
    let folder = try #require(corpusFolder)
    let file = row.file
    let bytes = try #require(readFile("\(folder)/nmea/\(file)"))
    let whole = decode(bytes, with: TrackDecoder())
    for size in [1, 2, 3, 5, 7, 64, 4_096] {
      #expect(decode(bytes, chunk: size, with: TrackDecoder()) == whole, "chunks of \(size)")
    }
    let locations = whole.locations
    #expect(locations.count == Int(row["fixes"]))
    func text(_ time: Timestamp?) -> String {
      guard let time else { return "" }
      let milliseconds = time.microseconds / 1_000 * 1_000
      let text = Timestamp(microseconds: milliseconds).iso8601.dropLast()
      let parts = text.split(separator: ".")
      let fraction = parts.count > 1 ? String(parts[1]) : ""
      return "\(parts[0]).\(fraction)\(String(repeating: "0", count: 3 - fraction.count))Z"
    }
    for (time, column) in [
      (locations.first?.time, "first_fix"), (locations.last?.time, "last_fix"),
    ] {
      let expected = row[column]
      if expected.hasPrefix("(no date) ") {
        #expect(
          text(time).hasSuffix(expected.dropFirst("(no date) ".count)), "\(text(time)) \(expected)")
      } else {
        #expect(text(time) == expected)
      }
    }
    for (location, column) in [(locations.first, "first_pos"), (locations.last, "last_pos")] {
      let numbers = row[column].split(separator: " ").compactMap { Double($0) }
      if numbers.count == 2, let location {
        #expect(abs(location.latitude - numbers[0]) < 6e-7, "\(location.latitude) \(numbers)")
        #expect(abs(location.longitude - numbers[1]) < 6e-7)
      }
    }
    #expect(whole.tracks.first?.report.rejected["checksum"] ?? 0 == Int(row["bad_checksum"]))
  }
}

import Foundation
import Testing

/// What is told of a file of which only the part before its fault is kept.
@Suite struct SalvageTests {
  /// Its first line ends before the first point; each point is a line; the 201st breaks off.
  private static let broken: String =
    EvenRun.alpha.gpx.components(separatedBy: "<trkpt ").prefix(201).joined(separator: "<trkpt ")
    + "<trkpt lat=\"0\" lon=\"8."

  @Test func `a script sees the fault that a person is told`() throws {
    let logbook = try LogbookOnDisk()
    let path = try logbook.folder.write(Self.broken, to: "broken.gpx")
    let failed = try logbook.runway("import", "--json", path).jsonLines()
    try #require(failed.count == 1)
    let reason = try #require(failed[0]["error"]["reason"].string)
    for status in ["imported", "duplicate"] {
      let result = try logbook.runway("import", "--json", "--salvage", path)
      #expect(result.status == 0)
      let lines = try result.jsonLines()
      try #require(lines.count == 1)
      #expect(lines[0]["status"].string == status)
      #expect(lines[0]["flight"]["coordinateCount"].int == 200)
      #expect(lines[0]["error"]["line"].int == 202)
      #expect(lines[0]["error"]["reason"].string == "\(reason); kept what stands before it")
      #expect(
        result.standardError == "\(path):202: \(reason); kept what stands before it\n")
    }
  }

  @Test func `what the end cuts off a point is not missing`() throws {
    let whole = Self.broken.components(separatedBy: "<trkpt ").dropLast().joined(
      separator: "<trkpt ")
    for tail in ["<trkpt lat=\"0\"", "<trkpt lat=\"0\" ", "<trkpt ", "<trkpt"] {
      let logbook = try LogbookOnDisk()
      let path = try logbook.folder.write(whole + tail, to: "broken.gpx")
      let result = try logbook.runway("import", "--salvage", path)
      #expect(result.status == 0)
      #expect(result.standardError.filter { $0 == "\n" }.count == 1, "\(result.standardError)")
      #expect(!result.standardError.contains("missing"), "\(result.standardError)")
    }
    let logbook = try LogbookOnDisk()
    let path = try logbook.folder.write(whole + "<trkpt lat=\"0\"/>", to: "broken.gpx")
    let result = try logbook.runway("import", "--salvage", path)
    #expect(result.standardError.contains("its longitude is missing"), "\(result.standardError)")
  }

  @Test func `the fault is told with the last flight before it`() throws {
    let logbook = try LogbookOnDisk()
    let two = EvenRun.beta.gpx.replacingOccurrences(of: "</gpx>\n", with: "") + "<trk></trk>"
    let tail = try #require(Self.broken.range(of: "<trk>"))
    for (text, count) in [(two + "<trk", 1), (two + Self.broken[tail.lowerBound...], 2)] {
      let path = try logbook.folder.write(text, to: "broken.gpx")
      let lines = try logbook.runway("import", "--json", "--force", "--salvage", path).jsonLines()
      let stored = lines.filter { $0["status"].string == "imported" }
      #expect(stored.count == count)
      #expect(stored.dropLast().allSatisfy { $0["error"].isNull })
      #expect(
        stored.last?["error"]["reason"].string?.hasSuffix("; kept what stands before it") == true)
    }
  }
}

import Foundation
import Testing

/// Alerts in the order in which they began, wherever a flight's own are listed.
@Suite struct AlertOrderTests {
  /// A run much too fast, judged by a mission that is nearly over once the warning is armed.
  ///
  /// No pace within 5:15…5:45 arms the warning, so 120 s of moving time do. At 4 m/s that is after 480 m; ten
  /// seconds more, and OVERSPEED is opened. MINIMUMS comes 50 m before 550 m, after 125 s, and is opened first.
  private func crossed() throws -> LogbookOnDisk {
    let logbook = try LogbookOnDisk()
    try logbook.fly(.alpha, "--pace", "5:30", "--tolerance", "15", "--distance", "0.55km")
    return logbook
  }

  private let expected = ["overspeed", "minimums"]

  @Test func `an episode recognised late stands where it began`() throws {
    let logbook = try crossed()
    let alerts = try logbook.latest()["alerts"].array
    #expect(alerts.map { $0["state"].string } == expected)
    let times = alerts.compactMap { $0["timestamp"].string }
    #expect(times == times.sorted())
    // What makes the case: it bears the second number.
    #expect(alerts.map { $0["id"].string?.suffix(2) } == ["/1", "/0"])
  }

  @Test func `the text, and each export, have the same order`() throws {
    let logbook = try crossed()
    for command in [
      ["show", "latest"], ["export", "latest", "--format", "json"],
      ["export", "latest", "--format", "gpx"],
    ] {
      let text = try logbook.runway(command).standardOutput.lowercased()
      let places = ["overspeed", "minimums"].map { text.range(of: $0)?.lowerBound }
      let (overspeed, minimums) = (try #require(places[0]), try #require(places[1]))
      #expect(overspeed < minimums, "\(command)\n\(text)")
    }
  }

  @Test func `the check finds nothing amiss in it`() throws {
    let result = try crossed().runway("check")
    #expect(result.status == 0, "\(result)")
  }
}

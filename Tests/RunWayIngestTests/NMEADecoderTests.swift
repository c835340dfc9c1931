import RunWayModel
import Testing

@testable import RunWayIngest

@Suite struct `NMEA decoder` {
  /// Sentences, the locations they make, and what is rejected.
  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    var text: String
    var locations: Int
    var rejected: [String: Int]
    var testDescription: String { name }

    init(_ name: String, _ text: String, _ locations: Int, _ rejected: [String: Int] = [:]) {
      self.name = name
      self.text = text
      self.locations = locations
      self.rejected = rejected
    }
  }

  static let rmc = "GPRMC,063000,A,5551.6000,N,00415.0000,W,5.8,40.0,180524,,,A"
  static let gga = "GPGGA,063000,5551.6000,N,00415.0000,W,1,08,1.1,84.2,M,39.0,M,,"
  static let dated: String = sentence(rmc)

  static let cases: [Case] = [
    Case("a fix", dated, 1),
    Case("status V", sentence("GPRMC,063000,V,5551.6,N,00415.0,W,,,180524,,,A") + later, 1),
    Case("mode N", sentence("GPRMC,063000,A,5551.6,N,00415.0,W,,,180524,,,N") + later, 1),
    Case("status empty", sentence("GPRMC,063000,,5551.6,N,00415.0,W,,,180524,,,A") + later, 1),
    Case("navigational status V", sentence("GNRMC,063000,A,5551.6,N,00415.0,W,,,180524,,,A,V"), 1),
    Case("quality 0", sentence("GPGGA,063000,5551.6,N,00415.0,W,0,,,,,,,,") + later, 1),
    Case("quality empty", sentence("GPGGA,063000,5551.6,N,00415.0,W,,,,,,,,,") + later, 1),
    Case("GNS of no system", sentence("GNGNS,063000,5551.6,N,00415.0,W,NNN,,,,,,") + later, 1),
    Case("GNS of one system", sentence("GNGNS,063000,5551.6,N,00415.0,W,NAN,,,,,,") + later, 2),
    Case("GLL of mode N", sentence("GPGLL,5551.6,N,00415.0,W,063000,A,N") + later, 1),
    Case("GLL of status V", sentence("GPGLL,5551.6,N,00415.0,W,063000,V") + later, 1),
    Case("GLL without a status", sentence("GPGLL,5551.6,N,00415.0,W,063000") + later, 2),
    Case("GLL without a time", sentence("GPGLL,5551.6,N,00415.0,W") + later, 1, ["time": 1]),
    Case("no checksum", "$\(rmc)\r\n", 1),
    Case("no checksum, no line end", "$\(rmc)\r\n$GPRMC,063001" + rmc.dropFirst(12), 2),
    Case(
      "no checksum at the end of a log with", dated + "$GPRMC,063001" + rmc.dropFirst(12), 1,
      ["cut": 1]),
    Case("a checksum mark and no digits", "$\(rmc)*\r\n$GPRMC,063001\(rmc.dropFirst(12))*\n", 2),
    Case("a checksum mark at the end of a log", later + "$\(rmc)*", 1, ["cut": 1]),
    Case("checksum, no line end", String(dated.dropLast()), 1),
    Case("cut checksum", later + String(dated.dropLast(2)), 1, ["cut": 1]),
    Case("wrong checksum", later + "$\(gga)*00\r\n", 1, ["checksum": 1]),
    Case("wrong checksum of a sentence passed over", later + "$GPGSA,A,3*00\n", 1, ["checksum": 1]),
    Case(
      "a time that is none", later + sentence("GPGGA,246000,5551.6,N,00415.0,W,1,,,,,,,,"), 1,
      ["time": 1]),
    Case(
      "latitude 91", later + sentence("GPGGA,063003,9100.0,N,00415.0,W,1,,,,,,,,"), 1,
      ["position": 1]),
    Case(
      "latitude 90° 00.0001′", later + sentence("GPGGA,063003,9000.0001,N,00415.0,W,1,,,,,,,,"), 1,
      ["position": 1]),
    Case(
      "60 minutes", later + sentence("GPGGA,063003,5560.0,N,00415.0,W,1,,,,,,,,"), 1,
      ["position": 1]),
    Case(
      "no hemisphere", later + sentence("GPGGA,063003,5550.0,,00415.0,W,1,,,,,,,,"), 1,
      ["position": 1]),
    Case(
      "a negative latitude", later + sentence("GPGGA,063003,-5550.0,N,00415.0,W,1,,,,,,,,"), 1,
      ["position": 1]),
    Case(
      "a position of letters", later + sentence("GPGGA,063003,5x50.0,N,00415.0,W,1,,,,,,,,"), 1,
      ["position": 1]),
    Case("no position", later + sentence("GPGGA,063003,,,,,1,,,,,,,,"), 1),
    Case(
      "31 April", later + sentence("GPRMC,063003,A,5551.6,N,00415.0,W,,,310424,,"), 2, ["date": 1]),
    Case(
      "a date of seven digits", later + sentence("GPRMC,063003,A,5551.6,N,00415.0,W,,,3104024,,"),
      2, ["date": 1]),
    Case("TAG block", "\\s:GPS,c:1716013800*00\\" + dated, 1),
    Case("time stamp in front", "2024-05-18 06:30:00! " + dated, 1),
    Case("NUL bytes", "\0\0\0" + dated + "\0\0" + later, 2),
    Case("two sentences fused", "$\(rmc)*" + later, 1, ["cut": 1]),
    Case("a sentence inside a sentence", "$GPRMC,0630" + later, 1, ["cut": 1]),
    Case(
      "an endless line", "$GPRMC," + String(repeating: "1", count: 5_000) + "\n" + later, 1,
      ["length": 1]),
    Case("a checksum of letters", later + "$\(gga)*ZZ\r\n", 1, ["checksum": 1]),
    Case("a checksum of one digit", later + "$\(gga)*4\r\n", 1, ["checksum": 1]),
    Case("a checksum of a digit and a letter", later + "$\(gga)*4Z\r\n", 1, ["checksum": 1]),
    Case("a cut checksum before a sentence", later + "$\(gga)*4" + later, 1, ["cut": 1]),
    Case("a checksum cut by binary bytes", later + "$\(gga)*4\u{1}\r\n", 1, ["cut": 1]),
    Case("an AIS sentence", sentence("AIVDM,1,1,,A,13u?etPv2;0n:dDPwUM1U1Cb069D,0") + later, 1),
  ]
  static let later: String = sentence("GPRMC,063002,A,5551.6000,N,00415.0000,W,5.8,40.0,180524,,,A")

  @Test(arguments: cases)
  func `takes what is valid and counts what is not`(it: Case) {
    let bytes = Array(it.text.utf8)
    let whole = decodeNMEA(bytes)
    #expect(whole.locations.count == it.locations)
    #expect(whole.tracks.first?.report.rejected == it.rejected)
    #expect(whole.error == nil)
    for size in `Track decoder`.sizes {
      #expect(decodeNMEA(bytes, chunk: size) == whole, "chunks of \(size)")
    }
  }

  @Test func `an epoch puts its sentences together`() throws {
    let bytes = log(
      "GPGGA,063000.25,5551.6000,N,00415.0000,W,1,08,1.1,84.2,M,39.0,M,,",
      "GPRMC,063000.25,A,5551.7000,N,00415.1000,W,7.2,40.0,180524,,,A",
      "GPVTG,41.0,T,,M,9.0,N,16.7,K,A")
    let location = try #require(decodeNMEA(bytes).locations.first)
    #expect(
      location
        == Location(
          latitude: 55 + 51.6 / 60, longitude: -4.25, altitude: 84.2,
          // date -u -d 2024-05-18T06:30:00Z +%s
          time: Timestamp(microseconds: 1_716_013_800_250_000),
          // 7.2 kn × 1852 m / 3600 s
          speed: 3.704, course: 40, hdop: 1.1))
  }

  @Test func `VTG gives speed and course to the open epoch`() throws {
    let forms: [(String, Double?)] = [
      ("GPVTG,41.0,T,,M,7.2,N,13.3,K,A", 3.704), ("GPVTG,41.0,T,,M,,N,3.6,K,A", 1),
      ("GPVTG,41.0,T,,M,7.2,N,13.3,K,N", nil), ("GPVTG,41.0,42.0,7.2,13.3", 3.704),
    ]
    for (vtg, speed) in forms {
      let bytes = log("GPGGA,063000,5551.6,N,00415.0,W,1,08,1.1,84.2,M,39.0,M,,", vtg)
      let location = try #require(
        decodeNMEA(bytes, date: Timestamp(microseconds: 0)).locations.first)
      #expect(location.speed.map { abs($0 - (speed ?? -1)) < 1e-12 } ?? (speed == nil), "\(vtg)")
      #expect(location.course == (speed == nil ? nil : 41))
    }
  }

  /// What has come out after each sentence.
  func counts(_ bodies: [String]) throws -> [Int] {
    var decoder = NMEADecoder()
    var decoded = Decoded()
    var counts: [Int] = []
    for body in bodies {
      var elements: [TrackElement] = []
      // The line end may come with the next sentence.
      try Array(sentence(body).dropLast().utf8).withUnsafeBytes {
        try decoder.consume($0, into: &elements)
      }
      decoded.take(elements)
      counts.append(decoded.locations.count)
    }
    return counts
  }

  func epoch(_ second: Int, _ types: String...) -> [String] {
    let time = "0630\(second < 10 ? "0" : "")\(second)"
    return types.map {
      switch $0 {
      case "RMC": "GPRMC,\(time),A,5551.6000,N,00415.0000,W,5.8,40.0,180524,,,A"
      case "GGA": "GPGGA,\(time),5551.6000,N,00415.0000,W,1,08,1.1,84.2,M,39.0,M,,"
      case "void": "GPRMC,\(time),V,,,,,,,180524,,,N"
      case "ZDA": "GPZDA,\(time),18,05,2024,,"
      case "VTG": "GPVTG,41.0,T,,M,7.2,N,13.3,K,A"
      default: "GPGSA,A,3"
      }
    }
  }

  /// CR and LF are one character of a string, and cut off as one.
  @Test func `an epoch comes with the sentence that ended the last one`() throws {
    #expect(
      try counts(epoch(0, "RMC", "GGA") + epoch(1, "RMC", "GGA") + epoch(2, "RMC", "GGA")) == [
        0, 0, 1, 2, 2, 3,
      ])
    #expect(
      try counts(epoch(0, "GGA", "RMC", "VTG") + epoch(1, "GGA", "RMC", "VTG")) == [
        0, 0, 0, 1, 1, 2,
      ])
    #expect(try counts(epoch(0, "RMC") + epoch(1, "RMC") + epoch(2, "RMC")) == [0, 2, 3])
    // What is passed over neither ends an epoch nor begins one.
    #expect(
      try counts(epoch(0, "RMC", "GGA", "GSA") + epoch(1, "RMC", "GGA", "GSA")) == [
        0, 0, 0, 1, 2, 2,
      ])
    // A log may begin in the middle of an epoch.
    #expect(
      try counts(epoch(0, "GGA") + epoch(1, "RMC", "GGA") + epoch(2, "RMC", "GGA")) == [
        0, 1, 2, 2, 3,
      ])
    // A receiver that adds a type is followed.
    #expect(
      try counts(
        epoch(0, "RMC") + epoch(1, "RMC", "GGA") + epoch(2, "RMC", "GGA") + epoch(3, "RMC", "GGA"))
        == [0, 2, 2, 2, 3, 3, 4])
    // A void epoch gives nothing.
    #expect(try counts(epoch(0, "void") + epoch(1, "RMC") + epoch(2, "RMC")) == [0, 1, 2])
  }

  func times(_ bodies: String..., date: Timestamp? = nil) -> [String] {
    let bytes = bodies.flatMap { Array(sentence($0).utf8) }
    return decodeNMEA(bytes, date: date).locations.map { $0.time?.iso8601 ?? "" }
  }

  func gga(_ time: String) -> String { "GPGGA,\(time),5551.6,N,00415.0,W,1,,,,,,,," }
  func rmc(_ time: String, _ date: String) -> String {
    "GPRMC,\(time),A,5551.6,N,00415.0,W,,,\(date),,"
  }

  @Test func `two-digit years are 1980 to 2079`() {
    #expect(times(rmc("000000", "010180")) == ["1980-01-01T00:00:00Z"])
    #expect(times(rmc("000000", "311279")) == ["2079-12-31T00:00:00Z"])
    #expect(times(rmc("000000", "29022024")) == ["2024-02-29T00:00:00Z"])
  }

  @Test func `the first date dates all of the flight`() throws {
    let bytes = log(gga("235959"), gga("000000"), gga("000001"), rmc("000002", "180524"))
    let decoded = decodeNMEA(bytes)
    #expect(
      decoded.locations.map { $0.time?.iso8601 ?? "" } == [
        "2024-05-17T23:59:59Z", "2024-05-18T00:00:00Z", "2024-05-18T00:00:01Z",
        "2024-05-18T00:00:02Z",
      ])
    // The provisional midnight is that of 1970-01-01; date -u -d 2024-05-17 +%s
    #expect(decoded.tracks.first?.redated == 1_715_904_000_000_000)
  }

  @Test func `ZDA dates a flight, before or after its positions`() {
    let expected = ["2024-05-18T06:30:00Z", "2024-05-18T06:30:01Z"]
    let zda = "GPZDA,063000,18,05,2024,00,00"
    #expect(times(zda, gga("063000"), gga("063001")) == expected)
    #expect(times(gga("063000"), zda, gga("063001")) == expected)
    #expect(times(gga("063000"), gga("063001"), "GPZDA,063001.5,18,05,2024,,") == expected)
    #expect(times("GPZDA,055900,18,05,2024,,", gga("063000"), gga("063001")) == expected)
    // A default that a receiver tells before its fix is not believed where a better one comes.
    #expect(
      times("GPZDA,235950,05,01,1980,,", gga("063000"), rmc("063001", "180524")) == expected)
  }

  @Test func `the date turns at midnight, once`() {
    let expected = ["2024-05-18T23:59:59Z", "2024-05-19T00:00:00Z", "2024-05-19T00:00:01Z"]
    #expect(times(rmc("235959", "180524"), gga("000000"), gga("000001")) == expected)
    #expect(
      times(rmc("235959", "180524"), gga("000000"), rmc("000000", "190524"), gga("000001"))
        == expected)
    // A receiver that turns its date a second late.
    #expect(
      times(rmc("235959", "180524"), rmc("000000", "180524"), rmc("000001", "190524")) == expected)
    #expect(
      times(rmc("235958", "180524"), rmc("000000", "190524"), gga("235959"), gga("000001")) == [
        "2024-05-18T23:59:58Z", "2024-05-19T00:00:00Z", "2024-05-18T23:59:59Z",
        "2024-05-19T00:00:01Z",
      ])
  }

  /// So many seconds, from some before a midnight on, with a date that turns so long after it.
  @Test(arguments: [-18, -1, 0, 1, 18, 78, 1_200])
  func `a date that turns early or late leaves the clock running`(lateness: Int) {
    let seconds = -30..<1_300
    let bodies = seconds.map { second -> String in
      let time = (second + 86_400) % 86_400
      let digits = [time / 3_600, time / 60 % 60, time % 60].map { ($0 < 10 ? "0" : "") + "\($0)" }
      return rmc(digits.joined(), second < lateness ? "180524" : "190524")
    }
    let bytes = bodies.flatMap { Array(sentence($0).utf8) }
    // date -u -d 2024-05-19 +%s
    #expect(
      decodeNMEA(bytes).locations.map(\.time)
        == seconds.map { Timestamp(microseconds: Int64(1_716_076_800 + $0) * 1_000_000) })
  }

  @Test func `a day later is no date that turned early`() {
    #expect(
      times(rmc("235959", "180524"), rmc("235959", "190524"), rmc("235959", "200524")) == [
        "2024-05-18T23:59:59Z", "2024-05-19T23:59:59Z", "2024-05-20T23:59:59Z",
      ])
  }

  @Test func `a late sentence of an ended epoch makes no location`() {
    func all(_ seconds: Range<Int>) -> [String] {
      seconds.map { "2024-05-18T06:30:0\($0)Z" }
    }
    func fix(_ second: Int) -> String { rmc("06300\(second)", "180524") }
    func late(_ second: Int) -> String { gga("06300\(second)") }
    #expect(
      times(
        fix(4), late(4), fix(5), fix(6), late(6), late(5), fix(7), late(7), fix(8), late(8))
        == all(4..<9))
    // All of one type an epoch late, the dated one or the other.
    #expect(times(fix(0), fix(1), late(0), fix(2), late(1), fix(3), late(2)) == all(0..<4))
    #expect(times(late(0), late(1), fix(0), late(2), fix(1), late(3), fix(2)) == all(0..<4))
    // Three epochs late.
    #expect(times(fix(0), fix(1), fix(2), fix(3), late(0), fix(4)) == all(0..<5))
    // The date of a late sentence, over midnight.
    #expect(
      times(gga("235959"), gga("000000"), rmc("235959", "180524"), gga("000001")) == [
        "2024-05-18T23:59:59Z", "2024-05-19T00:00:00Z", "2024-05-19T00:00:01Z",
      ])
    // A restarted receiver a day later.
    #expect(
      times(
        rmc("063000", "180524"), rmc("063001", "180524"), rmc("063000", "190524"),
        rmc("063001", "190524")) == [
          "2024-05-18T06:30:00Z", "2024-05-18T06:30:01Z", "2024-05-19T06:30:00Z",
          "2024-05-19T06:30:01Z",
        ])
  }

  @Test func `the same time of day on another date is another epoch`() {
    #expect(
      times(rmc("063000", "180524"), rmc("063000", "190524")) == [
        "2024-05-18T06:30:00Z", "2024-05-19T06:30:00Z",
      ])
  }

  @Test func `a log without a date is refused, unless a date is given`() {
    let bytes = log(gga("235959"), gga("000000"))
    #expect(
      decodeNMEA(bytes).error
        == IngestError(
          .noDate, reason: "the sentences give times of day and no date; name it with --date"))
    // date -u -d 2024-05-18T12:00:00Z +%s
    let noon = Timestamp(microseconds: 1_716_033_600_000_000)
    #expect(
      times(gga("235959"), gga("000000"), date: noon) == [
        "2024-05-18T23:59:59Z", "2024-05-19T00:00:00Z",
      ])
    // Now is just after midnight, and the first fix is of just before it.
    let midnight = Timestamp(microseconds: 1_716_033_600_000_000 + 43_201_000_000)
    #expect(
      times(gga("235959"), gga("000000"), date: midnight) == [
        "2024-05-18T23:59:59Z", "2024-05-19T00:00:00Z",
      ])
    #expect(times(rmc("063000", "010120"), date: noon) == ["2020-01-01T06:30:00Z"])
    // The second would be of the year 10000.
    #expect(
      times(gga("235959"), gga("000000"), date: .latest) == [
        "9999-12-31T23:59:59Z", "9999-12-31T23:59:59.999999Z",
      ])
  }

  /// Garmin’s sensor configuration; PT and PQ are talkers of real receivers.
  @Test func `what Garmin sends of its sensor is no RMC`() throws {
    let configuration =
      "PGRMC,A,218.8,100,6378137.000,298.257223563,0.000,0.000,0.000,A,3,1,1,4,30"
    let track = try #require(
      decodeNMEA(log(configuration, Self.rmc, configuration)).tracks.first)
    #expect(track.report.rejected == [:])
    #expect(track.locations.count == 1)
    #expect(decodeNMEA(log("PT" + Self.rmc.dropFirst(2))).locations.count == 1)
  }

  @Test(arguments: ["310226", "000000"])
  func `a date that cannot be read is named where there is no other`(date: String) {
    func error(_ times: String...) -> IngestError? {
      decodeNMEA(times.flatMap { log(rmc($0, date)) }).error
    }
    #expect(
      error("120000")
        == IngestError(
          .noDate, reason: "the date of 1 sentence cannot be read; name it with --date"))
    #expect(
      error("120000", "120001", "120002")
        == IngestError(
          .noDate, reason: "the dates of 3 sentences cannot be read; name one with --date"))
  }

  /// Nothing shows that this source has checksums; behind one that has, the sentence would be cut.
  @Test func `a single sentence needs neither a checksum nor a line end`() {
    let bytes = Array("$\(Self.rmc)".utf8)
    for size in `Track decoder`.sizes {
      #expect(decodeNMEA(bytes, chunk: size).locations.count == 1)
      let track = decodeNMEA(log(Self.rmc) + bytes, chunk: size).tracks.first
      #expect(track?.locations.count == 1)
      #expect(track?.report.rejected == ["cut": 1])
    }
  }

  @Test func `nothing valid is an error that says so`() {
    #expect(
      decodeNMEA(Array("no sentence".utf8)).error
        == IngestError(.unknownFormat, reason: "no NMEA sentence found"))
    #expect(
      decodeNMEA(log("GPRMC,063000,V,,,,,,,180524,,,N")).error
        == IngestError(.notARecording, reason: "no valid fix"))
    #expect(
      decodeNMEA(Array("$\(Self.rmc)*00\r\n".utf8)).error
        == IngestError(.notARecording, reason: "no valid fix; rejected: 1 with a wrong checksum"))
    let bodies = [
      "GPGGA,246000,5551.6,N,00415.0,W,1,,,,,,,,", "GPGGA,063003,5560.0,N,00415.0,W,1,,,,,,,,",
      "GPGGA,063004,5560.0,N,00415.0,W,1,,,,,,,,",
    ]
    let bad = bodies.map { sentence($0) }.joined() + "$\(Self.gga)$\(Self.gga)*ZZ\r\n"
    #expect(
      decodeNMEA(Array(bad.utf8)).error?.reason
        == "no valid fix; rejected: 1 with a wrong checksum, 1 cut short, "
        + "2 with a position that cannot be read, 1 without a time of day that can be read")
  }

  @Test func `a sentence that is not whole is named for what it lacks`() {
    let bad =
      "$\(Self.gga)*ZZ\r\n$\(Self.gga)*4\r\n$\(Self.gga)$GPRMC,"
      + String(repeating: "1", count: 5_000) + "\r\n"
    let report = decodeNMEA(Array((bad + Self.dated).utf8)).tracks.first?.report
    #expect(
      report?.notes == [
        IngestReport.Note(line: 1, reason: "the checksum of GGA is not two hexadecimal digits"),
        IngestReport.Note(line: 2, reason: "the checksum of GGA is not two hexadecimal digits"),
        IngestReport.Note(line: 3, reason: "GGA is cut short"),
        IngestReport.Note(line: 3, reason: "RMC is longer than 1024 bytes"),
      ])
  }

  @Test(arguments: ["\n", "\r\n", "\r"])
  func `lines are counted by any line end`(end: String) throws {
    let lines = [String(sentence(Self.rmc).dropLast()), "# a remark", "", "$\(Self.gga)*00", ""]
    let bytes = Array(lines.joined(separator: end).utf8)
    for size in `Track decoder`.sizes {
      let track = try #require(decodeNMEA(bytes, chunk: size).tracks.first)
      let computed = Self.gga.utf8.reduce(UInt8(0), ^)
      let text = String(computed, radix: 16, uppercase: true)
      #expect(
        track.report.notes == [
          IngestReport.Note(line: 4, reason: "the checksum is \(text), not 00")
        ])
    }
  }

  @Test func `a checksum of one digit is right if it is the right one`() throws {
    // Appended characters that make the sum less than 16.
    let sum = Self.gga.utf8.reduce(UInt8(0), ^)
    let body = Self.gga + String(UnicodeScalar(sum & 0x70 | 0x01))
    let value = body.utf8.reduce(UInt8(0), ^)
    try #require(value < 16)
    let text = sentence(Self.rmc) + "$\(body)*\(String(value, radix: 16))\r\n"
    let report = decodeNMEA(Array(text.utf8)).tracks.first?.report
    #expect(report?.rejected == [:])
  }

  @Test func `degrees are the doubles nearest to what is written`() throws {
    let location = try #require(
      decodeNMEA(log("GPRMC,063000,A,0030.0,S,17959.99999999999,E,,,180524,,")).locations.first)
    #expect(location.latitude == -0.5)
    #expect(location.longitude < 180 && location.longitude > 179.999_999_999_99)
  }

  /// A sign sends a number through the general reader, and changes nothing of it.
  @Test func `what is read eight bytes at a time is what is read byte by byte`() throws {
    var generator = `NMEA mutations`.Generator(state: 7)
    func digits(_ count: Int) -> String {
      String((0..<count).map { _ in Character("\(Int.random(in: 0...9, using: &generator))") })
    }
    for round in 0..<2_000 {
      let decimals = round % 13
      let point = decimals == 0 ? "" : "."
      let latitude =
        "\(Int.random(in: 10...89, using: &generator))5\(digits(1))\(point)\(digits(decimals))"
      let longitude =
        "1\(Int.random(in: 10...79, using: &generator))0\(digits(1))\(point)\(digits(decimals))"
      let (speed, course) = (
        "\(digits(1 + round % 7))\(point)\(digits(decimals))", "12\(point)\(digits(decimals))"
      )
      let rmc = { (sign: String) in
        "GPRMC,063000,A,\(sign)\(latitude),S,\(sign)\(longitude),W,\(sign)\(speed),\(sign)\(course),180524,,,A"
      }
      let usual = try #require(decodeNMEA(log(rmc(""))).locations.first)
      let signed = try #require(decodeNMEA(log(rmc("+"))).locations.first)
      let isSame = usual == signed
      #expect(isSame, "\(rmc(""))")
    }
  }

  @Test func `decimals of a second count to the microsecond`() {
    for (time, expected) in [
      ("063000.", "00"), ("063000.5", "00.5"), ("063000.250", "00.25"),
      ("063000.123456", "00.123456"), ("063000.1234567", "00.123456"), ("063060", "60"),
    ] {
      let seconds = expected == "60" ? "06:31:00Z" : "06:30:\(expected)Z"
      #expect(times(rmc(time, "180524")) == ["2024-05-18T\(seconds)"], "\(time)")
    }
  }

  @Test func `a date that changes is read again`() {
    #expect(
      times(
        rmc("063000", "180524"), rmc("063000", "180524"), rmc("063001", "190524"),
        rmc("063002", "180524"))
        == [
          "2024-05-18T06:30:00Z", "2024-05-19T06:30:01Z", "2024-05-18T06:30:02Z",
        ])
  }
}

// MARK: - Mutations

@Suite struct `NMEA mutations` {
  /// A generator with a fixed seed: SplitMix64.
  struct Generator: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
      state &+= 0x9e37_79b9_7f4a_7c15
      var mixed = state
      mixed = (mixed ^ mixed >> 30) &* 0xbf58_476d_1ce4_e5b9
      mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
      return mixed ^ mixed >> 31
    }
  }

  static let seed: [UInt8] = log(
    "GPGGA,235958.25,5551.6000,N,00415.0000,W,1,08,1.1,84.2,M,39.0,M,,",
    "GPRMC,235958.25,A,5551.6000,N,00415.0000,W,5.8,40.0,180524,,,A",
    "GPVTG,41.0,T,,M,7.2,N,13.3,K,A", "GPGLL,5551.6,N,00415.0,W,235959,A,A",
    "GNGNS,000000,5551.6,N,00415.0,W,NAN,08,1.2,12.1,,,", "GPZDA,000000,19,05,2024,00,00",
    "GPRMC,000001,A,5551.6000,N,00415.0000,W,5.8,40.0,190524,,,A")

  /// Digits, separators and ends are what changes the meaning.
  static let letters = Array("0123456789.,*$!-+ANSEWVZ\r\n\0\u{7f} x".utf8) + [0x80, 0xff]

  static func mutated(_ generator: inout Generator) -> [UInt8] {
    var bytes = seed
    for _ in 0..<Int.random(in: 1...12, using: &generator) {
      let place = Int.random(in: 0..<bytes.count, using: &generator)
      let letter = letters[Int.random(in: 0..<letters.count, using: &generator)]
      switch Int.random(in: 0..<6, using: &generator) {
      case 0: bytes.insert(letter, at: place)
      case 1: if bytes.count > 1 { bytes.remove(at: place) }
      case 2:
        let length = Int.random(in: 0...40, using: &generator)
        bytes.removeSubrange(place..<min(bytes.count - 1, place + length).clamped(from: place))
      case 3:
        bytes.insert(contentsOf: [UInt8](repeating: letter, count: 30), at: place)
      default: bytes[place] = letter
      }
    }
    // Without checksums more of the damage reaches the fields.
    if Bool.random(using: &generator) {
      bytes = bytes.map { $0 == UInt8(ascii: "*") ? UInt8(ascii: "\n") : $0 }
    }
    return bytes
  }

  @Test func `never trap, never give what is out of range, whatever the chunks`() {
    var generator = Generator(state: 2_026)
    for _ in 0..<20_000 {
      let bytes = Self.mutated(&generator)
      let whole = decodeNMEA(bytes)
      let size = Int.random(in: 1...64, using: &generator)
      let isSame = decodeNMEA(bytes, chunk: size) == whole
      #expect(isSame, "\(String(decoding: bytes, as: UTF8.self))")
      for location in whole.locations {
        let numbers = [location.altitude, location.speed, location.course, location.hdop]
        let isSound =
          location.isValid && numbers.allSatisfy { $0?.isFinite ?? true }
          && (location.speed ?? 0) >= 0 && (0..<360).contains(location.course ?? 0)
          && location.time.map { $0 >= .earliest && $0 <= .latest } ?? false
        #expect(isSound, "\(String(decoding: bytes, as: UTF8.self))")
      }
    }
  }
}

extension Int {
  fileprivate func clamped(from lower: Int) -> Int { Swift.max(lower, self) }
}

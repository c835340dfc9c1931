import RunWayModel
import Testing

@testable import RunWayIngest

struct `GPX decoder` {
  // MARK: - What is read

  @Test
  func `a point's values come from where programs write them`() throws {
    let decoded = decodeGPX(
      gpx(
        track: """
          <name> Morning run </name><type>running</type>
          <extensions><x:Stats xmlns:x="urn:x"><x:Calories>512</x:Calories></x:Stats></extensions>
          <trkseg><trkpt lat="44.68095" lon="-6.07367">
          <ele>998.5</ele><time>2018-03-13T12:44:45.25Z</time><speed>2.5</speed><course>360</course>
          <hdop>0.9</hdop>
          <extensions><power>250</power>
          <t:TrackPointExtension xmlns:t="http://www.garmin.com/xmlschemas/TrackPointExtension/v2">
          <t:hr>141</t:hr><t:cad>88</t:cad><t:speed>9</t:speed></t:TrackPointExtension></extensions>
          </trkpt></trkseg>
          """,
        root: "<gpx xmlns=\"http://www.topografix.com/GPX/1/1\" creator=\"Watch\">"))
    let track = try #require(decoded.tracks.first)
    #expect(decoded.error == nil)
    #expect(
      track.info
        == TrackInfo(name: "Morning run", type: "running", creator: "Watch", calories: 512))
    #expect(
      track.locations == [
        // 2018-03-13T12:44:45Z is 1 520 945 085 s.
        Location(
          latitude: 44.68095, longitude: -6.07367, altitude: 998.5,
          time: Timestamp(microseconds: 1_520_945_085_250_000), speed: 2.5, course: 0, hdop: 0.9,
          heartRate: 141, cadence: 88, power: 250)
      ])
  }

  @Test(arguments: [
    (
      "<extensions><TrackPointExtension><speed>3</speed></TrackPointExtension></extensions>",
      "speed", 3
    ),
    ("<speed>3</speed>", "speed", 3),
    ("<extensions><speed>3</speed></extensions>", "speed", 3),
    (
      "<extensions><t:speed xmlns:t='http://www.garmin.com/xmlschemas/TrackPointExtension/v1'>3</t:speed></extensions>",
      "speed", 3
    ),
    ("<extensions><o:speed xmlns:o='urn:other'>3</o:speed></extensions>", "speed", nil),
    ("<speed/><extensions><speed>3</speed></extensions>", "speed", 3),
    ("<speed>-1</speed>", "speed", nil),
    ("<course>359.5</course>", "course", 359.5),
    ("<course>361</course>", "course", nil),
    (
      "<extensions><g:hr xmlns:g='http://www.cluetrust.com/XML/GPXDATA/1/0'>90</g:hr></extensions>",
      "hr", 90
    ),
    ("<extensions><heartrate>90</heartrate></extensions>", "hr", 90),
    ("<t:hr xmlns:t='urn:t'>90</t:hr>", "hr", 90),
    ("<extensions><nope:hr>90</nope:hr></extensions>", "hr", 90),
    ("<extensions><a><b><c><hr>90</hr></c></b></a></extensions>", "hr", 90),
    ("<extensions><x:ele xmlns:x='urn:x'>90</x:ele></extensions>", "ele", nil),
    ("<x:ele xmlns:x='urn:x'>90</x:ele>", "ele", nil),
    ("<ele>1<!-- not a comma -->2<![CDATA[3]]></ele>", "ele", 123),
    ("<ele>&#49;2</ele>", "ele", 12),
    ("<ele> \n 12 \n</ele>", "ele", 12),
    ("<ele>NaN</ele>", "ele", nil),
    ("<ele>1e7</ele>", "ele", nil),
    ("<ele></ele>", "ele", nil),
    ("<ele>1</ele><ele>2</ele>", "ele", 1),
    ("<extensions><g:cadence xmlns:g='urn:g'>80</g:cadence></extensions>", "cad", 80),
    ("<extensions><p:PowerInWatts xmlns:p='urn:p'>300</p:PowerInWatts></extensions>", "power", 300),
    ("<power>300</power>", "power", 300),
  ])
  func `a value is read at its place`(child: String, field: String, expected: Double?) throws {
    let decoded = decodeGPX(
      gpx(track: "<trkseg><trkpt lat='1' lon='2'>\(child)</trkpt></trkseg>"))
    let location = try #require(decoded.locations.first)
    let value =
      switch field {
      case "speed": location.speed
      case "course": location.course
      case "hr": location.heartRate
      case "cad": location.cadence
      case "power": location.power
      default: location.altitude
      }
    #expect(value == expected)
    #expect(decoded.error == nil)
  }

  @Test
  func `GPX may have any prefix, or none, or an undeclared one`() {
    let plain = decodeGPX(gpx(track: "<trkseg><trkpt lat='1' lon='2'/></trkseg>")).locations
    #expect(plain.count == 1)
    let prefixed = """
      <g:gpx xmlns:g="http://www.topografix.com/GPX/1/0" xmlns="urn:other"><g:trk><g:trkseg>
      <g:trkpt lat='1' lon='2'/><trkpt lat='3' lon='4'/></g:trkseg></g:trk></g:gpx>
      """
    #expect(decodeGPX(prefixed).locations == plain)
    #expect(
      decodeGPX(prefixed.replacing(" xmlns:g=\"http://www.topografix.com/GPX/1/0\"", with: ""))
        .locations == plain)
    #expect(
      decodeGPX("<gpx><trk><trkseg><trkpt lat='1' lon='2'/></trkseg></trk></gpx>").locations
        == plain)
  }

  @Test
  func
    `segments are counted with the empty ones, afresh in each track, or on where tracks are joined`()
  {
    let text = """
      <gpx><trk><name>A</name><trkseg/><trkseg><trkpt lat='1' lon='1'/></trkseg><trkseg/></trk><trk/>
      <trk><name>B</name><trkseg><trkpt lat='2' lon='2'/></trkseg></trk></gpx>
      """
    let apart = decodeGPX(text)
    #expect(apart.tracks.map { $0.info?.name } == ["A", "B"])
    #expect(apart.tracks.map { $0.locations.map(\.segment) } == [[1], [0]])
    let joined = decodeGPX(Array(text.utf8), options: GPXDecoder.Options(join: true))
    #expect(joined.tracks.map { $0.info?.name } == ["A"])
    #expect(joined.tracks.map { $0.locations.map(\.segment) } == [[1, 3]])
  }

  // MARK: - What can't be used

  @Test
  func `what can't be used is counted, and the first few named by line`() throws {
    let decoded = decodeGPX(
      gpx(
        track: """
          <trkseg>
          <trkpt lat="49,97" lon="2"/>
          <trkpt lat="1"/>
          <trkpt lat="91" lon="2"/>
          <trkpt lat="1" lon="2"><ele>high</ele>
          <time>0000-01-01T00:00:00Z</time></trkpt>
          <trkpt lat="1" lon="2"><ele>NaN</ele></trkpt>
          </trkseg>
          """))
    let track = try #require(decoded.tracks.first)
    #expect(track.locations.map(\.isValid) == [false, false, false, true, true])
    #expect(track.report.rejected == ["elevation": 2, "time": 1])
    #expect(
      track.report.notes == [
        IngestReport.Note(line: 5, reason: "latitude “49,97” is not a number"),
        IngestReport.Note(line: 6, reason: "its longitude is missing"),
        IngestReport.Note(line: 7, reason: "latitude “91” is out of range"),
        IngestReport.Note(line: 8, reason: "elevation “high” is not usable"),
        IngestReport.Note(line: 9, reason: "time “0000-01-01T00:00:00Z” can't be read"),
      ])
  }

  @Test(
    arguments: [
      ("", "f:1: the source is empty", .unknownFormat),
      ("$GPRMC,", "f:1: it is not XML: it does not begin with “<”", .unknownFormat),
      ("<!DOCTYPE html>\n<html>", "f:2: its root element is <html>, not <gpx>", .unknownFormat),
      ("<kml xmlns='urn:k'/>", "f:1: its root element is <kml>, not <gpx>", .unknownFormat),
      ("<gpx/>", "f: it holds no track", .notARecording),
      ("<gpx><wpt lat='1' lon='1'/></gpx>", "f: it holds 1 waypoint, but no track", .notARecording),
      (
        "<gpx><rte><rtept/><rtept/></rte><wpt/><wpt/></gpx>",
        "f: it holds a route of 2 points and 2 waypoints, but no track", .notARecording
      ),
      ("<gpx><trk><trkseg/></trk></gpx>", "f: it holds a track without points", .notARecording),
      (
        "<gpx><trk><trkseg>\n<trkpt lat='x' lon='1'/></trkseg></trk></gpx>",
        "f:2: its only point has no usable position: latitude “x” is not a number", .notARecording
      ),
      ("<gpx>\n\n<trk>\n", "f:4: the document ends inside <trk>", .malformed),
      (
        "<gpx>\n<trk></gpx>", "f:2: Opening and ending tag mismatch: trk line 2 and gpx", .malformed
      ),
      ("<gpx><trk>\n\n&nope;", "f:3: Entity 'nope' not defined", .malformed),
      ("<gpx/>\n<gpx/>", "f:2: Extra content at the end of the document", .malformed),
    ] as [(String, String, IngestError.Code)])
  func `a source that is no recording is refused with a reason`(
    text: String, message: String, code: IngestError.Code
  ) {
    for size in chunkSizes {
      let error = decodeGPX(text, chunk: size).error
      #expect(error?.description(in: "f") == message)
      #expect(error?.code == code)
    }
  }

  @Test
  func `what stands before a fault can be salvaged, whole points only`() {
    let text = """
      <gpx><trk><name>A</name><trkseg><trkpt lat='1' lon='1'/><trkpt lat='2' lon='2'><ele>3</ele></trkpt>
      <trkpt lat='3' lon='3'><ele>4</ele>
      """
    for size in chunkSizes {
      let decoded = decodeGPX(text, chunk: size, salvaging: true)
      #expect(decoded.error?.description(in: "f") == "f:2: the document ends inside <trkpt>")
      #expect(decoded.locations.map(\.latitude) == [1, 2])
      #expect(decoded.tracks.map { $0.info?.name } == ["A"])
    }
  }

  /// Watches lay out files before they fill them, and CP/M ended texts with ^Z.
  @Test(arguments: [
    "\0", "\0\0\0", "\n\0\0", "\u{1a}", "\r\n\u{1a}\0\0", String(repeating: "\0", count: 70_000),
  ])
  func `padding behind the document's end says nothing`(padding: String) {
    let text = gpx(track: "<trkseg><trkpt lat='1' lon='2'/></trkseg>")
    let utf16 = { (text: String) in text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] } }
    for size in chunkSizes.dropFirst(padding.count > 10_000 ? 4 : 0) {
      #expect(decodeGPX(text + padding, chunk: size) == decodeGPX(text))
      #expect(
        decodeGPX(utf16("\u{feff}\(text)\(padding)"), chunk: size).comparable
          == decodeGPX(text).comparable)
      // What follows it, and what is cut short before it, is a fault as ever.
      for fault in ["\(text)\(padding)x", "\(text)\(padding)<a/>", "\(text)x\(padding)"] {
        let error = decodeGPX(fault, chunk: size).error
        #expect(
          error
            == IngestError(
              .malformed, line: error?.line, reason: "Extra content at the end of the document"))
        #expect(error == decodeGPX(fault).error)
      }
      #expect(decodeGPX(text.dropLast(2) + padding, chunk: size).error?.code == .malformed)
    }
  }

  // MARK: - Encodings

  @Test func `a text without an element is read up to 16 MiB`() {
    func document(_ length: Int) -> String {
      let point = "<trkpt lat=\"1\" lon=\"2\"/>"
      let text = String(repeating: "-\n", count: length / 2)
      return "<gpx><trk><trkseg>\(point)\(text)\(point)</trkseg></trk></gpx>"
    }
    let allowed = decodeGPX(document(16_000_000), chunk: 131_072)
    #expect(allowed.error == nil)
    #expect(allowed.locations.count == 2)
    let refused = decodeGPX(document(17_000_000), chunk: 131_072, salvaging: true)
    #expect(refused.error?.reason == "no element begins within 16 MiB")
    // Two bytes a line: 16 MiB end in line 8 Mi; what is looked at at a time begins and ends at most 32 Ki lines off.
    #expect((8_388_608...8_454_145).contains(refused.error?.line ?? 0))
    #expect(refused.locations.count == 1)
  }

  @Test func `sixteen thousand names are read, and more are refused`() {
    func document(_ names: Int) -> String {
      let elements = (1...names).map { "<n\($0)/>" }.joined(separator: "\n")
      return "<gpx><trk><trkseg><trkpt lat=\"1\" lon=\"2\"/></trkseg></trk>\(elements)</gpx>"
    }
    #expect(decodeGPX(document(16_000)).error == nil)
    let refused = decodeGPX(document(17_000))
    #expect(refused.error?.reason == "it has more than 16384 different names")
    // Fewer than a hundred are ours.
    #expect((16_284...17_000).contains(refused.error?.line ?? 0))
    for size in [7, 4_096] { #expect(same(decodeGPX(document(17_000), chunk: size), refused)) }
  }

  @Test
  func `any encoding libxml2 knows is read`() {
    let text =
      "<?xml version=\"1.0\" encoding=\"ENC\"?>\n<gpx><trk><name>Größe</name><trkseg>"
      + "<trkpt lat='1' lon='1'><ele>5</ele></trkpt><trkpt lat='2' lon='1'><ele>6</ele></trkpt></trkseg></trk></gpx>"
    func utf16(_ text: String, bigEndian: Bool) -> [UInt8] {
      text.utf16.flatMap { unit in
        bigEndian
          ? [UInt8(unit >> 8), UInt8(unit & 0xff)] : [UInt8(unit & 0xff), UInt8(unit >> 8)]
      }
    }
    func with(_ name: String) -> String { text.replacing("ENC", with: name) }
    let sources: [[UInt8]] = [
      Array(with("UTF-8").utf8),
      [0xef, 0xbb, 0xbf] + Array(with("UTF-8").utf8),
      with("ISO-8859-1").unicodeScalars.map { UInt8($0.value) },
      with("windows-1252").unicodeScalars.map { UInt8($0.value) },
      [0xff, 0xfe] + utf16(with("UTF-16"), bigEndian: false),
      [0xfe, 0xff] + utf16(with("UTF-16"), bigEndian: true),
    ]
    for source in sources {
      for size in chunkSizes {
        let decoded = decodeGPX(source, chunk: size)
        #expect(decoded.tracks.map { $0.info?.name } == ["Größe"])
        #expect(decoded.locations.map(\.altitude) == [5, 6])
      }
    }
  }

  @Test
  func `bytes that are not of the declared encoding are a fault`() {
    let bytes = Array("<gpx><trk>\n<name>".utf8) + [0xff, 0xfe] + Array("</name></trk></gpx>".utf8)
    for size in chunkSizes {
      let error = decodeGPX(bytes, chunk: size).error
      #expect(error?.code == .malformed)
      #expect(error?.line == 2)
    }
  }

  @Test(
    arguments: [
      ("nonsense-99", [], "f:1: Unsupported encoding nonsense-99"),
      ("UTF-8", [0xc3], "f:3: Input is not proper UTF-8, indicate encoding !"),
      (
        "EUC-JP", [0xff, 0xff],
        "f:1: input conversion failed due to input error, bytes 0xFF 0xFF 0x3C 0x2F"
      ),
    ] as [(String, [UInt8], String)])
  func `a fault of an encoding is an error like any other`(
    encoding: String, bytes: [UInt8], message: String
  ) {
    let head = "<?xml version=\"1.0\" encoding=\"\(encoding)\"?>\n<gpx><trk><trkseg>\n"
    let document =
      Array("\(head)<trkpt lat='1' lon='1'>".utf8) + bytes
      + Array("</trkpt></trkseg></trk></gpx>".utf8)
    for size in chunkSizes {
      #expect(decodeGPX(document, chunk: size).error?.description(in: "f") == message)
    }
  }

  @Test
  func `references in attributes are resolved`() {
    let text = """
      <!DOCTYPE gpx [<!ENTITY degrees "48"><!ENTITY la "&degrees;.1"><!ENTITY four "&#38;#52;"><!ENTITY t "2026">]>
      <gpx creator="Smith &amp; Söhne &lt;&#38;amp;&gt; &t;"><trk><trkseg>
      <trkpt lat="&la;5" lon="1&#49;"/><trkpt lat="-&la;" lon='&four;&four;'/>
      </trkseg></trk></gpx>
      """
    for size in chunkSizes {
      let decoded = decodeGPX(text, chunk: size)
      #expect(decoded.locations.map(\.latitude) == [48.15, -48.1])
      #expect(decoded.locations.map(\.longitude) == [11, 44])
      #expect(decoded.tracks.map(\.info?.creator) == ["Smith & Söhne <&amp;> 2026"])
    }
  }

  @Test
  func `a point with an entity without end has no position, and costs little`() {
    let long = String(repeating: "1", count: 1_000_000)
    let point = "<trkpt lat='&long;' lon='&la;'/>"
    let text =
      "<!DOCTYPE gpx [<!ENTITY long '\(long)'><!ENTITY la '1'>]><gpx><trk><trkseg>"
      + String(repeating: point, count: 20_000)
      + "<trkpt lat='&la;' lon='&la;'/></trkseg></trk></gpx>"
    var outcome = Decoded()
    let time = ContinuousClock().measure { outcome = decodeGPX(text) }
    #expect(outcome.census.validPoints == 1)
    #expect(outcome.census.points == 20_001)
    #expect(time < .seconds(10))
    let loop =
      "<!DOCTYPE gpx [<!ENTITY a '&b;'><!ENTITY b '&a;'>]><gpx><trk><trkseg><trkpt lat='&a;' lon='1'/>"
    #expect(decodeGPX(loop).error?.code == .malformed)
  }

  // MARK: - Hostile input

  @Test
  func `nothing outside of the document is read, and entities do not grow without bound`() {
    let external =
      "<!DOCTYPE gpx [<!ENTITY x SYSTEM 'file:///etc/passwd'><!ENTITY % p SYSTEM 'file:///etc/passwd'>%p;]>"
      + "<gpx><trk><name>a&x;b</name><trkseg><trkpt lat='1' lon='1'/></trkseg></trk></gpx>"
    let decoded = decodeGPX(external)
    #expect(decoded.tracks.allSatisfy { $0.info?.name == "ab" || $0.info?.name == "a" })

    var bomb = "<!DOCTYPE gpx [<!ENTITY a0 'lol'>"
    for level in 1...12 {
      bomb += "<!ENTITY a\(level) '\(String(repeating: "&a\(level - 1);", count: 10))'>\n"
    }
    bomb += "]><gpx><trk><name>&a12;</name></trk></gpx>"
    let clock = ContinuousClock()
    var outcome = Decoded()
    let time = clock.measure { outcome = decodeGPX(bomb) }
    #expect(outcome.error?.code == .malformed)
    #expect(time < .seconds(5))
  }

  @Test
  func `hostile sizes cost neither much memory nor much time`() {
    let point = "<trkpt lat='1' lon='1'/>"
    func document(_ middle: String) -> String {
      "<gpx><trk><trkseg>\(point)\(middle)</trkseg></trk></gpx>"
    }
    let nested = String(repeating: "<a>", count: 100_000)
    #expect(
      decodeGPX(document("\n" + nested)).error?.description(in: "f")
        == "f:2: elements are nested more than 256 deep")
    let digits = String(repeating: "9", count: 100_000)
    #expect(decodeGPX(document("<trkpt lat='\(digits)' lon='1'/>")).locations.count == 2)
    #expect(
      decodeGPX(document("<trkpt lat='1' lon='1'><ele>\(digits)</ele></trkpt>")).locations.last?
        .altitude == nil)
    let attribute = String(repeating: "x", count: 11_000_000)
    #expect(decodeGPX(document("<a b='\(attribute)'/>")).error?.code == .malformed)
    #expect(decodeGPX(document("<a>\(attribute)</a>")).error == nil)
    let segments = String(repeating: "</trkseg><trkseg>", count: 100_000)
    #expect(decodeGPX(document(segments)).census.segments == 100_001)
    for size in chunkSizes {
      #expect(decodeGPX(document("\0"), chunk: size).error?.code == .malformed)
    }
  }
}

import RunWayModel
import Testing

@testable import RunWayIngest

/// The fast path must not be told from libxml2 by its results.
struct `GPX point templates` {
  /// Documents whose points take turns in every way the templates have to follow.
  static let documents: [String] = {
    func point(_ index: Int, _ extras: String = "") -> String {
      """
      \n <trkpt lat="\(44 + Double(index) / 1_000)" lon="-6.\(1_000_000 + index)">
        <ele>\(100 + index).\(index % 10)</ele>
        <time>2018-03-13T12:\(10 + index / 60 % 50):\(10 + index % 50).\(index)Z</time>\(extras)
       </trkpt>
      """
    }
    func sensors(_ index: Int) -> String {
      "<extensions><p:TrackPointExtension><p:hr>\(90 + index)</p:hr><p:atemp>a b \(index)</p:atemp>"
        + "</p:TrackPointExtension></extensions>"
    }
    func segment(_ points: [String], _ attributes: String = "") -> String {
      "<trkseg\(attributes)>\(points.joined())\n</trkseg>"
    }
    let root =
      "<gpx xmlns='http://www.topografix.com/GPX/1/1' xmlns:p='http://www.garmin.com/xmlschemas/TrackPointExtension/v1'>"
    let indices = Array(0..<12)
    return [
      gpx(track: segment(indices.map { point($0) }), root: root),
      gpx(track: segment(indices.map { point($0, sensors($0)) }), root: root),
      gpx(track: segment(indices.map { point($0, $0 % 3 == 0 ? sensors($0) : "") }), root: root),
      gpx(
        track: segment(indices.map { point($0, sensors($0)) })
          + segment(indices.map { point($0, sensors($0)) }), root: root
      ).replacing("\n", with: "\r\n"),
      // A prefix that means something else in one segment.
      gpx(
        track: segment(
          indices.map { point($0, "<extensions><p:speed>\($0)</p:speed></extensions>") })
          + segment(
            indices.map { point($0, "<extensions><p:speed>\($0)</p:speed></extensions>") },
            " xmlns:p='urn:other'")
          + segment(indices.map { point($0, "<extensions><p:speed>\($0)</p:speed></extensions>") }),
        root: root),
      // An element that is empty at first, and one that says it again.
      gpx(
        track: segment(
          indices.map {
            point(
              $0,
              "<speed>\($0 < 4 ? "" : "\($0)")</speed><extensions><speed>9\($0)</speed></extensions>"
            )
          }), root: root),
      // Self-closed points, comments, references, single quotes, bare text between points.
      gpx(
        track: segment(
          indices.map {
            "<trkpt lon='\($0)' lat='1\($0)' id='a'/><!-- \($0) -->"
              + point($0, $0 % 2 == 0 ? "<name>a &amp; b</name>" : "<name>a</name>") + "text"
          }), root: root),
      // Values that libxml2's path has to judge.
      gpx(
        track: segment(
          [
            "1", "x", "-5", "1e3", "1,5", "91", "181", "999999999", "12345678901234567890", " 7 ",
            "+3", "5.",
          ]
          .map {
            "<trkpt lat=\"\($0)\" lon=\"\($0)\"><ele>\($0)</ele><speed>\($0)</speed><course>\($0)</course></trkpt>\n"
          }),
        root: root),
      // One shape after another, never the same twice.
      gpx(track: segment(Array(0..<60).map { point($0, "<x\($0)>1</x\($0)>") }), root: root),
    ]
  }()

  @Test func `a shape is learned once, whatever values libxml2 is asked about`() throws {
    let points = ["1", "91", "1e0", "95", "2"].map {
      "<trkpt lat=\"\($0)\" lon=\"3\"><ele>4</ele></trkpt>"
    }
    let other = "<trkpt lat=\"5\" lon=\"6\"><speed>7</speed></trkpt>"
    let document = gpx(track: "<trkseg>\(points.joined())\(other)\(points.joined())</trkseg>")
    let decoder = GPXDecoder()
    var elements: [TrackElement] = []
    try Array(document.utf8).withUnsafeBytes { try decoder.consume($0, into: &elements) }
    #expect(decoder.templates.templates.count == 2)
  }

  @Test(arguments: documents)
  func `every cut gives what libxml2 alone gives`(document: String) {
    let bytes = Array(document.utf8)
    let expected = decodeGPX(bytes, salvaging: true, usesTemplates: false)
    #expect(expected.error == nil)
    for size in chunkSizes + [311, 5_000] {
      let isSame = same(decodeGPX(bytes, chunk: size, salvaging: true), expected)
      #expect(isSame, "chunks of \(size)")
    }
  }

  @Test(arguments: documents)
  func `every truncation fails alike, at the same line`(document: String) {
    let bytes = Array(document.utf8)
    for length in stride(from: 1, to: bytes.count, by: 13) {
      let cut = Array(bytes[..<length])
      let isSame = same(
        decodeGPX(cut, chunk: 64, salvaging: true),
        decodeGPX(cut, salvaging: true, usesTemplates: false))
      #expect(isSame, "length \(length)")
    }
  }

  /// Mutations of each document; the fuzzer in `Tests/Fuzzing` goes on from here.
  static let rounds = 800

  @Test(arguments: documents.indices)
  func `mutated documents are read alike`(index: Int) {
    let original = Array(Self.documents[index].utf8)
    var random = SplitMix(state: UInt64(index) &* 0x1234_5678 &+ 1)
    let spice = Array("<>&\"'/! \n\r\t0123456789.-+eE,:TZx\u{0}é]".utf8)
    for round in 0..<Self.rounds {
      var bytes = original
      for _ in 0...(random.next() % 3) {
        let place = Int(random.next() % UInt64(bytes.count))
        switch random.next() % 5 {
        case 0: bytes[place] = spice[Int(random.next() % UInt64(spice.count))]
        case 1: bytes.insert(spice[Int(random.next() % UInt64(spice.count))], at: place)
        case 2: bytes.remove(at: place)
        case 3:
          let end = min(bytes.count, place + Int(random.next() % 400))
          bytes.insert(contentsOf: bytes[place..<end], at: Int(random.next() % UInt64(bytes.count)))
        default:
          let end = min(bytes.count, place + Int(random.next() % 100))
          bytes.removeSubrange(place..<end)
        }
        if bytes.isEmpty { bytes = [UInt8(ascii: "<")] }
      }
      let size = [7, 64, 500, 4_096, Int.max][round % 5]
      let expected = decodeGPX(bytes, salvaging: true, usesTemplates: false)
      let decoded = decodeGPX(bytes, chunk: size, salvaging: true)
      let isSame = same(decoded, expected)
      #expect(
        isSame,
        "round \(round), chunks of \(size): \(decoded.error as Any), not \(expected.error as Any)")
    }
  }
}

import RunWayModel
import Testing

@testable import RunWayIngest

struct `GPX writer` {
  private func document(_ tracks: [(GPXWriter.Track, [Location])]) throws -> [UInt8] {
    var bytes: [UInt8] = []
    let writer = try GPXWriter { bytes += $0 }
    for (track, locations) in tracks {
      try writer.beginTrack(track)
      try writer.write(
        locations.enumerated().map { Coordinate(order: $0.offset, location: $0.element) })
      try writer.endTrack()
    }
    try writer.finish()
    return bytes
  }

  @Test
  func `what is written reads as it was`() throws {
    let first = [
      Location(
        latitude: 44.680950000000001, longitude: -0.1, altitude: 0,
        time: Timestamp(microseconds: 1_520_945_085_250_001), speed: 2.5, course: 0, hdop: 0.9,
        heartRate: 141, cadence: 0, power: 250, segment: 0),
      Location(latitude: 1e-7, longitude: .leastNonzeroMagnitude, altitude: -1e-5, segment: 0),
      Location(latitude: -90, longitude: 180, time: .earliest, power: 1, segment: 1),
      Location(latitude: 0.1 + 0.2, longitude: 123_456_789e-9, course: 359.999, segment: 2),
    ]
    let second = [Location(latitude: 1, longitude: 2, time: .latest)]
    let info = TrackInfo(
      name: "<Größe> & \"💥\"", type: "running", creator: "A 'watch'", calories: 512.5,
      date: Timestamp(microseconds: 1_520_945_085_250_001))
    let undated = TrackInfo(name: "Undated", isUndated: true)
    let bytes = try document([
      (GPXWriter.Track(info: info), first), (GPXWriter.Track(info: undated), second),
    ])
    let decoded = decodeGPX(bytes)
    #expect(decoded.error == nil)
    #expect(decoded.tracks.map(\.locations) == [first, second])
    #expect(decoded.tracks.map(\.info) == [info, undated])
    #expect(decoded.tracks.allSatisfy { $0.report.isEmpty })
  }

  @Test
  func `a document looks like this`() throws {
    let alert = Alert(
      number: 0, state: .sinkRate, timestamp: Timestamp(microseconds: 0),
      pace: Pace(secondsPerKilometer: 345.5), distance: .meters(1_200), latitude: 1, longitude: 2)
    let bytes = try document([
      (
        GPXWriter.Track(
          info: TrackInfo(name: "Run\u{0B}", type: "running"),
          mission: Mission(
            pace: Pace(secondsPerKilometer: 330), tolerance: 10, distance: .kilometers(10)),
          options: FlightOptions(), alerts: [alert]),
        [
          Location(
            latitude: 1, longitude: 2, altitude: 3.5, time: Timestamp(microseconds: 0),
            heartRate: 141, power: 200)
        ]
      )
    ])
    #expect(
      String(decoding: bytes, as: UTF8.self) == """
        <?xml version="1.0" encoding="UTF-8"?>
        <gpx version="1.1" creator="RunWay" xmlns="http://www.topografix.com/GPX/1/1" \
        xmlns:gpxtpx="http://www.garmin.com/xmlschemas/TrackPointExtension/v2" \
        xmlns:pwr="http://www.garmin.com/xmlschemas/PowerExtension/v1" \
        xmlns:runway="https://runway.example/gpx/1">
         <trk>
          <name>Run</name>
          <type>running</type>
          <extensions>
           <runway:flight>
            <runway:maxSpeed>12.5</runway:maxSpeed>
            <runway:mission>
             <runway:pace>330</runway:pace>
             <runway:tolerance>10</runway:tolerance>
             <runway:distance>10000</runway:distance>
            </runway:mission>
            <runway:alert state="sinkRate" timestamp="1970-01-01T00:00:00Z" pace="345.5" \
        distance="1200" latitude="1" longitude="2"/>
           </runway:flight>
          </extensions>
          <trkseg>
           <trkpt lat="1" lon="2">
            <ele>3.5</ele>
            <time>1970-01-01T00:00:00Z</time>
            <extensions>
             <pwr:PowerInWatts>200</pwr:PowerInWatts>
             <gpxtpx:TrackPointExtension>
              <gpxtpx:hr>141</gpxtpx:hr>
             </gpxtpx:TrackPointExtension>
            </extensions>
           </trkpt>
          </trkseg>
         </trk>
        </gpx>

        """)
  }

  @Test
  func `a flight without coordinates leaves no empty segment, and the document stays whole`() throws
  {
    let text = String(decoding: try document([(GPXWriter.Track(), [])]), as: UTF8.self)
    #expect(!text.contains("trkseg"))
    #expect(decodeGPX(text).error?.reason == "it holds a track without points")
  }

  @Test
  func `pieces are handed out as they come`() throws {
    var largest = 0
    var total = 0
    let writer = try GPXWriter {
      largest = max(largest, $0.count)
      total += $0.count
    }
    try writer.beginTrack(GPXWriter.Track())
    let location = Location(latitude: 1.5, longitude: 2.5, altitude: 3)
    try writer.write((0..<20_000).lazy.map { Coordinate(order: $0, location: location) })
    try writer.endTrack()
    try writer.finish()
    #expect(total > 1_000_000)
    #expect(largest < 40_000)
  }

  struct Full: Error {}

  @Test
  func `what the sink throws ends the writing`() throws {
    let writer = try GPXWriter { _ in throw Full() }
    #expect(throws: Full.self) { try writer.beginTrack(GPXWriter.Track()) }
  }

  @Test(
    arguments: [
      (0, "0"), (-0.0, "-0"), (1, "1"), (-1.5, "-1.5"), (1e-5, "0.00001"), (-2.5e-7, "-0.00000025"),
      (1e16, "10000000000000000"), (1.25e20, "125000000000000000000"), (0.1, "0.1"),
      (123456.789, "123456.789"),
      (.leastNonzeroMagnitude, "0." + String(repeating: "0", count: 323) + "5"),
    ] as [(Double, String)])
  func `numbers are written without an exponent`(value: Double, text: String) {
    #expect(value.decimalText == text)
    #expect(Double(text)?.bitPattern == value.bitPattern)
  }

  @Test(.enabled(if: corpusFolder != nil), arguments: `GPX corpus`.rows)
  func `every track of the corpus survives the round trip`(row: ManifestRow) throws {
    let folder = try #require(corpusFolder)
    let decoded = decodeGPX(try #require(readFile("\(folder)/gpx/\(row.file)")))
    let tracks = decoded.tracks.map { track in
      (
        GPXWriter.Track(info: track.info ?? TrackInfo()), track.locations.filter(\.isValid)
      )
    }.filter { !$0.1.isEmpty }
    let again = decodeGPX(try document(tracks))
    guard !tracks.isEmpty else { return }
    #expect(again.tracks.map { $0.info ?? TrackInfo() } == tracks.map(\.0.info))
    func fingerprint(_ locations: [Location]) -> RecordingFingerprint {
      var printer = RecordingFingerprinter()
      for location in locations { printer.update(with: location) }
      return printer.fingerprint
    }
    #expect(
      again.tracks.map { fingerprint($0.locations) } == tracks.map { fingerprint($0.1) })
    func unnumbered(_ locations: [Location]) -> [Location] {
      locations.map { location in
        var copy = location
        copy.segment = 0
        return copy
      }
    }
    #expect(again.tracks.map { unnumbered($0.locations) } == tracks.map { unnumbered($0.1) })
  }
}

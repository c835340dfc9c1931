import RunWayModel
import RunWaySamples

extension Fixture {
  /// All fixtures, the index last.
  static let catalogue: [Fixture] = {
    let fixtures = runs + oddRecordings + notRecordings + encodings + damaged
    return fixtures + [index(of: fixtures)]
  }()

  // MARK: - Runs

  private static var runs: [Fixture] {
    [
      Fixture(
        path: "ten-kilometres.gpx",
        summary: "10 km at 1 Hz with elevation, heart rate, cadence; too slow twice and too fast "
          + "once for `--pace 5:30 --tolerance 15 --distance 10km`, and over the finish",
        bytes: gpx(.tenKilometers)),
      Fixture(
        path: "ten-kilometres.nmea",
        summary: "the same run as RMC, GGA, GSA, GSV, VTG, with the receiver's speed",
        bytes: nmea(SampleFlight.tenKilometers.withSpeed.locations)),
      Fixture(
        path: "stops.gpx",
        summary:
          "3.2 km: 45 s at a traffic light, later 5 min with the watch paused (two segments)",
        bytes: gpx(.stops)),
      Fixture(
        path: "midnight.gpx", summary: "a run over midnight, UTC",
        bytes: gpx(.midnight)),
      Fixture(
        path: "midnight.nmea", summary: "the same run from a receiver",
        bytes: nmea(SampleFlight.midnight.locations)),
      Fixture(
        path: "date-line.gpx", summary: "a run over the 180th meridian and back",
        bytes: gpx(.dateLine)),
      Fixture(
        path: "watch-noise.gpx",
        summary: "3 km at a steady 5:30 with a good watch's position noise (3 m over 200 s, 0.1 m)",
        bytes: gpx(.noisyWatch)),
      Fixture(
        path: "gpx-1.0.gpx",
        summary: "GPX 1.0 with `speed`, `course` and `hdop` of each point",
        bytes: gpx10(shortRun(seed: 60, measuresSpeed: true))),
    ]
  }

  // MARK: - Odd recordings

  private static var oddRecordings: [Fixture] {
    [
      Fixture(
        path: "multi-track.gpx", summary: "three tracks of one morning in one file",
        bytes: multiTrack()),
      Fixture(
        path: "smart-recording.gpx",
        summary:
          "1 km, a point every 1 to 9 s, and 25 s without any in which the last 50 m begin and end",
        bytes: smartRecording()),
      Fixture(
        path: "stray-points.gpx",
        summary: "a run with 2 invalid points, 3 duplicates, 4 points that go back in time and "
          + "a spike of 2",
        bytes: strayPoints()),
      Fixture(
        path: "gga-only.nmea", summary: "a log of GGA alone: times of day, no date",
        bytes: nmea(shortRun(seed: 61).locations, [.gga])),
      Fixture(
        path: "late-date.nmea",
        summary:
          "positions from 23:59:30 on by GGA; the first RMC, with the date, comes after midnight",
        bytes: lateDate()),
    ]
  }

  private static func multiTrack() -> [UInt8] {
    var writer = GPXText()
    for (index, name) in ["Warm-up", "Main set", "Cool-down"].enumerated() {
      var flight = shortRun(seed: UInt64(70 + index))
      flight.info.name = name
      flight.run.start = flight.run.start.shifted(byMicroseconds: Int64(index) * 1_200_000_000)
      writer.writeTrack(flight.info, flight.locations)
    }
    writer.end()
    return writer.text.bytes
  }

  private static func smartRecording() -> [UInt8] {
    var flight = shortRun(seed: 62, meters: 1_080)
    flight.info.name = "Smart recording"
    let all = flight.locations
    var generator = SeededGenerator(seed: 62)
    // 5:30 a kilometre is 3 m/s: metres 944 to 1019 pass from second 314 on.
    let silence = 314..<339
    var kept: [Location] = []
    var index = 0
    while index < all.count {
      kept.append(all[index])
      let next = index + 1 + Int(generator.next() % 9)
      if index == silence.lowerBound {
        index = silence.upperBound
      } else if index < silence.lowerBound {
        index = min(next, silence.lowerBound)
      } else {
        index = next
      }
    }
    return gpx(flight.info, kept)
  }

  private static func strayPoints() -> [UInt8] {
    var flight = shortRun(seed: 63)
    flight.info.name = "Stray points"
    var locations = flight.locations
    // From the end, so that the places hold while points are put in.
    locations[150].latitude += 0.002
    locations[151].latitude += 0.002
    locations.insert(contentsOf: locations[90..<94], at: 110)
    for _ in 0..<3 { locations.insert(locations[60], at: 61) }
    for place in [30, 40] {
      var impossible = locations[place]
      impossible.latitude = 91
      locations.insert(impossible, at: place)
    }
    return gpx(flight.info, locations)
  }

  private static func lateDate() -> [UInt8] {
    var flight = shortRun(seed: 64, meters: 300, measuresSpeed: true)
    flight.run.start = SampleFlight.midnight.run.start.shifted(byMicroseconds: 180_000_000)
    let locations = flight.locations
    return nmea(Array(locations.prefix(45)), [.gga]) + nmea(Array(locations.dropFirst(45)))
  }

  // MARK: - Not recordings

  private static var notRecordings: [Fixture] {
    [
      Fixture(
        path: "untimed.gpx", summary: "a track none of whose points bears a time",
        bytes: untimed()),
      Fixture(path: "route-only.gpx", summary: "a route, no track", bytes: routeOnly()),
      Fixture(
        path: "waypoints-only.gpx", summary: "waypoints, no track", bytes: waypointsOnly()),
      Fixture(path: "empty.gpx", summary: "no byte at all", bytes: []),
      Fixture(
        path: "words.txt", summary: "text that is neither GPX nor NMEA",
        bytes: Array("A runway is a strip of prepared ground.\n".utf8)),
    ]
  }

  private static func untimed() -> [UInt8] {
    var flight = shortRun(seed: 65)
    flight.info.name = "No times"
    let locations = flight.locations.map { location in
      Location(
        latitude: location.latitude, longitude: location.longitude, altitude: location.altitude)
    }
    return gpx(flight.info, locations)
  }

  private static func routeOnly() -> [UInt8] {
    var writer = GPXText()
    writer.writeRoute("A plan", points: everyTwentieth)
    writer.end()
    return writer.text.bytes
  }

  private static func waypointsOnly() -> [UInt8] {
    var writer = GPXText()
    for location in everyTwentieth { writer.writePoint(location, element: "wpt") }
    writer.end()
    return writer.text.bytes
  }

  private static var everyTwentieth: [Location] {
    shortRun(seed: 66).locations.enumerated().filter { $0.offset % 20 == 0 }.map { place in
      Location(latitude: place.element.latitude, longitude: place.element.longitude)
    }
  }

  // MARK: - Encodings

  private static var encodings: [Fixture] {
    let short = shortRun(seed: 67, measuresSpeed: true)
    let log = nmea(short.locations)
    return [
      Fixture(
        path: "gzip.gpx.gz", summary: "`stops.gpx`, compressed by gzip",
        bytes: gzip(gpx(.stops))),
      Fixture(
        path: "gzip.nmea.gz", summary: "a log, compressed by gzip", bytes: gzip(log)),
      Fixture(
        path: "utf-16.nmea",
        summary: "the same log in UTF-16, little endian, with a byte order mark",
        bytes: utf16(log)),
      Fixture(
        path: "utf-16.gpx", summary: "a run in UTF-16, little endian, with a byte order mark",
        bytes: utf16(gpx(short.info, short.locations))),
      Fixture(
        path: "latin-1.gpx", summary: "a run in ISO 8859-1, named with umlauts",
        bytes: latin1Run()),
    ]
  }

  private static func utf16(_ ascii: [UInt8]) -> [UInt8] {
    let text = String(decoding: ascii, as: UTF8.self)
      .replacing("encoding=\"UTF-8\"", with: "encoding=\"UTF-16\"")
    return [0xff, 0xfe] + text.utf16.flatMap { [UInt8($0 & 0xff), UInt8($0 >> 8)] }
  }

  private static func latin1Run() -> [UInt8] {
    var flight = shortRun(seed: 68, meters: 200)
    flight.info.name = "Früh übers Feld"
    let text = String(decoding: gpx(flight.info, flight.locations), as: UTF8.self)
      .replacing("encoding=\"UTF-8\"", with: "encoding=\"ISO-8859-1\"")
    // The first 256 characters of Unicode are ISO 8859-1.
    return text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
  }

  // MARK: - Damaged files

  private static var damaged: [Fixture] {
    let short = shortRun(seed: 69, meters: 300, measuresSpeed: true)
    let track = gpx(short.info, short.locations)
    let log = nmea(short.locations)
    return [
      Fixture(
        path: "damaged/truncated.gpx", summary: "cut in the middle of a tag",
        bytes: cut(track)),
      Fixture(
        path: "damaged/mismatched-tag.gpx",
        summary: "line 30 closes `<ele>` with `</time>`",
        bytes: replaced(track, line: 30, "</ele>", "</time>")),
      Fixture(
        path: "damaged/decimal-comma.gpx", summary: "every latitude and longitude with a comma",
        bytes: decimalCommas(track)),
      Fixture(
        path: "damaged/bad-checksums.nmea",
        summary: "every 7th epoch has one wrong character in each sentence",
        bytes: wrongChecksums(log, sentencesPerEpoch: 6)),
      Fixture(
        path: "damaged/binary-between.nmea",
        summary: "100 random bytes before every 20th sentence", bytes: binaryBetween(log)),
      Fixture(
        path: "damaged/noise.bin", summary: "4096 random bytes", bytes: noise(4_096, seed: 71)),
    ]
  }

  /// The first half, and after the last whole line of it the beginning of a tag.
  private static func cut(_ track: [UInt8]) -> [UInt8] {
    let half = track.prefix(track.count / 2)
    let lineEnd = half.lastIndex(of: UInt8(ascii: "\n")) ?? half.startIndex
    return half[...lineEnd] + Array("      <trkpt lat=\"52.51".utf8)
  }

  private static func replaced(
    _ bytes: [UInt8], line: Int, _ old: String, _ new: String
  ) -> [UInt8] {
    var lines = String(decoding: bytes, as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    lines[line - 1] = lines[line - 1].replacing(old, with: new)
    return Array(lines.joined(separator: "\n").utf8)
  }

  private static func decimalCommas(_ bytes: [UInt8]) -> [UInt8] {
    let lines = String(decoding: bytes, as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false)
    let changed = lines.map { line in
      line.contains("<trkpt") ? String(line.replacing(".", with: ",")) : String(line)
    }
    return Array(changed.joined(separator: "\n").utf8)
  }

  private static func wrongChecksums(_ log: [UInt8], sentencesPerEpoch: Int) -> [UInt8] {
    var log = log
    var sentence = 0
    for index in log.indices where log[index] == UInt8(ascii: "$") {
      if sentence / sentencesPerEpoch % 7 == 6 { log[index + 2] = UInt8(ascii: "X") }
      sentence += 1
    }
    return log
  }

  private static func binaryBetween(_ log: [UInt8]) -> [UInt8] {
    var output: [UInt8] = []
    var sentence: UInt64 = 0
    for byte in log {
      if byte == UInt8(ascii: "$") {
        if sentence % 20 == 19 { output += noise(100, seed: sentence) }
        sentence += 1
      }
      output.append(byte)
    }
    return output
  }

  /// Random bytes without `$` and `!`, with which a sentence begins.
  private static func noise(_ count: Int, seed: UInt64) -> [UInt8] {
    var generator = SeededGenerator(seed: seed)
    return (0..<count).map { _ in
      let byte = UInt8(truncatingIfNeeded: generator.next() >> 56)
      return byte == UInt8(ascii: "$") || byte == UInt8(ascii: "!") ? 0 : byte
    }
  }

  // MARK: - Tools

  private static func shortRun(
    seed: UInt64, meters: Double = 600, measuresSpeed: Bool = false
  ) -> SampleFlight {
    var run = SampleRun(
      course: SampleCourse(
        latitude: 52.5145, longitude: 13.3501, heading: 90, lapLength: 1_200, altitude: 35),
      start: SampleFlight.tenKilometers.run.start,
      stages: [.run(.meters(meters), at: Pace(secondsPerKilometer: 330))])
    run.measuresSpeed = measuresSpeed
    run.seed = seed
    return SampleFlight(info: TrackInfo(name: "Short run", type: "running"), run: run)
  }

  private static func gpx(_ flight: SampleFlight) -> [UInt8] {
    gpx(flight.info, flight.locations)
  }

  private static func gpx(_ info: TrackInfo, _ locations: [Location]) -> [UInt8] {
    var writer = GPXText()
    writer.writeTrack(info, locations)
    writer.end()
    return writer.text.bytes
  }

  private static func gpx10(_ flight: SampleFlight) -> [UInt8] {
    var writer = GPXText(version: .gpx10)
    writer.writeTrack(flight.info, flight.locations)
    writer.end()
    return writer.text.bytes
  }

  private static func nmea(
    _ locations: [Location],
    _ sentences: [NMEAText.Sentence] = [.rmc, .gga, .gsa, .gsv, .vtg]
  ) -> [UInt8] {
    var writer = NMEAText(sentences)
    for location in locations { writer.writeEpoch(location) }
    return writer.text.bytes
  }
}

extension SampleFlight {
  /// The same flight from a receiver that measures speed and course.
  var withSpeed: SampleFlight {
    var flight = self
    flight.run.measuresSpeed = true
    return flight
  }
}

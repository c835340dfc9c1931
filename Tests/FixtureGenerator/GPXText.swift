import RunWayModel

/// Writes GPX files as devices write them.
struct GPXText {
  enum Version { case gpx10, gpx11 }

  private(set) var text = ByteText()
  private let version: Version

  init(version: Version = .gpx11, creator: String = "RunWay fixtures") {
    self.version = version
    text.write("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")
    switch version {
    case .gpx10:
      text.write("<gpx version=\"1.0\" creator=\"\(creator)\"")
      text.write(" xmlns=\"http://www.topografix.com/GPX/1/0\">\n")
    case .gpx11:
      text.write("<gpx creator=\"\(creator)\" version=\"1.1\"\n")
      text.write("  xmlns=\"http://www.topografix.com/GPX/1/1\"\n")
      text.write("  xmlns:ns3=\"http://www.garmin.com/xmlschemas/TrackPointExtension/v1\">\n")
    }
  }

  /// Takes the bytes written so far, so that a long file needs little memory.
  mutating func drain() -> [UInt8] {
    defer { text.bytes.removeAll(keepingCapacity: true) }
    return text.bytes
  }

  mutating func beginTrack(_ info: TrackInfo) {
    text.write("  <trk>\n")
    if let name = info.name { text.write("    <name>\(name)</name>\n") }
    // GPX 1.0 knows no type.
    if version == .gpx11, let type = info.type { text.write("    <type>\(type)</type>\n") }
  }

  mutating func endTrack() { text.write("  </trk>\n") }
  mutating func beginSegment() { text.write("    <trkseg>\n") }
  mutating func endSegment() { text.write("    </trkseg>\n") }

  /// Writes a whole track, with a segment wherever the locations begin one.
  mutating func writeTrack(_ info: TrackInfo, _ locations: some Sequence<Location>) {
    beginTrack(info)
    var segment: Int32?
    for location in locations {
      if segment != location.segment {
        if segment != nil { endSegment() }
        beginSegment()
        segment = location.segment
      }
      writePoint(location)
    }
    if segment != nil { endSegment() }
    endTrack()
  }

  mutating func writePoint(_ location: Location, element: String = "trkpt") {
    text.write("      <\(element) lat=\"")
    text.write(location.latitude, decimals: 7)
    text.write("\" lon=\"")
    text.write(location.longitude, decimals: 7)
    text.write("\">\n")
    if let altitude = location.altitude {
      text.write("        <ele>")
      text.write(altitude, decimals: 1)
      text.write("</ele>\n")
    }
    if let time = location.time {
      text.write("        <time>")
      write(time)
      text.write("</time>\n")
    }
    switch version {
    case .gpx10: writeMeasurements10(location)
    case .gpx11: writeExtension(location)
    }
    text.write("      </\(element)>\n")
  }

  mutating func writeRoute(_ name: String, points: [Location]) {
    text.write("  <rte>\n    <name>\(name)</name>\n")
    for point in points { writePoint(point, element: "rtept") }
    text.write("  </rte>\n")
  }

  mutating func end() { text.write("</gpx>\n") }

  private mutating func writeMeasurements10(_ location: Location) {
    if let course = location.course {
      text.write("        <course>")
      text.write(course, decimals: 1)
      text.write("</course>\n")
    }
    if let speed = location.speed {
      text.write("        <speed>")
      text.write(speed, decimals: 3)
      text.write("</speed>\n")
    }
    if let hdop = location.hdop {
      text.write("        <hdop>")
      text.write(hdop, decimals: 1)
      text.write("</hdop>\n")
    }
  }

  private mutating func writeExtension(_ location: Location) {
    guard location.heartRate != nil || location.cadence != nil else { return }
    text.write("        <extensions>\n")
    text.write("          <ns3:TrackPointExtension>\n")
    if let heartRate = location.heartRate {
      text.write("            <ns3:hr>")
      text.write(heartRate, decimals: 0)
      text.write("</ns3:hr>\n")
    }
    if let cadence = location.cadence {
      text.write("            <ns3:cad>")
      text.write(cadence, decimals: 0)
      text.write("</ns3:cad>\n")
    }
    text.write("          </ns3:TrackPointExtension>\n")
    text.write("        </extensions>\n")
  }

  private mutating func write(_ time: Timestamp) {
    let parts = time.components
    text.write(parts.year, digits: 4)
    text.write("-")
    text.write(parts.month, digits: 2)
    text.write("-")
    text.write(parts.day, digits: 2)
    text.write("T")
    text.write(parts.hour, digits: 2)
    text.write(":")
    text.write(parts.minute, digits: 2)
    text.write(":")
    text.write(parts.second, digits: 2)
    text.write(".")
    text.write(parts.microsecond / 1_000, digits: 3)
    text.write("Z")
  }
}

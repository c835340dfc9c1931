internal import CLibXML2
import Glibc
public import RunWayModel

/// Writes flights as GPX 1.1, through libxml2's writer.
///
/// Every coordinate given is written with all it holds and nothing it doesn't, in the source's own segments: reading the
/// document gives the same locations, bit for bit. Heart rate, cadence, speed and course go into Garmin's
/// TrackPointExtension v2, power into Garmin's PowerExtension; the mission, the options, the alerts and the date of a track
/// without times into an extension of RunWay's own, `GPXWriter.namespace`. The schema has no longitude of 180: the same
/// meridian is written as −180, and the number in an extension. Memory does not grow with the document.
///
/// A class because it owns a writer of libxml2; use it from one task at a time.
public final class GPXWriter {
  /// What a flight says of itself, apart from its coordinates.
  public struct Track: Sendable, Hashable {
    /// Name, type, creator, energy and date; each is written where it is not `nil`.
    public var info: TrackInfo
    /// The runner's notes, written as the track's description.
    public var notes: String?
    /// The mission it was flown with; `nil` for a free flight.
    public var mission: Mission?
    /// How it was judged; `nil` where that is not to be told.
    public var options: FlightOptions?
    /// Its alerts, in the order in which they are written.
    public var alerts: [Alert]

    /// Makes what a flight says of itself.
    public init(
      info: TrackInfo = TrackInfo(), notes: String? = nil, mission: Mission? = nil,
      options: FlightOptions? = nil, alerts: [Alert] = []
    ) {
      self.info = info
      self.notes = notes
      self.mission = mission
      self.options = options
      self.alerts = alerts
    }
  }

  /// The namespace of RunWay's own extension.
  public static let namespace = "https://runway.example/gpx/1"

  private let sink: ([UInt8]) throws -> Void
  private let buffer: xmlBufferPtr
  private let writer: xmlTextWriterPtr
  /// The segment that is open.
  private var segment: Int32?

  /// Bytes after which what was written is handed out.
  private static let batchSize = 32_768

  /// Makes a writer, and begins its document.
  ///
  /// - Parameter sink: Takes the document's next bytes; what it throws ends the call that wrote them.
  /// - Throws: `IngestError` where there is no memory.
  public init(sink: @escaping ([UInt8]) throws -> Void) throws {
    let failure = IngestError(.io(errno: ENOMEM), reason: "there is no memory for the XML writer")
    guard let buffer = xmlBufferCreate() else { throw failure }
    guard let writer = xmlNewTextWriterMemory(buffer, 0) else {
      xmlBufferFree(buffer)
      throw failure
    }
    self.sink = sink
    self.buffer = buffer
    self.writer = writer
    xmlTextWriterSetIndent(writer, 1)
    xmlTextWriterSetIndentString(writer, " ")
    xmlTextWriterStartDocument(writer, "1.0", "UTF-8", nil)
    start("gpx")
    attribute("version", "1.1")
    attribute("creator", "RunWay")
    attribute("xmlns", "http://www.topografix.com/GPX/1/1")
    attribute("xmlns:gpxtpx", "http://www.garmin.com/xmlschemas/TrackPointExtension/v2")
    attribute("xmlns:pwr", "http://www.garmin.com/xmlschemas/PowerExtension/v1")
    attribute("xmlns:runway", Self.namespace)
  }

  deinit {
    xmlFreeTextWriter(writer)
    xmlBufferFree(buffer)
  }
}

// MARK: - Tracks

extension GPXWriter {
  /// Begins a track; the one before must have ended.
  ///
  /// - Parameter track: What the flight says of itself.
  /// - Throws: What the sink throws.
  public func beginTrack(_ track: Track) throws {
    start("trk")
    element("name", track.info.name)
    element("desc", track.notes)
    element("type", track.info.type)
    start("extensions")
    start("runway:flight")
    element("runway:creator", track.info.creator)
    element("runway:calories", track.info.calories)
    element("runway:maxSpeed", track.options?.maxSpeed)
    element("runway:date", track.info.date?.iso8601)
    if track.info.isUndated { element("runway:undated", "") }
    if let mission = track.mission {
      start("runway:mission")
      element("runway:pace", mission.pace.secondsPerKilometer)
      element("runway:tolerance", mission.tolerance)
      element("runway:distance", mission.distance?.meters)
      end()
    }
    for alert in track.alerts { write(alert) }
    end()
    end()
    segment = nil
    try handOut()
  }

  /// Writes the open track's next coordinates.
  ///
  /// - Parameter coordinates: Any number of coordinates, those that don't count among them.
  /// - Throws: What the sink throws.
  public func write(_ coordinates: some Sequence<Coordinate>) throws {
    for coordinate in coordinates {
      write(coordinate.location)
      if xmlBufferLength(buffer) >= CInt(Self.batchSize) { try handOut() }
    }
  }

  /// Ends the open track.
  ///
  /// - Throws: What the sink throws.
  public func endTrack() throws {
    if segment != nil { end() }
    segment = nil
    end()
    try handOut()
  }

  /// Ends the document.
  ///
  /// - Throws: What the sink throws.
  public func finish() throws {
    xmlTextWriterEndDocument(writer)
    try handOut()
  }

  private func write(_ location: Location) {
    if segment != location.segment {
      if segment != nil { end() }
      start("trkseg")
      segment = location.segment
    }
    start("trkpt")
    attribute("lat", location.latitude.decimalText)
    let hasExcludedLongitude = location.longitude == 180
    attribute("lon", hasExcludedLongitude ? "-180" : location.longitude.decimalText)
    element("ele", location.altitude)
    element("time", location.time?.iso8601)
    element("hdop", location.hdop)
    let hasTrackPoint =
      location.heartRate != nil || location.cadence != nil || location.speed != nil
      || location.course != nil
    if hasTrackPoint || location.power != nil || hasExcludedLongitude {
      start("extensions")
      if hasExcludedLongitude { element("runway:longitude", location.longitude) }
      element("pwr:PowerInWatts", location.power)
      if hasTrackPoint {
        // In the order that Garmin's schema demands.
        start("gpxtpx:TrackPointExtension")
        element("gpxtpx:hr", location.heartRate)
        element("gpxtpx:cad", location.cadence)
        element("gpxtpx:speed", location.speed)
        element("gpxtpx:course", location.course)
        end()
      }
      end()
    }
    end()
  }

  private func write(_ alert: Alert) {
    start("runway:alert")
    attribute("state", alert.state.rawValue)
    attribute("timestamp", alert.timestamp.iso8601)
    attribute("endedAt", alert.endedAt?.iso8601)
    attribute("pace", alert.pace?.secondsPerKilometer.decimalText)
    attribute("peakPace", alert.peakPace?.secondsPerKilometer.decimalText)
    attribute("distance", alert.distance.meters.decimalText)
    attribute("latitude", alert.latitude.decimalText)
    attribute("longitude", alert.longitude.decimalText)
    end()
  }
}

// MARK: - libxml2

extension GPXWriter {
  private func start(_ name: String) {
    xmlTextWriterStartElement(writer, name)
  }

  private func end() {
    xmlTextWriterEndElement(writer)
  }

  private func attribute(_ name: String, _ value: String?) {
    guard let value else { return }
    xmlTextWriterWriteAttribute(writer, name, value)
  }

  private func element(_ name: String, _ text: String?) {
    guard let text else { return }
    // XML has no way to write most control characters.
    let writable = String(String.UnicodeScalarView(text.unicodeScalars.filter(Self.isXML)))
    xmlTextWriterWriteElement(writer, name, writable)
  }

  private func element(_ name: String, _ value: Double?) {
    guard let value, value.isFinite else { return }
    xmlTextWriterWriteElement(writer, name, value.decimalText)
  }

  /// Production 2 of XML 1.0: the characters a document may hold.
  private static func isXML(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x09, 0x0a, 0x0d, 0x20...0xd7ff, 0xe000...0xfffd, 0x10000...0x10ffff: true
    default: false
    }
  }

  private func handOut() throws {
    xmlTextWriterFlush(writer)
    let count = Int(xmlBufferLength(buffer))
    guard count > 0, let content = xmlBufferContent(buffer) else { return }
    let bytes = Array(UnsafeBufferPointer(start: content, count: count))
    xmlBufferEmpty(buffer)
    try sink(bytes)
  }
}

extension Double {
  /// The shortest decimal number that reads as this one again, without an exponent, as XML Schema's `decimal` demands.
  ///
  /// Must be finite.
  var decimalText: String {
    let shortest = description
    guard let exponentMark = shortest.firstIndex(of: "e") else {
      return shortest.hasSuffix(".0") ? String(shortest.dropLast(2)) : shortest
    }
    let exponent = Int(shortest[shortest.index(after: exponentMark)...]) ?? 0
    let mantissa = shortest[..<exponentMark]
    let sign = mantissa.hasPrefix("-") ? "-" : ""
    let parts = mantissa.drop { $0 == "-" }.split(separator: ".")
    let fraction = parts.count > 1 && parts[1] != "0" ? String(parts[1]) : ""
    let digits = (parts.first.map(String.init) ?? "0") + fraction
    // The decimal point stands behind the first digit, and moves by the exponent.
    let point = 1 + exponent
    if point <= 0 { return "\(sign)0.\(String(repeating: "0", count: -point))\(digits)" }
    if point >= digits.count {
      return "\(sign)\(digits)\(String(repeating: "0", count: point - digits.count))"
    }
    return "\(sign)\(digits.prefix(point)).\(digits.dropFirst(point))"
  }
}

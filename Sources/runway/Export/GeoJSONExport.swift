internal import RunWayLogbook
internal import RunWayModel

/// Flights as a GeoJSON feature collection by RFC 7946.
///
/// A flight is a `MultiLineString` with a line a segment, cut where it crosses the 180th meridian
/// (section 3.1.9); its positions are longitude, latitude and, where known, altitude. The property `coordTimes`
/// holds the time of each position, in the same shape; where a line was cut there is none, for nobody was
/// timed there.
@MainActor struct GeoJSONExport {
  var logbook: Logbook
  var sink: ExportSink

  func write(_ flights: [Flight]) throws {
    try sink.write("{\"type\":\"FeatureCollection\",\"features\":[")
    for (index, flight) in flights.enumerated() {
      if index > 0 { try sink.write(",\n") }
      try write(flight)
    }
    try sink.write("]}\n")
  }

  private func write(_ flight: Flight) throws {
    var flight = flight
    try FlightRecovery.bringUpToDate(&flight, in: logbook)
    var json = JSONWriter()
    json.beginObject()
    json.member("type", "Feature")
    json.member("id", flight.id.rawValue)
    json.key("geometry")
    json.beginObject()
    json.member("type", "MultiLineString")
    json.key("coordinates")
    try writeLines(of: flight, &json) { json, vertex in json.position(vertex) }
    json.endObject()
    json.key("properties")
    json.beginObject()
    json.members(of: flight)
    json.key("coordTimes")
    // A second pass instead of holding the times of the first.
    try writeLines(of: flight, &json) { json, vertex in
      if let time = vertex.time { json.string(time.iso8601) } else { json.null() }
    }
    json.endObject()
    json.endObject()
    try sink.write(json.takeBytes())
  }

  /// Writes an array a line, with what `body` makes of each vertex.
  private func writeLines(
    of flight: Flight, _ json: inout JSONWriter,
    _ body: (inout JSONWriter, LineCutter.Vertex) -> Void
  ) throws {
    json.beginArray()
    var cutter = LineCutter()
    var steps: [LineCutter.Step] = []
    func put(_ json: inout JSONWriter) {
      for step in steps {
        switch step {
        case .beginLine: json.beginArray()
        case .vertex(let vertex): body(&json, vertex)
        case .endLine: json.endArray()
        }
      }
      steps.removeAll(keepingCapacity: true)
    }
    try logbook.forEachCoordinateBatch(of: flight.id) { batch in
      for coordinate in batch { cutter.add(coordinate.location, to: &steps) }
      put(&json)
      try sink.write(json.takeBytes())
    }
    cutter.finish(&steps)
    put(&json)
    json.endArray()
  }
}

/// Makes lines of locations: a new one at each segment, two at the 180th meridian.
struct LineCutter {
  struct Vertex: Hashable {
    var longitude: Double
    var latitude: Double
    var altitude: Double?
    var time: Timestamp?
  }

  enum Step: Hashable {
    case beginLine
    case vertex(Vertex)
    case endLine
  }

  private var last: Location?
  private var count = 0

  /// Takes the next location.
  mutating func add(_ location: Location, to steps: inout [Step]) {
    let vertex = LineCutter.vertex(location)
    if let last, last.segment == location.segment {
      if abs(location.longitude - last.longitude) > 180 {
        cut(from: last, to: location, &steps)
      }
    } else {
      endLine(&steps)
      steps.append(.beginLine)
    }
    steps.append(.vertex(vertex))
    count += 1
    last = location
  }

  /// Ends the last line.
  mutating func finish(_ steps: inout [Step]) {
    endLine(&steps)
    last = nil
  }

  private mutating func endLine(_ steps: inout [Step]) {
    guard let last else { return }
    // A line has two positions at least; a lone one stands twice.
    if count == 1 { steps.append(.vertex(LineCutter.vertex(last))) }
    steps.append(.endLine)
    count = 0
  }

  /// Ends the line at the meridian and begins another on its other side.
  private mutating func cut(from: Location, to: Location, _ steps: inout [Step]) {
    let side: Double = from.longitude < 0 ? -180 : 180
    let unwrapped = to.longitude + 2 * side
    let span = unwrapped - from.longitude
    let fraction = span == 0 ? 0 : (side - from.longitude) / span
    let latitude = from.latitude + (to.latitude - from.latitude) * fraction
    var altitude: Double?
    if let start = from.altitude, let end = to.altitude {
      altitude = start + (end - start) * fraction
    }
    steps.append(.vertex(Vertex(longitude: side, latitude: latitude, altitude: altitude)))
    steps.append(.endLine)
    steps.append(.beginLine)
    steps.append(.vertex(Vertex(longitude: -side, latitude: latitude, altitude: altitude)))
    count = 1
  }

  private static func vertex(_ location: Location) -> Vertex {
    Vertex(
      longitude: location.longitude, latitude: location.latitude, altitude: location.altitude,
      time: location.time)
  }
}

extension JSONWriter {
  fileprivate mutating func position(_ vertex: LineCutter.Vertex) {
    beginArray()
    number(vertex.longitude)
    number(vertex.latitude)
    if let altitude = vertex.altitude { number(altitude) }
    endArray()
  }
}

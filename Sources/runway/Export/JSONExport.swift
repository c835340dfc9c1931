internal import RunWayLogbook
internal import RunWayModel

/// A flight with everything that belongs to it, as JSON: what `show --json` prints, and the coordinates.
@MainActor struct JSONExport {
  var logbook: Logbook
  var sink: ExportSink

  /// Writes one flight as an object, or several as an array.
  func write(_ flights: [Flight], asArray: Bool) throws {
    if asArray { try sink.write("[") }
    for (index, flight) in flights.enumerated() {
      if index > 0 { try sink.write(",\n") }
      try write(flight)
    }
    try sink.write(asArray ? "]\n" : "\n")
  }

  private func write(_ flight: Flight) throws {
    var flight = flight
    let soFar = try FlightRecovery.bringUpToDate(&flight, in: logbook)
    var json = JSONWriter()
    json.beginObject()
    json.members(of: flight)
    json.key("alerts")
    json.array(try logbook.alerts(of: flight.id)) { json, alert in
      json.alert(alert, flight: flight.id)
    }
    json.key("splits")
    json.array(
      try soFar?.kilometerSplits ?? logbook.splits(of: flight.id, unit: .kilometer)
    ) { $0.split($1) }
    json.key("bestEfforts")
    json.array(try soFar?.bestEfforts ?? logbook.bestEfforts(of: flight.id)) { $0.bestEffort($1) }
    json.key("coordinates")
    json.beginArray()
    try logbook.forEachCoordinateBatch(of: flight.id) { batch in
      for coordinate in batch { json.coordinate(coordinate) }
      try sink.write(json.takeBytes())
    }
    json.endArray()
    json.endObject()
    try sink.write(json.takeBytes())
  }
}

extension JSONWriter {
  fileprivate mutating func coordinate(_ coordinate: Coordinate) {
    let location = coordinate.location
    object { json in
      json.member("order", coordinate.order)
      json.member("segment", Int(location.segment))
      json.member("latitude", location.latitude)
      json.member("longitude", location.longitude)
      json.member("altitude", location.altitude)
      json.member("time", location.time?.iso8601)
      json.member("speed", location.speed)
      json.member("course", location.course)
      json.member("hdop", location.hdop)
      json.member("heartRate", location.heartRate)
      json.member("cadence", location.cadence)
      json.member("power", location.power)
      json.member("discarded", coordinate.discarded?.rawValue)
    }
  }
}

internal import RunWayLogbook
internal import RunWayModel

/// Coordinates as comma-separated values by RFC 4180, with the units in the header.
@MainActor struct CSVExport {
  var logbook: Logbook
  var sink: ExportSink

  private static let header = [
    "flight", "order", "segment", "latitude (degrees)", "longitude (degrees)", "altitude (m)",
    "time (UTC)", "speed (m/s)", "course (degrees)", "hdop", "heart rate (bpm)",
    "cadence (1/min)", "power (W)", "discarded",
  ]

  func write(_ flights: [Flight]) throws {
    try sink.write(CSVExport.header.joined(separator: ",") + "\r\n")
    for flight in flights {
      try logbook.forEachCoordinateBatch(of: flight.id) { batch in
        for coordinate in batch { try sink.write(row(coordinate, of: flight.id)) }
      }
    }
  }

  private func row(_ coordinate: Coordinate, of flight: FlightID) -> String {
    let location = coordinate.location
    var row = "\(flight.rawValue),\(coordinate.order),\(location.segment)"
    func append(_ value: Double?) {
      row += ","
      guard let value else { return }
      // As in JSON: the shortest number that reads back the same, and 164 rather than 164.0.
      row += Int(exactly: value).map { "\($0)" } ?? "\(value)"
    }
    append(location.latitude)
    append(location.longitude)
    append(location.altitude)
    row += "," + (location.time?.iso8601 ?? "")
    append(location.speed)
    append(location.course)
    append(location.hdop)
    append(location.heartRate)
    append(location.cadence)
    append(location.power)
    // No field needs quotes: identities, numbers, times and fixed words.
    return row + ",\(coordinate.discarded?.rawValue ?? "")\r\n"
  }
}

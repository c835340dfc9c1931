internal import RunWayIngest
internal import RunWayLogbook
internal import RunWayModel

/// Flights as GPX 1.1, a track a flight.
@MainActor struct GPXExport {
  var logbook: Logbook
  var sink: ExportSink

  func write(_ flights: [Flight]) throws {
    var pending: [UInt8] = []
    let writer = try GPXWriter { pending += $0 }
    for flight in flights {
      try writer.beginTrack(
        GPXWriter.Track(
          info: TrackInfo(
            name: flight.name, type: flight.type, creator: flight.source.creator,
            calories: flight.calories,
            date: flight.totals.elapsedTime == nil ? flight.totals.startedAt : nil,
            isUndated: flight.totals.startedAt == nil),
          notes: flight.notes, mission: flight.mission, options: flight.options,
          alerts: try logbook.alerts(of: flight.id)))
      try logbook.forEachCoordinateBatch(of: flight.id) { batch in
        try writer.write(batch)
        try sink.write(pending)
        pending.removeAll(keepingCapacity: true)
      }
      try writer.endTrack()
    }
    try writer.finish()
    try sink.write(pending)
  }
}

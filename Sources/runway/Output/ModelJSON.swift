internal import RunWayModel

// The names are those of the README's reference: SI units, ISO 8601 times, absent values `null`.

extension JSONWriter {
  /// Writes a flight's members, without the braces.
  ///
  /// - Parameters:
  ///   - flight: The flight.
  ///   - hasIdentity: Whether a logbook holds it; else its `id` is `null`.
  mutating func members(of flight: Flight, hasIdentity: Bool = true) {
    let totals = flight.totals
    member("id", hasIdentity ? flight.id.rawValue : nil)
    member("name", flight.name)
    member("startedAt", totals.startedAt?.iso8601)
    member("endedAt", totals.endedAt?.iso8601)
    member("mode", flight.mode.rawValue)
    member("distance", totals.distance.meters)
    member("rawDistance", totals.rawDistance.meters)
    member("elapsedTime", totals.elapsedTime)
    member("movingTime", totals.movingTime)
    member("pace", totals.pace?.secondsPerKilometer)
    member("elevationGain", totals.elevationGain)
    member("elevationLoss", totals.elevationLoss)
    member("heartRate", totals.heartRate)
    member("cadence", totals.cadence)
    member("fuel", flight.fuel)
    member("coordinateCount", totals.coordinateCount)
    member("segmentCount", totals.segmentCount)
    member("alertCount", flight.alertCount)
    member("interrupted", flight.interrupted)
    member("live", flight.live)
    key("discarded")
    object { json in
      json.member("invalid", totals.discarded.invalid)
      json.member("duplicate", totals.discarded.duplicate)
      json.member("backwards", totals.discarded.backwards)
      json.member("spike", totals.discarded.spike)
    }
    key("rejected")
    object { json in
      for (reason, count) in flight.rejected.sorted(by: { $0.key < $1.key }) {
        json.key(reason)
        json.number(count)
      }
    }
    key("source")
    object { json in
      json.member("path", flight.source.path)
      json.member("format", flight.source.format?.rawValue)
      json.member("creator", flight.source.creator)
    }
    key("mission")
    mission(flight.mission, named: flight.missionName)
    member("maxSpeed", flight.options.maxSpeed)
    member("type", flight.type)
    member("notes", flight.notes)
    key("tags")
    array(flight.tags) { json, tag in json.string(tag) }
  }

  /// Writes a mission as an object, or `null`; its name is `null` where it is none of the saved ones.
  mutating func mission(_ mission: Mission?, named name: String?) {
    guard let mission else { return null() }
    object { json in
      json.member("pace", mission.pace.secondsPerKilometer)
      json.member("tolerance", mission.tolerance)
      json.member("distance", mission.distance?.meters)
      json.member("name", name)
    }
  }

  /// Writes a flight as an object.
  mutating func flight(_ flight: Flight, hasIdentity: Bool = true) {
    object { json in json.members(of: flight, hasIdentity: hasIdentity) }
  }

  /// Writes an alert's members, without the braces; those of a flight that is not stored name none.
  mutating func members(of alert: Alert, flight: FlightID?) {
    member("id", flight.map { "\($0.rawValue)/\(alert.number)" })
    member("flightID", flight?.rawValue)
    member("state", alert.state.rawValue)
    member("timestamp", alert.timestamp.iso8601)
    member("endedAt", alert.endedAt?.iso8601)
    member("pace", alert.pace?.secondsPerKilometer)
    member("peakPace", alert.peakPace?.secondsPerKilometer)
    member("distance", alert.distance.meters)
    member("latitude", alert.latitude)
    member("longitude", alert.longitude)
  }

  /// Writes an alert as an object.
  mutating func alert(_ alert: Alert, flight: FlightID) {
    object { json in json.members(of: alert, flight: flight) }
  }

  mutating func split(_ split: Split) {
    object { json in
      json.member("index", split.index)
      json.member("distance", split.distance.meters)
      json.member("elapsedTime", split.elapsedTime)
      json.member("movingTime", split.movingTime)
      json.member("pace", split.pace?.secondsPerKilometer)
      json.member("elevationGain", split.elevationGain)
      json.member("elevationLoss", split.elevationLoss)
      json.member("heartRate", split.heartRate)
    }
  }

  mutating func bestEffort(_ effort: BestEffort) {
    object { json in json.members(of: effort) }
  }

  mutating func members(of effort: BestEffort) {
    member("name", effort.kind.rawValue)
    member("distance", effort.kind.distance.meters)
    member("elapsedTime", effort.elapsedTime)
    member("pace", effort.pace?.secondsPerKilometer)
    member("startDistance", effort.startDistance.meters)
  }

  /// Writes a live snapshot's members with the names of `FlightData`.
  mutating func members(of data: FlightData) {
    member("timestamp", data.timestamp?.iso8601)
    member("phase", data.phase.rawValue)
    member("gpwsState", data.gpwsState?.rawValue)
    member("distance", data.distance.meters)
    member("pace", data.pace?.secondsPerKilometer)
    member("elapsedTime", data.elapsedTime)
    member("movingTime", data.movingTime)
    member("altitude", data.altitude)
    member("heading", data.heading)
    member("latitude", data.latitude)
    member("longitude", data.longitude)
  }

  mutating func members(of callout: Callout) {
    member("state", callout.state.rawValue)
    member("text", callout.state.callout)
    member("timestamp", callout.timestamp?.iso8601)
    member("pace", callout.pace?.secondsPerKilometer)
    member("distance", callout.distance.meters)
  }
}

extension StandardOutput {
  /// Prints one JSON document on a line of its own.
  func printJSON(_ body: (inout JSONWriter) throws -> Void) throws {
    var json = JSONWriter()
    try body(&json)
    try write(json.takeBytes() + [UInt8(ascii: "\n")])
  }
}

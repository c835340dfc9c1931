internal import RunWayModel

/// The queries for flights, and how their rows are read.
enum FlightQuery {
  static let head = """
    SELECT flight.key, flight.id, flight.name, flight.type, flight.notes, sourcePath, sourceFormat,
      creator, calories, mission.name, targetPace, flight.tolerance, targetDistance, maxSpeed,
      startedAt, endedAt, flight.distance, rawDistance, elapsedTime, movingTime, elevationGain,
      elevationLoss, heartRate, cadence, coordinateCount, segmentCount, invalidCount,
      duplicateCount, backwardsCount, spikeCount, touchedDown,
      (SELECT count(*) FROM alert WHERE alert.flight = flight.key)
    FROM flight LEFT JOIN mission ON mission.key = flight.mission
    """
  static let touchedDownColumn: Int32 = 30

  static func tail(_ condition: Condition, sort: FlightSort) -> String {
    "\(condition.sql) \(sort.sql) LIMIT ?"
  }

  static let latest = "SELECT id FROM flight ORDER BY startedAt DESC, key DESC LIMIT 1"
  static let byPrefix = "SELECT id FROM flight WHERE id >= ? AND id < ? ORDER BY id LIMIT 5"

  static let splits = """
    SELECT "index", distance, elapsedTime, movingTime, elevationGain, elevationLoss, heartRate
    FROM split WHERE flight = (SELECT key FROM flight WHERE id = ?) AND unit = ? ORDER BY "index"
    """

  static let bestEfforts = """
    SELECT name, elapsedTime, startDistance
    FROM bestEffort WHERE flight = (SELECT key FROM flight WHERE id = ?)
    """

  static func bestEffort(_ condition: Condition) -> String {
    // Left to right, for the fastest come first by the index, and few must be looked at.
    """
    SELECT flight.id, bestEffort.elapsedTime, startDistance
    FROM bestEffort CROSS JOIN flight ON flight.key = bestEffort.flight
    \(condition.sql) ORDER BY bestEffort.elapsedTime, bestEffort.flight LIMIT 1
    """
  }

  static let coordinates = """
    SELECT "order", latitude, longitude, altitude, time, speed, course, hdop, heartRate, cadence,
      power, segment, discarded
    FROM coordinate WHERE flight = (SELECT key FROM flight WHERE id = ?) AND "order" >= ?
    ORDER BY "order" LIMIT ?
    """

  static let coordinatesByKey = """
    SELECT "order", latitude, longitude, altitude, time, speed, course, hdop, heartRate, cadence,
      power, segment, discarded
    FROM coordinate WHERE flight = ? ORDER BY "order"
    """

  static func flight(from row: Statement, weight: Double?) -> Flight {
    let creator = row.optionalText(7)
    let pace = row.optionalDouble(10)
    var totals = FlightTotals()
    totals.startedAt = row.optionalInteger(14).map { Timestamp(microseconds: $0) }
    totals.endedAt = row.optionalInteger(15).map { Timestamp(microseconds: $0) }
    totals.distance = .meters(row.double(16))
    totals.rawDistance = .meters(row.double(17))
    totals.elapsedTime = row.optionalDouble(18)
    totals.movingTime = row.optionalDouble(19)
    totals.elevationGain = row.optionalDouble(20)
    totals.elevationLoss = row.optionalDouble(21)
    totals.heartRate = row.optionalDouble(22)
    totals.cadence = row.optionalDouble(23)
    totals.coordinateCount = row.int(24)
    totals.segmentCount = row.int(25)
    totals.discarded.invalid = row.int(26)
    totals.discarded.duplicate = row.int(27)
    totals.discarded.backwards = row.int(28)
    totals.discarded.spike = row.int(29)
    return Flight(
      id: FlightID(rawValue: row.text(1)), name: row.optionalText(2), type: row.optionalText(3),
      notes: row.optionalText(4),
      source: FlightSource(
        path: row.optionalText(5),
        format: row.optionalText(6).flatMap(TrackFormat.init(rawValue:)), creator: creator),
      mission: pace.map {
        Mission(
          pace: Pace(secondsPerKilometer: $0), tolerance: row.double(11),
          distance: row.optionalDouble(12).map { .meters($0) })
      },
      missionName: row.optionalText(9), options: FlightOptions(maxSpeed: row.double(13)),
      totals: totals, alertCount: row.int(31),
      calories: row.optionalDouble(8),
      fuel: row.optionalDouble(8) ?? weight.map { Flight.fuel(weight: $0, over: totals.distance) })
  }

  static func coordinate(from row: Statement, timeOrigin: Timestamp) -> Coordinate {
    let location = Location(
      latitude: row.double(1), longitude: row.double(2), altitude: row.optionalDouble(3),
      time: row.optionalInteger(4).map {
        Timestamp(microseconds: timeOrigin.microseconds &+ $0)
      },
      speed: row.optionalDouble(5), course: row.optionalDouble(6), hdop: row.optionalDouble(7),
      heartRate: row.optionalDouble(8), cadence: row.optionalDouble(9),
      power: row.optionalDouble(10), segment: Int32(truncatingIfNeeded: row.integer(11)))
    return Coordinate(
      order: row.int(0), location: location,
      discarded: row.optionalText(12).flatMap(DiscardReason.init(rawValue:)))
  }
}

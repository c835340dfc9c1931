public import RunWayModel

// MARK: - Reading flights

extension Logbook {
  /// The flights that a filter means.
  ///
  /// - Parameters:
  ///   - filter: Which ones; all where left out.
  ///   - sort: In which order; what is unknown comes last.
  ///   - limit: How many at most.
  /// - Returns: The flights, with their tags and counts.
  /// - Throws: A `LogbookError`.
  public func flights(
    where filter: FlightFilter = FlightFilter(), sort: FlightSort = .newestFirst,
    limit: Int? = nil
  ) throws(LogbookError) -> [Flight] {
    try reading {
      guard sort.key == .pace else {
        return try flights(filter.condition, sort: sort, limit: limit)
      }
      // A distance that took no time has a pace of 0 by the table, and none for a runner: it comes last, with
      // those without a time. Two queries, so that both go by the index.
      var paced = filter.condition
      paced.add("flight.pace > 0")
      let flights = try flights(paced, sort: sort, limit: limit)
      let rest = limit.map { $0 - flights.count }
      if let rest, rest <= 0 { return flights }
      var paceless = filter.condition
      paceless.add("(flight.pace IS NULL OR flight.pace <= 0)")
      return try flights
        + self.flights(
          paceless, sort: FlightSort(.stored, ascending: sort.ascending), limit: rest)
    }
  }

  private func flights(
    _ condition: Condition, sort: FlightSort, limit: Int?
  ) throws -> [Flight] {
    try flights(FlightQuery.tail(condition, sort: sort), condition.values + [limit ?? -1])
  }

  /// The flight with an identity, if there is one.
  ///
  /// - Throws: A `LogbookError` where the logbook cannot be read.
  public func flight(_ id: FlightID) throws(LogbookError) -> Flight? {
    try reading { try flights("WHERE flight.id = ?", [id.rawValue]).first }
  }

  /// The flight that a word means: a unique prefix of its identity, or `latest`.
  ///
  /// - Throws: A `LogbookError`: `notFound`, or `ambiguous`, which lists the first few.
  public func flight(matching word: String) throws(LogbookError) -> Flight {
    let id = try flightID(matching: word)
    guard let flight = try flight(id) else {
      throw LogbookError(.notFound, "there is no flight \(word)")
    }
    return flight
  }

  /// The identity that a word means: a unique prefix of it, or `latest`.
  ///
  /// - Throws: A `LogbookError`: `notFound`, or `ambiguous`, which lists the first few.
  public func flightID(matching word: String) throws(LogbookError) -> FlightID {
    try reporting {
      if word == "latest" {
        let latest = try connection.first(FlightQuery.latest) { FlightID(rawValue: $0.text(0)) }
        guard let latest else { throw LogbookError(.notFound, "there is no flight yet") }
        return latest
      }
      let prefix = word.lowercased()
      guard !prefix.isEmpty else { throw LogbookError(.notFound, "there is no flight “”") }
      let found = try connection.rows(
        FlightQuery.byPrefix, prefix, prefix + "\u{10FFFF}"
      ) { FlightID(rawValue: $0.text(0)) }
      if let exact = found.first(where: { $0.rawValue == prefix }) { return exact }
      guard let first = found.first else {
        throw LogbookError(.notFound, "there is no flight \(word)")
      }
      if found.count > 1 {
        let listed = found.prefix(4).map(\.rawValue).joined(separator: ", ")
        let more = found.count > 4 ? ", …" : ""
        throw LogbookError(.ambiguous, "“\(word)” may mean several flights: \(listed)\(more)")
      }
      return first
    }
  }

  /// The number of flights that a filter means.
  ///
  /// - Parameter filter: Which ones; all where left out.
  /// - Returns: How many.
  /// - Throws: A `LogbookError` where the logbook cannot be read.
  public func flightCount(
    where filter: FlightFilter = FlightFilter()
  ) throws(LogbookError) -> Int {
    try reporting {
      let condition = filter.condition
      var count = 0
      try connection.forEachRow(
        "SELECT count(*) FROM flight \(condition.sql)", condition.values
      ) { count = $0.int(0) }
      return count
    }
  }

  private func flights(_ tail: String, _ values: [(any Bindable)?]) throws -> [Flight] {
    let weight = try setting("weight")
    var flights: [Flight] = []
    var places: [Int64: Int] = [:]
    try connection.forEachRow("\(FlightQuery.head) \(tail)", values) { row in
      let key = row.integer(0)
      var flight = FlightQuery.flight(from: row, weight: weight)
      if !row.bool(FlightQuery.touchedDownColumn) {
        flight.live = locks.isHeld(key)
        flight.interrupted = !flight.live
      }
      places[key] = flights.count
      flights.append(flight)
    }
    // Two more queries for all flights, rather than two more for each.
    let chosen = "(SELECT flight.key FROM flight \(tail))"
    try connection.forEachRow(
      """
      SELECT flightTag.flight, tag.name FROM flightTag JOIN tag ON tag.key = flightTag.tag
      WHERE flightTag.flight IN \(chosen) ORDER BY \(NameComparison.key(of: "tag.name"))
      """, values
    ) { row in
      if let place = places[row.integer(0)] { flights[place].tags.append(row.text(1)) }
    }
    try connection.forEachRow(
      "SELECT flight, reason, count FROM rejected WHERE flight IN \(chosen)", values
    ) { row in
      if let place = places[row.integer(0)] { flights[place].rejected[row.text(1)] = row.int(2) }
    }
    return flights
  }

  // MARK: What belongs to a flight

  /// The splits of a flight, in order.
  ///
  /// - Parameters:
  ///   - id: The flight.
  ///   - unit: What they are measured in.
  /// - Returns: The splits; none of a flight that does not exist or has not touched down.
  /// - Throws: A `LogbookError` where the logbook cannot be read.
  public func splits(of id: FlightID, unit: SplitUnit) throws(LogbookError) -> [Split] {
    try reporting {
      try connection.rows(FlightQuery.splits, id.rawValue, unit.rawValue) {
        Split(
          index: $0.int(0), distance: .meters($0.double(1)), elapsedTime: $0.optionalDouble(2),
          movingTime: $0.optionalDouble(3), elevationGain: $0.optionalDouble(4),
          elevationLoss: $0.optionalDouble(5), heartRate: $0.optionalDouble(6))
      }
    }
  }

  /// Some of a flight's coordinates, in order.
  ///
  /// - Parameters:
  ///   - id: The flight.
  ///   - first: The order of the first one wanted.
  ///   - limit: How many at most.
  /// - Returns: The coordinates.
  /// - Throws: A `LogbookError`.
  /// - Complexity: O(log n) in all coordinates, O(n) in those given.
  public func coordinates(
    of id: FlightID, from first: Int = 0, limit: Int = .max
  ) throws(LogbookError) -> [Coordinate] {
    try reading {
      let origin = try connection.integer(
        "SELECT timeOrigin FROM flight WHERE id = ?", id.rawValue)
      return try connection.rows(FlightQuery.coordinates, id.rawValue, first, limit) {
        FlightQuery.coordinate(from: $0, timeOrigin: Timestamp(microseconds: origin))
      }
    }
  }

  /// Calls a closure for a flight's coordinates in batches, in order.
  ///
  /// Memory does not grow with the flight. All batches are of one moment; while the closure runs, no other writer
  /// is held up, but the log that they write to can only grow.
  ///
  /// - Parameters:
  ///   - id: The flight.
  ///   - size: How many coordinates a batch holds at most.
  ///   - body: Takes a batch.
  /// - Throws: A `LogbookError`, or what the closure throws.
  public func forEachCoordinateBatch(
    of id: FlightID, size: Int = 4_096, _ body: ([Coordinate]) throws -> Void
  ) throws {
    try snapshot {
      var next = 0
      while true {
        let batch = try coordinates(of: id, from: next, limit: size)
        guard let last = batch.last else { return }
        try body(batch)
        // No flight is so long; a number that was tampered with may be.
        guard last.order < .max else { return }
        next = last.order + 1
      }
    }
  }
}

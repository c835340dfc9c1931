public import RunWayModel

/// A stored best effort with the flight it was run in.
public struct LoggedBestEffort: Sendable, Hashable {
  /// The flight it was run in.
  public var flightID: FlightID
  /// The effort as it is stored.
  public var effort: BestEffort

  /// Makes a best effort of a flight.
  public init(flightID: FlightID, effort: BestEffort) {
    self.flightID = flightID
    self.effort = effort
  }
}

// MARK: - Reading best efforts

extension Logbook {
  /// The best efforts of a flight, shortest first.
  ///
  /// - Parameter id: The flight.
  /// - Returns: The efforts; none of a flight that does not exist or has not touched down.
  /// - Throws: A `LogbookError` where the logbook cannot be read.
  public func bestEfforts(of id: FlightID) throws(LogbookError) -> [BestEffort] {
    try reporting {
      try connection.rows(FlightQuery.bestEfforts, id.rawValue) { row in
        BestEffortDistance(rawValue: row.text(0)).map {
          BestEffort(
            kind: $0, elapsedTime: row.double(1), startDistance: .meters(row.double(2)))
        }
      }.compactMap { $0 }.sorted { $0.kind.distance < $1.kind.distance }
    }
  }

  /// The fastest effort over a distance, and the flight it was run in.
  ///
  /// - Parameters:
  ///   - kind: The distance.
  ///   - filter: In which flights; all where left out.
  /// - Returns: The effort with its flight; `nil` where no flight is long enough.
  /// - Throws: A `LogbookError`.
  public func bestEffort(
    over kind: BestEffortDistance, where filter: FlightFilter = FlightFilter()
  ) throws(LogbookError) -> LoggedBestEffort? {
    try reporting {
      var condition = Condition()
      condition.add("bestEffort.name = ?", kind.rawValue)
      condition.add(filter.condition)
      var best: LoggedBestEffort?
      try connection.forEachRow(FlightQuery.bestEffort(condition), condition.values) {
        best = LoggedBestEffort(
          flightID: FlightID(rawValue: $0.text(0)),
          effort: BestEffort(
            kind: kind, elapsedTime: $0.double(1), startDistance: .meters($0.double(2))))
      }
      return best
    }
  }

  /// The fastest effort over each distance that has been run, shortest first, with its flight.
  ///
  /// - Parameter filter: In which flights; all where left out.
  /// - Returns: The efforts.
  /// - Throws: A `LogbookError`.
  public func bestEfforts(
    where filter: FlightFilter = FlightFilter()
  ) throws(LogbookError) -> [LoggedBestEffort] {
    try reading {
      try BestEffortDistance.allCases.sorted { $0.distance < $1.distance }
        .compactMap { try bestEffort(over: $0, where: filter) }
    }
  }
}

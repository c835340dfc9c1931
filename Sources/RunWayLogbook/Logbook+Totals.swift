public import RunWayModel

/// What of a flight goes into the totals of a period.
public struct FlightSummary: Sendable, Hashable {
  /// The earliest time of a location that counts.
  public var startedAt: Timestamp
  /// The distance run.
  public var distance: Distance
  /// Seconds; `nil` without times.
  public var movingTime: Double?
  /// Metres climbed; `nil` without elevations.
  public var elevationGain: Double?
  /// Metres descended, 0 or more; `nil` without elevations.
  public var elevationLoss: Double?
  /// How many alerts are stored of it.
  public var alertCount: Int
}

/// What the flights of a period amount to.
public struct PeriodTotals: Sendable, Hashable {
  /// How many flights started in the period.
  public var flightCount = 0
  /// The distance of all flights, those without times included.
  public var distance: Distance = .zero
  /// Seconds of all flights that have times.
  public var movingTime: Double = 0
  /// The distance of those.
  public var timedDistance: Distance = .zero
  /// Metres climbed in all flights that have elevations; `nil` where none has.
  public var elevationGain: Double?
  /// Metres descended in those, 0 or more; `nil` where none has.
  public var elevationLoss: Double?
  /// The alerts of all flights.
  public var alertCount = 0

  /// Makes the totals of nothing.
  public init() {}

  /// The time of the sums over the distance of the sums, not the mean of the paces.
  public var pace: Pace? { Pace(covering: timedDistance, in: movingTime) }

  /// Counts a flight in.
  public mutating func add(_ flight: FlightSummary) {
    flightCount += 1
    distance += flight.distance
    if let time = flight.movingTime {
      movingTime += time
      timedDistance += flight.distance
    }
    if let gain = flight.elevationGain { elevationGain = (elevationGain ?? 0) + gain }
    if let loss = flight.elevationLoss { elevationLoss = (elevationLoss ?? 0) + loss }
    alertCount += flight.alertCount
  }
}

// MARK: - Totals

extension Logbook {
  /// Calls a closure for each flight with times that a filter means, oldest first.
  ///
  /// Which day or week a flight belongs to depends on the time zone asked for: that is for the caller to tell.
  ///
  /// - Parameters:
  ///   - filter: Which flights; all where left out.
  ///   - body: Takes what goes into totals.
  /// - Throws: A `LogbookError`.
  public func forEachSummary(
    where filter: FlightFilter = FlightFilter(), _ body: (FlightSummary) -> Void
  ) throws(LogbookError) {
    try reporting {
      let condition = filter.condition
      try connection.forEachRow(TotalsQuery.summaries(condition), condition.values) {
        body(
          FlightSummary(
            startedAt: Timestamp(microseconds: $0.integer(0)), distance: .meters($0.double(1)),
            movingTime: $0.optionalDouble(2), elevationGain: $0.optionalDouble(3),
            elevationLoss: $0.optionalDouble(4), alertCount: $0.int(5)))
      }
    }
  }

  /// The totals of consecutive periods.
  ///
  /// - Parameter boundaries: The moments between which the periods lie, in ascending order; a moment belongs to
  ///   the period that it begins.
  /// - Returns: One fewer totals than there are boundaries.
  /// - Throws: A `LogbookError`.
  public func totals(between boundaries: [Timestamp]) throws(LogbookError) -> [PeriodTotals] {
    guard let first = boundaries.first, let last = boundaries.last, boundaries.count > 1 else {
      return []
    }
    var filter = FlightFilter()
    filter.since = first
    filter.until = last
    var totals = [PeriodTotals](repeating: PeriodTotals(), count: boundaries.count - 1)
    var period = 0
    try forEachSummary(where: filter) { flight in
      while period < totals.count - 1, boundaries[period + 1] <= flight.startedAt { period += 1 }
      totals[period].add(flight)
    }
    return totals
  }

  /// The totals of one period.
  ///
  /// - Parameters:
  ///   - since: Its first moment; the beginning of time where left out.
  ///   - until: The first moment after it; the end of time where left out.
  /// - Returns: The totals of the flights that started in it.
  /// - Throws: A `LogbookError`.
  public func totals(
    since: Timestamp? = nil, until: Timestamp? = nil
  ) throws(LogbookError) -> PeriodTotals {
    var filter = FlightFilter()
    filter.since = since
    filter.until = until
    var totals = PeriodTotals()
    try forEachSummary(where: filter) { totals.add($0) }
    return totals
  }
}

/// The queries for totals.
enum TotalsQuery {
  static func summaries(_ condition: Condition) -> String {
    var condition = condition
    condition.add("flight.startedAt IS NOT NULL")
    return """
      SELECT startedAt, distance, movingTime, elevationGain, elevationLoss,
        (SELECT count(*) FROM alert WHERE alert.flight = flight.key)
      FROM flight \(condition.sql) ORDER BY startedAt
      """
  }
}

public import RunWayModel

// MARK: - Observed queries

/// Each yields its result at once, and again whenever it has changed; see `observe(_:)`.
extension Logbook {
  // MARK: Flights

  /// Observes `flights(where:sort:limit:)`.
  ///
  /// - Parameters:
  ///   - filter: Which flights; all where left out.
  ///   - sort: In which order.
  ///   - limit: How many at most.
  /// - Returns: The flights now, and again whenever they change.
  public func observeFlights(
    where filter: FlightFilter = FlightFilter(), sort: FlightSort = .newestFirst,
    limit: Int? = nil
  ) -> AsyncThrowingStream<[Flight], any Error> {
    observe { try $0.flights(where: filter, sort: sort, limit: limit) }
  }

  /// Observes `flight(_:)`.
  ///
  /// - Parameter id: The flight.
  /// - Returns: The flight now, and again whenever it changes; `nil` once it is deleted.
  public func observeFlight(_ id: FlightID) -> AsyncThrowingStream<Flight?, any Error> {
    observe { try $0.flight(id) }
  }

  /// Observes `coordinates(of:from:limit:)`.
  ///
  /// - Parameters:
  ///   - id: The flight.
  ///   - first: The order of the first one wanted.
  ///   - limit: How many at most.
  /// - Returns: The coordinates now, and again whenever they change; none once the flight is deleted.
  public func observeCoordinates(
    of id: FlightID, from first: Int = 0, limit: Int = .max
  ) -> AsyncThrowingStream<[Coordinate], any Error> {
    observe { try $0.coordinates(of: id, from: first, limit: limit) }
  }

  /// Observes `splits(of:unit:)`.
  ///
  /// - Parameters:
  ///   - id: The flight.
  ///   - unit: What they are measured in.
  /// - Returns: The splits now, and again whenever they change; none until the flight has touched down.
  public func observeSplits(
    of id: FlightID, unit: SplitUnit
  ) -> AsyncThrowingStream<[Split], any Error> {
    observe { try $0.splits(of: id, unit: unit) }
  }

  /// Observes `bestEfforts(of:)`.
  ///
  /// - Parameter id: The flight.
  /// - Returns: The efforts now, and again whenever they change; none until the flight has touched down.
  public func observeBestEfforts(
    of id: FlightID
  ) -> AsyncThrowingStream<[BestEffort], any Error> {
    observe { try $0.bestEfforts(of: id) }
  }

  // MARK: Alerts

  /// Observes `alerts(where:limit:)`.
  ///
  /// - Parameters:
  ///   - filter: Which alerts; all where left out.
  ///   - limit: How many at most.
  /// - Returns: The alerts now, and again whenever they change.
  public func observeAlerts(
    where filter: AlertFilter = AlertFilter(), limit: Int? = nil
  ) -> AsyncThrowingStream<[LoggedAlert], any Error> {
    observe { try $0.alerts(where: filter, limit: limit) }
  }

  /// Observes `alertCounts(where:)`.
  ///
  /// - Parameter filter: Which alerts; all where left out.
  /// - Returns: The counts now, and again whenever they change.
  public func observeAlertCounts(
    where filter: AlertFilter = AlertFilter()
  ) -> AsyncThrowingStream<[GPWSState: Int], any Error> {
    observe { try $0.alertCounts(where: filter) }
  }

  /// Observes `alerts(of:)`.
  ///
  /// - Parameter id: The flight.
  /// - Returns: Its alerts now, and again whenever they change.
  public func observeAlerts(of id: FlightID) -> AsyncThrowingStream<[Alert], any Error> {
    observe { try $0.alerts(of: id) }
  }

  // MARK: Totals

  /// Observes `totals(between:)`.
  ///
  /// - Parameter boundaries: The moments between which the periods lie, in ascending order.
  /// - Returns: The totals of each period now, and again whenever one changes.
  public func observeTotals(
    between boundaries: [Timestamp]
  ) -> AsyncThrowingStream<[PeriodTotals], any Error> {
    observe { try $0.totals(between: boundaries) }
  }

  /// Observes `totals(since:until:)`.
  ///
  /// - Parameters:
  ///   - since: The first moment of the period; the beginning of time where left out.
  ///   - until: The first moment after it; the end of time where left out.
  /// - Returns: The totals now, and again whenever they change.
  public func observeTotals(
    since: Timestamp? = nil, until: Timestamp? = nil
  ) -> AsyncThrowingStream<PeriodTotals, any Error> {
    observe { try $0.totals(since: since, until: until) }
  }

  /// Observes `bestEfforts(where:)`.
  ///
  /// - Parameter filter: In which flights; all where left out.
  /// - Returns: The fastest effort over each distance now, and again whenever one changes.
  public func observeBestEfforts(
    where filter: FlightFilter = FlightFilter()
  ) -> AsyncThrowingStream<[LoggedBestEffort], any Error> {
    observe { try $0.bestEfforts(where: filter) }
  }

  // MARK: Tags and missions

  /// Observes `tags()`.
  ///
  /// - Returns: All tags now, and again whenever one changes, or the number of flights that bear it.
  public func observeTags() -> AsyncThrowingStream<[Tag], any Error> {
    observe { try $0.tags() }
  }

  /// Observes `missions()`.
  ///
  /// - Returns: All saved missions now, and again whenever one changes, or the number of flights flown with it.
  public func observeMissions() -> AsyncThrowingStream<[SavedMission], any Error> {
    observe { try $0.missions() }
  }
}

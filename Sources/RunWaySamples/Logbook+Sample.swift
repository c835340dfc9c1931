public import RunWayLogbook
internal import RunWayModel
internal import RunWayTracking

extension Logbook {
  /// A logbook in memory that holds the flights of `SampleFlight.all`, for previews and tests.
  ///
  /// The flights are measured and judged like any other; two calls give the same content, except for
  /// the flights' identities. It goes when it is let go of, and can be written like any logbook.
  ///
  /// For example:
  ///
  /// ```swift
  /// let logbook = try Logbook.sample()
  /// let latest = try logbook.flights(limit: 1)
  /// ```
  ///
  /// - Returns: The logbook.
  /// - Throws: A `LogbookError` where memory does not suffice.
  /// - Complexity: Linear in the samples' 7,000 locations, a few hundredths of a second.
  public static func sample() throws(LogbookError) -> Logbook {
    let logbook = try Logbook()
    let transaction = try logbook.beginImport()
    for sample in SampleFlight.all { try store(sample, in: transaction) }
    try transaction.commit()
    return logbook
  }

  private static func store(
    _ sample: SampleFlight, in transaction: ImportTransaction
  ) throws(LogbookError) {
    let locations = sample.locations
    var computer = FlightComputer(mission: sample.mission)
    var update = FlightUpdate()
    computer.process(locations, into: &update)
    let report = computer.finish(into: &update)
    let header = NewFlight(
      source: FlightSource(creator: sample.info.creator), mission: sample.mission)
    _ = try transaction.store(
      header, locations: locations, discards: update.discards, report: report, info: sample.info)
  }
}

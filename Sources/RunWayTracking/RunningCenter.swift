public import RunWayModel

/// Serialises the tracking of one flight at a time.
///
/// Locations go in by the batch, and what they brought about comes back as a value; nothing is stored
/// here and no clock is read. A flight takes off, takes locations and touches down; then the next one may
/// take off, of which nothing is left over.
public actor RunningCenter {
  private var computer = FlightComputer()
  private var prepared = FlightPlan()
  private var isFlying = false

  /// The newest snapshot of whatever flight is under way, for one reader.
  ///
  /// One snapshot is yielded a batch. A reader that is slow misses the ones between.
  public nonisolated let snapshots: AsyncStream<FlightData>
  private nonisolated let continuation: AsyncStream<FlightData>.Continuation

  /// Makes a centre with no flight under way.
  public init() {
    (snapshots, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  deinit {
    continuation.finish()
  }

  /// The snapshot as of the last location that counts.
  ///
  /// After touchdown it stays as the flight ended, until the next takeoff.
  public var data: FlightData { computer.data }

  /// Sets up the flight that takes off next, without touching one that is under way.
  ///
  /// - Parameters:
  ///   - mission: What the runner sets out to do; `nil` for a free flight.
  ///   - options: How the flight is judged.
  public func prepare(mission: Mission?, options: FlightOptions = FlightOptions()) {
    prepared = FlightPlan(mission: mission, options: options)
  }

  /// Begins the flight that was prepared, or a free flight if none was.
  ///
  /// A flight that is still under way is given up. What was prepared is used up: the flight after this one
  /// is a free flight again unless it is prepared too.
  ///
  /// - Parameter snapshots: Whether updates carry a snapshot for each second of track time.
  public func takeoff(snapshots: Bool = false) {
    computer = FlightComputer(
      mission: prepared.mission, options: prepared.options, snapshots: snapshots)
    prepared = FlightPlan()
    isFlying = true
    continuation.yield(computer.data)
  }

  /// Begins a flight with the mission and options given, whatever was prepared.
  ///
  /// - Parameters:
  ///   - mission: What the runner sets out to do; `nil` for a free flight.
  ///   - options: How the flight is judged.
  ///   - snapshots: Whether updates carry a snapshot for each second of track time.
  public func takeoff(
    mission: Mission?, options: FlightOptions = FlightOptions(), snapshots: Bool = false
  ) {
    prepare(mission: mission, options: options)
    takeoff(snapshots: snapshots)
  }

  /// Takes the next locations of the flight; takes off first if that has not been done.
  ///
  /// How the locations of a flight are divided into batches changes nothing of what is found.
  ///
  /// - Parameter locations: Valid ones are numbered in their order, the others counted.
  /// - Returns: The verdicts reached and the events.
  public func process(_ locations: [Location]) -> FlightUpdate {
    if !isFlying { takeoff() }
    var update = FlightUpdate()
    computer.process(locations, into: &update)
    continuation.yield(computer.data)
    return update
  }

  /// Moves every time of the flight so far, its alerts included.
  ///
  /// Events that were handed out before bear the times they had; a caller that stored them moves them too.
  ///
  /// - Parameter shift: The microseconds to add.
  public func redate(byMicroseconds shift: Int64) {
    computer.redate(byMicroseconds: shift)
  }

  /// Ends the flight.
  ///
  /// - Returns: The verdicts and events that were still open, and everything that is known of the flight.
  ///   Without a flight under way, the report of an empty one.
  public func touchdown() -> (update: FlightUpdate, report: FlightReport) {
    if !isFlying { takeoff() }
    var update = FlightUpdate()
    let report = computer.finish(into: &update)
    isFlying = false
    continuation.yield(computer.data)
    return (update, report)
  }
}

/// What the next flight is to be.
private struct FlightPlan {
  var mission: Mission?
  var options = FlightOptions()
}

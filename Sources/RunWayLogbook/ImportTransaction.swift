public import RunWayModel

/// An import under way: it holds the logbook's write lock from its beginning to `commit` or `rollback`, but from an input
/// that was undone to the next flight.
///
/// Flights are stored one after another; each is wholly there or wholly not. One transaction may take
/// any number of flights and files.
///
/// What is not to stay is deleted again, rare as that is. A savepoint would undo it sooner; but as long as one is open, SQLite
/// adds each page that a statement changes to a temporary file: more than twice the bytes of the coordinates. So there is
/// one only around a flight that is likely to turn out known.
@MainActor public final class ImportTransaction {
  private let logbook: Logbook
  private var open = true
  /// Whether it holds the write lock.
  ///
  /// Not asked of SQLite: what a full disk has rolled back is not to begin anew unnoticed.
  private var isBegun = true
  private var flight: Incoming?
  /// The keys of the flights that the open input brought.
  private var inputFlights: [Int64] = []
  /// Whether there are flights of inputs that ended.
  private var holdsInputs = false

  /// How many locations of a flight that looks known are kept back before the first is stored.
  ///
  /// A known recording is recognised at its end; one that is not longer than this costs no writing then. What looks new is
  /// stored as it comes, while the rest is still decoded.
  static let heldBack = 16_384

  /// The flight that is coming in.
  private struct Incoming {
    var header: NewFlight
    var force: Bool
    var heldLocations: [Location] = []
    var heldDiscards: [Discard] = []
    /// Whether a flight is stored that begins at the same moment; `nil` while none is known.
    var looksKnown: Bool?
    /// `nil` while everything is held back.
    var writer: CoordinateWriter?
    /// Whether a savepoint stands before it.
    var isGuarded = false
  }

  init(logbook: Logbook) {
    self.logbook = logbook
  }

  // MARK: One flight

  /// Begins a flight; one that was begun and not finished is abandoned.
  ///
  /// - Parameters:
  ///   - header: What is known of it.
  ///   - force: Whether to store it even if the same recording is there.
  /// - Throws: A `LogbookError`.
  public func beginFlight(_ header: NewFlight, force: Bool = false) throws(LogbookError) {
    try abandonFlight()
    try beginAgain()
    flight = Incoming(header: header, force: force)
  }

  /// Takes the write lock where it was let go of, before it is looked up what is stored.
  private func beginAgain() throws(LogbookError) {
    if isBegun || !open { return }
    try logbook.reporting { try logbook.connection.beginImmediate() }
    isBegun = true
  }

  /// Takes the next locations of the flight.
  ///
  /// - Parameters:
  ///   - locations: Those that are not valid are passed over, the others numbered and stored.
  ///   - discards: Verdicts on locations given so far, these included.
  /// - Throws: A `LogbookError`, such as `diskFull`; the flight can't be finished then.
  public func append(
    _ locations: [Location], discards: [Discard] = []
  ) throws(LogbookError) {
    guard var incoming = flight else { return }
    flight = nil
    defer { flight = incoming }
    if incoming.writer == nil {
      incoming.heldLocations += locations
      incoming.heldDiscards += discards
      try logbook.reporting {
        try look(for: &incoming)
        if incoming.looksKnown == false
          || incoming.heldLocations.count > ImportTransaction.heldBack
        {
          try flush(&incoming)
        }
      }
    } else {
      try logbook.reporting {
        try incoming.writer?.append(locations)
        try incoming.writer?.discard(discards)
      }
    }
  }

  /// Moves all times given so far, as the flight's date has become known.
  public func redate(byMicroseconds shift: Int64) {
    guard let held = flight?.heldLocations else { return }
    for index in held.indices {
      let moved = held[index].time?.shifted(byMicroseconds: shift)
      flight?.heldLocations[index].time = moved
    }
    flight?.writer?.redate(byMicroseconds: shift)
  }

  /// Ends the flight, and stores it unless the same recording is there.
  ///
  /// - Parameters:
  ///   - report: What it amounts to.
  ///   - info: What its source says of it.
  ///   - rejected: What of the source could not be used, by reason.
  /// - Returns: What became of it.
  /// - Throws: A `LogbookError`.
  public func finishFlight(
    report: FlightReport, info: TrackInfo = TrackInfo(), rejected: [String: Int] = [:]
  ) throws(LogbookError) -> StoreOutcome {
    guard var incoming = flight else {
      throw LogbookError(.notFound, "no flight was begun that could be finished")
    }
    return try logbook.reporting {
      let rows = FlightWriter(connection: logbook.connection)
      if !incoming.force, let known = try rows.flight(of: report.fingerprint) {
        try abandonFlight()
        return .duplicate(of: known)
      }
      // Also where it throws: what was stored is to be deleted again.
      defer { if flight != nil { flight = incoming } }
      try flush(&incoming)
      guard let writer = incoming.writer else { return .stored(incoming.header.id) }
      try rows.finish(
        writer.flight, report: report, info: info, rejected: rejected,
        timeOrigin: writer.timeOrigin)
      if incoming.isGuarded { try logbook.connection.run("RELEASE flight") }
      inputFlights.append(writer.flight)
      flight = nil
      return .stored(incoming.header.id)
    }
  }

  /// Forgets the flight that was begun, whatever of it was stored.
  ///
  /// - Throws: A `LogbookError` where what was stored of it cannot be undone.
  public func abandonFlight() throws(LogbookError) {
    guard let incoming = flight else { return }
    flight = nil
    // A full disk may have rolled back everything already.
    guard logbook.connection.isInTransaction else { return }
    if incoming.isGuarded {
      try logbook.reporting {
        try logbook.connection.run("ROLLBACK TO flight")
        try logbook.connection.run("RELEASE flight")
      }
    } else if let writer = incoming.writer {
      try delete([writer.flight])
    }
  }

  /// Stores a whole flight, unless the same recording is there, which is found out first.
  ///
  /// - Parameters:
  ///   - header: What is known of it.
  ///   - locations: All its locations; those that are not valid are passed over.
  ///   - discards: The verdicts on those that do not count.
  ///   - report: What it amounts to.
  ///   - info: What its source says of it.
  ///   - rejected: What of the source could not be used, by reason.
  ///   - force: Whether to store it even if the same recording is there.
  /// - Returns: What became of it.
  /// - Throws: A `LogbookError`; nothing of the flight is stored then.
  public func store(
    _ header: NewFlight, locations: [Location], discards: [Discard] = [], report: FlightReport,
    info: TrackInfo = TrackInfo(), rejected: [String: Int] = [:], force: Bool = false
  ) throws(LogbookError) -> StoreOutcome {
    try beginAgain()
    if !force, let known = try logbook.flight(of: report.fingerprint) {
      return .duplicate(of: known)
    }
    try beginFlight(header, force: true)
    try append(locations, discards: discards)
    return try finishFlight(report: report, info: info, rejected: rejected)
  }

  /// Finds out whether a flight looks known, once its first time has come; one without times by the date it is given.
  private func look(for incoming: inout Incoming) throws {
    if incoming.looksKnown != nil { return }
    if incoming.force {
      incoming.looksKnown = false
    } else if let time = incoming.heldLocations.firstTime
      ?? (incoming.heldLocations.count > ImportTransaction.heldBack ? incoming.header.date : nil)
    {
      incoming.looksKnown =
        try FlightWriter(connection: logbook.connection).isAnyStarted(at: time)
    }
  }

  /// Writes what is held back, after the flight's row.
  private func flush(_ incoming: inout Incoming) throws {
    guard incoming.writer == nil else { return }
    let connection = logbook.connection
    if incoming.looksKnown == true {
      try connection.run("SAVEPOINT flight")
      incoming.isGuarded = true
    }
    let key = try FlightWriter(connection: connection).insert(incoming.header)
    var writer = CoordinateWriter(connection: connection, flight: key)
    // Kept before anything else can fail, so that the flight can be deleted again.
    incoming.writer = writer
    try writer.append(incoming.heldLocations)
    try writer.discard(incoming.heldDiscards)
    incoming.writer = writer
    incoming.heldLocations = []
    incoming.heldDiscards = []
  }

  // MARK: One input

  /// Keeps all flights stored since the last input ended, and notes its format.
  ///
  /// - Parameter format: The input's format, which may not be known before its end.
  /// - Throws: A `LogbookError`.
  public func keepInput(format: TrackFormat?) throws(LogbookError) {
    try abandonFlight()
    try logbook.reporting {
      for key in inputFlights {
        try logbook.connection.run(
          "UPDATE flight SET sourceFormat = ?2 WHERE key = ?1", key, format?.rawValue)
      }
    }
    if !inputFlights.isEmpty { holdsInputs = true }
    inputFlights = []
  }

  /// Undoes everything since the last input ended: what was read turned out broken further on.
  ///
  /// - Throws: A `LogbookError` where it cannot be undone; `rollback` still can.
  public func undoInput() throws(LogbookError) {
    if holdsInputs {
      try abandonFlight()
      try delete(inputFlights)
    } else if flight?.writer != nil || !inputFlights.isEmpty {
      // Leaves no free pages behind.
      flight = nil
      logbook.connection.rollback()
      isBegun = false
    } else {
      flight = nil
    }
    inputFlights = []
  }

  /// Deletes flights with all their rows.
  private func delete(_ keys: [Int64]) throws(LogbookError) {
    // A full disk may have rolled back everything already.
    guard logbook.connection.isInTransaction else { return }
    try logbook.reporting {
      for key in keys { try logbook.connection.run("DELETE FROM flight WHERE key = ?", key) }
    }
  }

  // MARK: The end

  /// Makes everything that was finished permanent; what was begun and not finished is abandoned.
  ///
  /// - Throws: A `LogbookError`, such as `diskFull`; nothing of it is permanent then.
  public func commit() throws(LogbookError) {
    try abandonFlight()
    guard open else { return }
    if isBegun { try logbook.reporting { try logbook.connection.commit() } }
    open = false
  }

  /// Undoes everything since the beginning.
  public func rollback() {
    flight = nil
    guard open else { return }
    open = false
    logbook.connection.rollback()
  }

  isolated deinit {
    if open { logbook.connection.rollback() }
  }
}

extension Logbook {
  /// Begins an import, waiting up to 5 s for another writer to finish.
  ///
  /// Nothing else is written through this logbook until it ends.
  ///
  /// - Throws: A `LogbookError`, `busy` where another process goes on writing.
  public func beginImport() throws(LogbookError) -> ImportTransaction {
    try reporting {
      if isReadOnly {
        throw LogbookError(.readOnly, "\(location.name) was opened for reading only")
      }
      try connection.beginImmediate()
      return ImportTransaction(logbook: self)
    }
  }

  /// Stores a whole flight in a transaction of its own, unless the same recording is there.
  ///
  /// - Parameters:
  ///   - header: What is known of it.
  ///   - locations: All its locations; those that are not valid are passed over.
  ///   - discards: The verdicts on those that do not count.
  ///   - report: What it amounts to.
  ///   - info: What its source says of it.
  ///   - force: Whether to store it even if the same recording is there.
  /// - Returns: What became of it.
  /// - Throws: A `LogbookError`, `busy` where another process goes on writing.
  @discardableResult
  public func store(
    _ header: NewFlight, locations: [Location], discards: [Discard] = [], report: FlightReport,
    info: TrackInfo = TrackInfo(), force: Bool = false
  ) throws(LogbookError) -> StoreOutcome {
    let transaction = try beginImport()
    let outcome = try transaction.store(
      header, locations: locations, discards: discards, report: report, info: info, force: force)
    try transaction.commit()
    return outcome
  }

  /// The flight that holds a recording, if there is one.
  ///
  /// - Throws: A `LogbookError` where the logbook cannot be read.
  public func flight(of fingerprint: RecordingFingerprint) throws(LogbookError) -> FlightID? {
    try reporting { try FlightWriter(connection: connection).flight(of: fingerprint) }
  }
}

extension [Location] {
  /// The first time that a location of these that is valid bears.
  var firstTime: Timestamp? { first { $0.isValid && $0.time != nil }?.time }
}

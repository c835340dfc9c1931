internal import CSQLite
internal import RunWayModel

/// Writes a flight's coordinates, numbering them as they come.
struct CoordinateWriter {
  let connection: Connection
  /// The flight's key.
  let flight: Int64
  /// The order of the next valid location.
  private(set) var nextOrder: Int
  /// What the times of the stored coordinates count from: the first time seen.
  private(set) var timeOrigin: Timestamp?

  /// The numbers of rows that one statement stores; most of the cost of a row is that of starting a statement.
  private static let batchSizes = [128, 16, 1]
  /// The parameters of a row, besides the two that all rows share.
  private static let columnsPerRow: Int32 = 11

  init(
    connection: Connection, flight: Int64, nextOrder: Int = 0, timeOrigin: Timestamp? = nil
  ) {
    self.connection = connection
    self.flight = flight
    self.nextOrder = nextOrder
    self.timeOrigin = timeOrigin
  }

  /// Moves the times of all coordinates written so far; the flight's row is for the caller to write.
  mutating func redate(byMicroseconds shift: Int64) {
    timeOrigin = timeOrigin?.shifted(byMicroseconds: shift)
  }

  /// Stores the valid ones of some locations.
  mutating func append(_ locations: [Location]) throws(SQLiteError) {
    if timeOrigin == nil { timeOrigin = locations.firstTime }
    let invalid = locations.contains { !$0.isValid }
    let valid = invalid ? locations.filter(\.isValid) : locations
    var rest = valid[...]
    for size in CoordinateWriter.batchSizes where rest.count >= size {
      let statement = try connection.cached(CoordinateWriter.sql(rows: size))
      defer { statement.reset() }
      connection.noteChanges(of: statement)
      try statement.bind(flight, at: 1)
      while rest.count >= size {
        try statement.bind(Int64(nextOrder), at: 2)
        var index: Int32 = 3
        for location in rest.prefix(size) {
          try bind(location, to: statement, from: index)
          index += CoordinateWriter.columnsPerRow
        }
        _ = try statement.step()
        sqlite3_reset(statement.handle)
        nextOrder &+= size
        rest = rest.dropFirst(size)
      }
    }
  }

  /// Notes why some of the coordinates don't count.
  func discard(_ discards: [Discard]) throws(SQLiteError) {
    for discard in discards {
      try connection.run(
        #"UPDATE coordinate SET discarded = ? WHERE flight = ? AND "order" = ?"#,
        discard.reason.rawValue, flight, discard.order)
    }
  }

  private func bind(
    _ location: Location, to statement: Statement, from index: Int32
  ) throws(SQLiteError) {
    let handle = statement.handle
    // A bound number can only fail for want of memory or a wrong index, which the first one shows.
    try statement.bind(location.latitude, at: index)
    sqlite3_bind_double(handle, index + 1, location.longitude)
    bind(location.altitude, handle, index + 2)
    if let time = location.time, let timeOrigin {
      sqlite3_bind_int64(handle, index + 3, time.microseconds &- timeOrigin.microseconds)
    } else {
      sqlite3_bind_null(handle, index + 3)
    }
    bind(location.speed, handle, index + 4)
    bind(location.course, handle, index + 5)
    bind(location.hdop, handle, index + 6)
    bind(location.heartRate, handle, index + 7)
    bind(location.cadence, handle, index + 8)
    bind(location.power, handle, index + 9)
    sqlite3_bind_int64(handle, index + 10, Int64(location.segment))
  }

  private func bind(_ value: Double?, _ handle: OpaquePointer, _ index: Int32) {
    if let value {
      sqlite3_bind_double(handle, index, value)
    } else {
      sqlite3_bind_null(handle, index)
    }
  }

  private static let statements = Dictionary(
    uniqueKeysWithValues: batchSizes.map { ($0, makeSQL(rows: $0)) })

  private static func sql(rows: Int) -> String {
    statements[rows] ?? makeSQL(rows: rows)
  }

  private static func makeSQL(rows: Int) -> String {
    let parameters = String(repeating: ", ?", count: Int(columnsPerRow))
    let values = (0..<rows).map { "(?1, ?2 + \($0)\(parameters))" }.joined(separator: ", ")
    return """
      INSERT INTO coordinate (flight, "order", latitude, longitude, altitude, time, speed, course, \
      hdop, heartRate, cadence, power, segment) VALUES \(values)
      """
  }
}

/// What one sentence says.
///
/// Absent numbers are NaN, which keeps the value small and its copies cheap.
struct NMEAReading {
  var type: NMEAType
  /// Microseconds of the day; negative where there is none.
  var timeOfDay: Int64 = -1
  /// Days since 1970-01-01; `nil` where there is none, or none to believe.
  var date: Int?
  var hasPosition = false
  var latitude = Double.nan
  var longitude = Double.nan
  var altitude = Double.nan
  /// Metres per second.
  var speed = Double.nan
  var course = Double.nan
  var hdop = Double.nan
  /// What could not be read, one word and a clause.
  var fault: NMEAFault?

  /// Makes a reading that says nothing yet.
  @inline(__always)
  init(type: NMEAType) {
    self.type = type
  }
}

/// A field that cannot be read.
enum NMEAFault {
  case time
  case noTime
  case date
  case position
  case status

  /// The word it is counted under.
  var kind: String {
    switch self {
    case .time, .noTime: "time"
    case .date: "date"
    case .position: "position"
    case .status: "field"
    }
  }

  /// A clause that explains it.
  func reason(in name: String) -> String {
    switch self {
    case .time: "the time of day of \(name) cannot be read"
    case .noTime: "\(name) has a position and no time of day"
    case .date: "the date of \(name) cannot be read"
    case .position: "the position of \(name) cannot be read"
    case .status: "\(name) does not say whether its position is valid"
    }
  }
}

// MARK: - Reading the fields

extension NMEAReading {
  /// Reads the fields of a sentence.
  ///
  /// - Parameters:
  ///   - type: The sentence's type.
  ///   - fields: Its fields, from the first behind the address.
  ///   - lastDate: The date that was read last.
  @inline(__always)
  init(_ type: NMEAType, fields: inout NMEAFields, lastDate: inout NMEADateMemory) {
    self.init(type: type)
    switch type {
    case .rmc: readRMC(&fields, &lastDate)
    case .gga: readGGA(&fields)
    case .gll: readGLL(&fields)
    case .gns: readGNS(&fields)
    case .vtg: readVTG(&fields)
    case .zda: readZDA(&fields)
    }
    if hasPosition, timeOfDay < 0, fault == nil {
      hasPosition = false
      fault = .noTime
    }
  }

  /// Fields: time, status, latitude, N/S, longitude, E/W, knots, course, date, variation, E/W, mode, navigational status.
  ///
  /// The navigational status (NMEA 4.1) is mostly `V`, and says nothing of the fix. A void sentence's
  /// date may be the receiver's default, and is not read.
  @inline(__always)
  private mutating func readRMC(
    _ fields: inout NMEAFields, _ lastDate: inout NMEADateMemory
  ) {
    readTime(&fields)
    let status = fields.character()
    let position = fields.position()
    let speed = fields.knots()
    let course = fields.number()
    let date = fields.date(&lastDate)
    fields.skip(2)
    guard isFix(status: status), fields.character() != UInt8(ascii: "N") else { return }
    take(position)
    guard hasPosition else { return }
    take(speed: speed, course: course)
    switch date {
    case .empty: break
    case .value(let days): self.date = days
    case .unreadable: fault = fault ?? .date
    }
  }

  /// Fields: time, latitude, N/S, longitude, E/W, quality, satellites, HDOP, altitude, M, separation, M, age, station.
  @inline(__always)
  private mutating func readGGA(_ fields: inout NMEAFields) {
    readTime(&fields)
    let position = fields.position()
    let quality = fields.character()
    guard let quality, quality != UInt8(ascii: "0") else { return }
    take(position)
    fields.skip()
    takeHeight(&fields)
  }

  /// Fields: time, latitude, N/S, longitude, E/W, modes, satellites, HDOP, altitude, separation, and others.
  @inline(__always)
  private mutating func readGNS(_ fields: inout NMEAFields) {
    readTime(&fields)
    let position = fields.position()
    guard fields.modes().isFix else { return }
    take(position)
    fields.skip()
    takeHeight(&fields)
  }

  /// Fields: latitude, N/S, longitude, E/W, time, status, mode.
  ///
  /// The first receivers end behind the longitude or the time; what has no status is taken as valid.
  @inline(__always)
  private mutating func readGLL(_ fields: inout NMEAFields) {
    let position = fields.position()
    readTime(&fields)
    if fields.hasMore {
      guard isFix(status: fields.character()) else { return }
      guard fields.character() != UInt8(ascii: "N") else { return }
    }
    take(position)
  }

  /// Fields: course, T, magnetic course, M, knots, N, km/h, K, mode; before NMEA 2 the numbers alone.
  @inline(__always)
  private mutating func readVTG(_ fields: inout NMEAFields) {
    let course = fields.number()
    var speed: Double?
    if case .value = fields.decimal() {
      speed = fields.knots()
      speed = speed ?? fields.kilometersPerHour()
    } else {
      fields.skip(2)
      speed = fields.knots()
      fields.skip()
      let other = fields.kilometersPerHour()
      speed = speed ?? other
      fields.skip()
      guard fields.character() != UInt8(ascii: "N") else { return }
    }
    take(speed: speed, course: course)
  }

  /// Fields: time, day, month, year, local zone hours, minutes.
  @inline(__always)
  private mutating func readZDA(_ fields: inout NMEAFields) {
    readTime(&fields)
    switch fields.separateDate() {
    case .empty: break
    case .value(let days): date = days
    case .unreadable: fault = fault ?? .date
    }
  }

  @inline(__always)
  private mutating func readTime(_ fields: inout NMEAFields) {
    switch fields.timeOfDay() {
    case .empty: break
    case .value(let time): timeOfDay = time
    case .unreadable: fault = .time
    }
  }

  @inline(__always)
  private func isFix(status: UInt8?) -> Bool {
    status == UInt8(ascii: "A") || status == UInt8(ascii: "D")
  }

  @inline(__always)
  private mutating func take(_ position: NMEAField<(latitude: Double, longitude: Double)>) {
    switch position {
    case .empty: break
    case .unreadable: fault = fault ?? .position
    case .value(let position):
      hasPosition = true
      latitude = position.latitude
      longitude = position.longitude
    }
  }

  @inline(__always)
  private mutating func take(speed: Double?, course: Double?) {
    if let speed, speed >= 0 { self.speed = speed }
    if let course, course >= 0, course <= 360 { self.course = course == 360 ? 0 : course }
  }

  /// Reads HDOP and the altitude above mean sea level.
  @inline(__always)
  private mutating func takeHeight(_ fields: inout NMEAFields) {
    if let hdop = fields.number(), hdop >= 0 { self.hdop = hdop }
    if let altitude = fields.number() { self.altitude = altitude }
  }
}

// MARK: - Units

extension NMEAFields {
  /// Reads a speed in knots, of 1852 m an hour, as metres per second.
  @inline(__always)
  fileprivate mutating func knots() -> Double? { number(times: 1_852, over: 3_600) }

  /// Reads a speed in km/h as metres per second.
  @inline(__always)
  fileprivate mutating func kilometersPerHour() -> Double? { number(times: 1_000, over: 3_600) }
}

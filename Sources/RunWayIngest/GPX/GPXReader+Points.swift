internal import CLibXML2
import RunWayModel

/// What points, and the fields of points and tracks, amount to.
extension GPXReader {
  mutating func beginPoint(
    _ attributes: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?, _ count: Int
  ) {
    place = .point
    point = emptyPoint
    var hasLatitude = false
    var hasLongitude = false
    forEachAttribute(attributes, count) { reader, local, value in
      if local == reader.names.lat {
        hasLatitude = true
        reader.take(value, as: .latitude)
      } else if local == reader.names.lon {
        hasLongitude = true
        reader.take(value, as: .longitude)
      }
    }
    // What the document's end cuts off is not missing.
    guard parser.isAtTagEnd else { return }
    if !hasLatitude { values.noteUnusable("its latitude is missing") }
    if !hasLongitude { values.noteUnusable("its longitude is missing") }
  }

  /// A point of the open segment that says nothing.
  var emptyPoint: Location {
    Location(latitude: .nan, longitude: .nan, segment: segment)
  }

  mutating func endPoint() {
    add(point)
  }

  /// Takes a whole point of the open segment.
  @inline(__always)
  mutating func add(_ point: Location) {
    if !trackHasBegun {
      trackHasBegun = true
      elements.append(.began(info))
    }
    bytesWithoutElement = 0
    census.points += 1
    if point.isValid { census.validPoints += 1 }
    if batch.capacity == 0 { batch.reserveCapacity(Self.batchSize) }
    batch.append(point)
    if batch.count == Self.batchSize { flush() }
  }

  /// Takes the text of a field of the open point or track.
  mutating func take(_ bytes: UnsafeBufferPointer<UInt8>, as field: Field) {
    switch field {
    case .latitude: point.latitude = values.coordinate(bytes, "latitude", limit: 90)
    case .longitude: point.longitude = values.coordinate(bytes, "longitude", limit: 180)
    case .elevation:
      if point.altitude == nil { point.altitude = values.number(bytes, "elevation") }
    case .time:
      if point.time == nil { point.time = values.moment(bytes) }
    case .speed:
      if point.speed == nil { point.speed = values.magnitude(bytes, "speed") }
    case .course:
      if point.course == nil { point.course = values.direction(bytes) }
    case .hdop:
      if point.hdop == nil { point.hdop = values.magnitude(bytes, "hdop") }
    case .heartRate:
      if point.heartRate == nil { point.heartRate = values.magnitude(bytes, "heart rate") }
    case .cadence:
      if point.cadence == nil { point.cadence = values.magnitude(bytes, "cadence") }
    case .power:
      if point.power == nil { point.power = values.magnitude(bytes, "power") }
    case .name: info.name = GPXValueReader.string(bytes)
    case .type: info.type = GPXValueReader.string(bytes)
    case .creator: info.creator = GPXValueReader.string(bytes)
    case .calories:
      if info.calories == nil { info.calories = values.magnitude(bytes, "calories") }
    case .maxSpeed:
      if let speed = values.magnitude(bytes, "maxSpeed"), speed > 0 { info.maxSpeed = speed }
    case .date: info.date = values.moment(bytes)
    case .ignored: break
    }
  }
}

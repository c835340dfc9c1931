internal import CLibXML2
import Glibc

/// The names that mean something, as libxml2 interns them for one parser.
struct GPXNames {
  let gpx, trk, trkseg, trkpt, rte, rtept, wpt, lat, lon, creator: UnsafePointer<xmlChar>?
  let ele, time, extensions, name, type, speed, course, hdop: UnsafePointer<xmlChar>?
  let hr, heartrate, cad, cadence, power, powerInWatts: UnsafePointer<xmlChar>?
  let calories, capitalCalories, flight, maxSpeed, date, undated, longitude: UnsafePointer<xmlChar>?
  let gpx10, gpx11, runway: UnsafePointer<xmlChar>?

  init(in parser: xmlParserCtxtPtr) {
    func intern(_ name: StaticString) -> UnsafePointer<xmlChar>? {
      xmlDictLookup(parser.pointee.dict, name.utf8Start, CInt(name.utf8CodeUnitCount))
    }
    gpx = intern("gpx")
    trk = intern("trk")
    trkseg = intern("trkseg")
    trkpt = intern("trkpt")
    rte = intern("rte")
    rtept = intern("rtept")
    wpt = intern("wpt")
    lat = intern("lat")
    lon = intern("lon")
    creator = intern("creator")
    ele = intern("ele")
    time = intern("time")
    extensions = intern("extensions")
    name = intern("name")
    type = intern("type")
    speed = intern("speed")
    course = intern("course")
    hdop = intern("hdop")
    hr = intern("hr")
    heartrate = intern("heartrate")
    cad = intern("cad")
    cadence = intern("cadence")
    power = intern("power")
    powerInWatts = intern("PowerInWatts")
    calories = intern("calories")
    capitalCalories = intern("Calories")
    flight = intern("flight")
    maxSpeed = intern("maxSpeed")
    date = intern("date")
    undated = intern("undated")
    longitude = intern("longitude")
    gpx10 = intern("http://www.topografix.com/GPX/1/0")
    gpx11 = intern("http://www.topografix.com/GPX/1/1")
    runway = GPXWriter.namespace.withCString { name in
      xmlDictLookup(parser.pointee.dict, name, CInt(strlen(name)))
    }
  }

  /// What a child of a point that is GPX's own stands for.
  @inline(__always)
  func pointField(_ local: UnsafePointer<xmlChar>) -> GPXReader.Field {
    if local == ele { return .elevation }
    if local == time { return .time }
    if local == hdop { return .hdop }
    return extensionField(local)
  }

  /// What an element of a point's extensions stands for.
  @inline(__always)
  func extensionField(_ local: UnsafePointer<xmlChar>) -> GPXReader.Field {
    if local == hr || local == heartrate { return .heartRate }
    if local == cad || local == cadence { return .cadence }
    if local == power || local == powerInWatts { return .power }
    if local == speed { return .speed }
    if local == course { return .course }
    return .ignored
  }

  func isCalories(_ local: UnsafePointer<xmlChar>) -> Bool {
    local == calories || local == capitalCalories
  }
}

/// The text of the open field, bounded.
///
/// Memory of its own, so that appending costs no more than copying.
struct FieldText {
  /// More than the longest text that is of use; what comes beyond is dropped, and the number is then refused.
  private static let capacity = DecimalParser.longestText + 1
  private let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
  private var count = 0

  var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: memory, count: count) }

  mutating func removeAll() { count = 0 }

  mutating func append(_ bytes: UnsafePointer<UInt8>, _ length: Int) {
    let taken = min(length, Self.capacity - count)
    (memory + count).update(from: bytes, count: taken)
    count += taken
  }

  func deallocate() { memory.deallocate() }
}

/// An element's name, by the addresses of libxml2's interned strings.
struct GPXElementName {
  var local: UnsafePointer<xmlChar>
  var prefix: UnsafePointer<xmlChar>?
  var uri: UnsafePointer<xmlChar>?
}

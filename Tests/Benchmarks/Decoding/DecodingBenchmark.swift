import Glibc
import RunWayIngest
import RunWayModel

/// Decodes a file and prints sums over all values, to be timed and compared with the floor programs.
@main
enum DecodingBenchmark {
  static func main() throws {
    guard CommandLine.arguments.count == 3 else {
      return fail("usage: decode-benchmark gpx|nmea FILE")
    }
    let path = CommandLine.arguments[2]
    switch CommandLine.arguments[1] {
    case "gpx": try decode(path, with: GPXDecoder())
    case "nmea": try decode(path, with: NMEADecoder())
    default: fail("unknown format \(CommandLine.arguments[1])")
    }
  }

  private static func decode(_ path: String, with decoder: some LocationDecoder) throws {
    var decoder = decoder
    var sums = Sums()
    var elements: [TrackElement] = []
    let file = open(path, O_RDONLY)
    guard file >= 0 else { return fail("cannot open \(path)") }
    defer { close(file) }
    let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 17, alignment: 16)
    defer { chunk.deallocate() }
    while true {
      let length = read(file, chunk.baseAddress, chunk.count)
      guard length > 0 else { break }
      try decoder.consume(UnsafeRawBufferPointer(rebasing: chunk[..<length]), into: &elements)
      sums.take(&elements)
    }
    try decoder.finish(into: &elements)
    sums.take(&elements)
    sums.print()
  }

  private static func fail(_ message: String) {
    let line = Array("\(message)\n".utf8)
    write(STDERR_FILENO, line, line.count)
    exit(64)
  }
}

/// Sums over all values, so that none of them can be left undecoded.
private struct Sums {
  private var count = 0
  private var latitude = 0.0
  private var longitude = 0.0
  private var altitude = 0.0
  private var heartRate = 0.0
  private var cadence = 0.0
  private var speed = 0.0
  private var time: Int64 = 0

  mutating func take(_ elements: inout [TrackElement]) {
    for element in elements {
      switch element {
      case .locations(let locations): for location in locations { add(location) }
      // A log whose first sentence has the date is never redated.
      case .began, .redated, .ended: break
      }
    }
    elements.removeAll(keepingCapacity: true)
  }

  private mutating func add(_ location: Location) {
    count += 1
    latitude += location.latitude
    longitude += location.longitude
    if let value = location.altitude { altitude += value }
    if let value = location.heartRate { heartRate += value }
    if let value = location.cadence { cadence += value }
    if let value = location.speed { speed += value }
    if let value = location.time { time &+= value.microseconds }
  }

  func print() {
    Swift.print(
      """
      {"locations":\(count),"latitude":\(latitude),"longitude":\(longitude),"altitude":\(altitude),\
      "heartRate":\(heartRate),"cadence":\(cadence),"speed":\(speed),"time":\(time)}
      """)
  }
}

import Glibc
import RunWayIngest
import RunWayModel
import RunWayTracking

/// Takes a file through the first stages of an import, to be timed and compared with the floor programs.
@main
enum PipelineBenchmark {
  static func main() throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 4 else { return exitWithUsage() }
    let path = arguments[3]
    switch (arguments[1], arguments[2]) {
    case ("gpx", "decode"): try run(path, GPXDecoder(), Sums())
    case ("nmea", "decode"): try run(path, NMEADecoder(), Sums())
    case ("gpx", "process"): try run(path, GPXDecoder(), Flown())
    case ("nmea", "process"): try run(path, NMEADecoder(), Flown())
    default: exitWithUsage()
    }
  }

  private static func run(
    _ path: String, _ decoder: some LocationDecoder, _ stage: some Stage
  ) throws {
    var decoder = decoder
    var stage = stage
    var elements: [TrackElement] = []
    let file = open(path, O_RDONLY)
    guard file >= 0 else { throw IngestError(.io(errno: errno), reason: "cannot be opened") }
    defer { close(file) }
    let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 17, alignment: 4_096)
    defer { chunk.deallocate() }
    while true {
      let length = read(file, chunk.baseAddress, chunk.count)
      guard length > 0 else { break }
      try decoder.consume(UnsafeRawBufferPointer(rebasing: chunk[..<length]), into: &elements)
      stage.take(&elements)
    }
    try decoder.finish(into: &elements)
    stage.take(&elements)
    stage.finish()
  }

  private static func exitWithUsage() {
    let usage = Array("usage: pipeline-benchmark gpx|nmea decode|process FILE\n".utf8)
    write(STDERR_FILENO, usage, usage.count)
    exit(64)
  }
}

/// Takes the locations of a file, and prints a line as JSON at its end.
private protocol Stage {
  mutating func take(_ locations: [Location])
  mutating func finish()
}

extension Stage {
  mutating func take(_ elements: inout [TrackElement]) {
    for element in elements {
      // A log whose first sentence has the date is never redated.
      if case .locations(let locations) = element { take(locations) }
    }
    elements.removeAll(keepingCapacity: true)
  }
}

/// Sums over all values, so that none of them can be left undecoded.
private struct Sums: Stage {
  private var count = 0
  private var latitude = 0.0
  private var longitude = 0.0
  private var altitude = 0.0
  private var heartRate = 0.0
  private var cadence = 0.0
  private var speed = 0.0
  private var time: Int64 = 0

  mutating func take(_ locations: [Location]) {
    for location in locations {
      count += 1
      latitude += location.latitude
      longitude += location.longitude
      if let value = location.altitude { altitude += value }
      if let value = location.heartRate { heartRate += value }
      if let value = location.cadence { cadence += value }
      if let value = location.speed { speed += value }
      if let value = location.time { time &+= value.microseconds }
    }
  }

  func finish() {
    print(
      """
      {"locations":\(count),"latitude":\(latitude),"longitude":\(longitude),"altitude":\(altitude),\
      "heartRate":\(heartRate),"cadence":\(cadence),"speed":\(speed),"time":\(time)}
      """)
  }
}

/// The arithmetic of a flight under the floor's mission.
private struct Flown: Stage {
  private var computer = FlightComputer(
    mission: Mission(
      pace: Pace(secondsPerKilometer: 330), tolerance: 15, distance: .kilometers(10)))
  private var update = FlightUpdate()

  mutating func take(_ locations: [Location]) {
    computer.process(locations, into: &update)
    update.events.removeAll(keepingCapacity: true)
    update.discards.removeAll(keepingCapacity: true)
  }

  mutating func finish() {
    let report = computer.finish(into: &update)
    let totals = report.totals
    print(
      """
      {"coordinateCount":\(totals.coordinateCount),"rawDistance":\(totals.rawDistance.meters),\
      "distance":\(totals.distance.meters),"elapsedTime":\(totals.elapsedTime ?? 0),\
      "movingTime":\(totals.movingTime ?? 0),"elevationGain":\(totals.elevationGain ?? 0),\
      "elevationLoss":\(totals.elevationLoss ?? 0),"alertCount":\(report.alerts.count)}
      """)
  }
}

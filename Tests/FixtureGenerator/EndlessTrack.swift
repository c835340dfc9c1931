import RunWayModel
import RunWaySamples

/// A run of any number of locations, for the benchmarks: the ten kilometres, lap after lap.
struct EndlessTrack {
  let count: Int
  private let flight: SampleFlight

  /// Makes a track; each number has another day and another runner's chance.
  init(count: Int, number: Int = 0) {
    self.count = count
    var flight = SampleFlight.tenKilometers
    let lap = flight.run.stages
    // A lap takes well over 3,000 s.
    flight.run.stages = (0...(count / 3_000)).flatMap { _ in lap }
    flight.run.seed &+= UInt64(number)
    flight.run.start = flight.run.start.shifted(
      byMicroseconds: Int64(number) * Timestamp.microsecondsPerDay)
    self.flight = flight
  }

  func writeGPX(to output: Output) {
    var writer = GPXText()
    writer.beginTrack(flight.info)
    writer.beginSegment()
    for location in flight.run.prefix(count) {
      writer.writePoint(location)
      flush(writer.text.bytes.count) { output.write(writer.drain()) }
    }
    writer.endSegment()
    writer.endTrack()
    writer.end()
    output.write(writer.drain())
  }

  func writeNMEA(to output: Output) {
    // Five sentences an epoch; the speed stands in RMC.
    var writer = NMEAText([.rmc, .gga, .gsa, .gsv])
    for location in flight.withSpeed.run.prefix(count) {
      writer.writeEpoch(location)
      flush(writer.text.bytes.count) { output.write(writer.drain()) }
    }
    output.write(writer.drain())
  }

  private func flush(_ pending: Int, _ write: () -> Void) {
    if pending > 1 << 20 { write() }
  }
}

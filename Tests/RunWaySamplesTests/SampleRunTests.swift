import RunWayModel
import RunWaySamples
import Testing

@Suite struct `Sample runs` {
  @Test func `draw from SplitMix64`() {
    // The published reference implementation's first outputs for the seed 1234567.
    var generator = SeededGenerator(seed: 1_234_567)
    #expect(generator.next() == 6_457_827_717_110_365_317)
    #expect(generator.next() == 3_203_168_211_198_807_973)
    #expect(generator.next() == 9_817_491_932_198_370_423)
  }

  @Test func `draw normal numbers of mean 0 and deviation 1`() {
    var generator = SeededGenerator(seed: 1)
    let numbers = (0..<100_000).map { _ in generator.normal() }
    let mean = numbers.reduce(0, +) / 100_000
    let variance = numbers.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / 100_000
    // Four standard errors: 4/√100000 for the mean, 4·√(2/100000) for the variance.
    #expect(abs(mean) < 0.0127)
    #expect(abs(variance - 1) < 0.0179)
  }

  @Test(arguments: SampleFlight.all)
  func `are the same each time`(flight: SampleFlight) {
    let locations = flight.locations
    let allAreValid = locations.allSatisfy { $0.isValid }
    #expect(locations == flight.locations)
    #expect(allAreValid)
  }

  @Test func `differ by seed`() {
    var run = SampleFlight.dateLine.run
    let before = Array(run)
    run.seed += 1
    #expect(Array(run) != before)
  }

  @Test func `keep to their pace`() {
    var run = SampleRun(
      course: SampleCourse(latitude: 50, longitude: 8), start: Timestamp(microseconds: 0),
      stages: [.run(.kilometers(5), at: Pace(secondsPerKilometer: 300))])
    run.unsteadiness = 0
    // 1500 s, and 1.5 s that the start from rest costs: 1 + 0.6 + 0.36 + … = 2.5 steps short of full
    // speed, of which the first location has none to make.
    #expect(abs(Array(run).count - 1_502) <= 1)
  }

  @Test func `run as far as the local radii of curvature say`() throws {
    var run = SampleRun(
      course: SampleCourse(latitude: 60, longitude: 20, heading: 0, lapLength: 1e12),
      start: Timestamp(microseconds: 0),
      stages: [.run(.meters(1_000), at: Pace(secondsPerKilometer: 250))])
    run.unsteadiness = 0
    let locations = Array(run)
    let last = try #require(locations.last)
    // A degree of the meridian at 60° N is 111,412 m long (WGS 84). The course meanders by 30° to
    // either side, so that the way north is shorter by the mean cosine, J₀(π/6) = 0.9326.
    let north = (last.latitude - 60) * 111_412
    #expect(abs(north - 1_000 * 0.9326) < 15)
  }

  @Test func `know what they measure apart from what is run`() {
    var run = SampleFlight.tenKilometers.run
    let without = Array(run)
    run.measuresSpeed = true
    let with = Array(run)
    let samePlaces = zip(with, without).allSatisfy { pair in
      pair.0.latitude == pair.1.latitude && pair.0.longitude == pair.1.longitude
    }
    #expect(with.count == without.count)
    #expect(samePlaces)
    let complete = with.allSatisfy { $0.speed != nil && $0.course != nil && $0.hdop != nil }
    #expect(complete)
  }

  @Test func `begin a segment after each pause, and stand where they are told`() {
    let locations = SampleFlight.stops.locations
    let segments = Set(locations.map { $0.segment })
    #expect(segments == [0, 1])
    let still = zip(locations, locations.dropFirst()).count { pair in
      pair.0.latitude == pair.1.latitude && pair.0.longitude == pair.1.longitude
    }
    // 45 s less the 7 that it takes to slow down from 2.9 m/s, and the step over the pause.
    #expect((38...41).contains(still))
  }

  @Test func `are off by the noise they are given`() {
    var run = SampleFlight.noisyWatch.run
    let noisy = Array(run)
    run.positionNoise = .none
    let errors = zip(noisy, run).map { ($0.latitude - $1.latitude) * 111_000 }
    let deviation = (errors.reduce(0) { $0 + $1 * $1 } / Double(errors.count)).squareRoot()
    // 3 m, of which a run of five correlation times shows but a rough sample.
    #expect((1...6).contains(deviation))
  }
}

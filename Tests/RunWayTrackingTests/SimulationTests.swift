import RunWayModel
import RunWayTracking
import Testing

@Suite struct SimulationTests {
  private let mission = Mission(pace: Pace(secondsPerKilometer: 330), tolerance: 15)

  @Test(arguments: RunSimulator.Receiver.allCases)
  func `ten kilometres at constant pace give at most two false alerts in the median run`(
    receiver: RunSimulator.Receiver
  ) {
    let simulator = RunSimulator(receiver: receiver)
    let counts = (1...20).map { seed in
      fly(simulator.run([(3_300, 330)], seed: seed), mission: mission).report.alerts.count
    }.sorted()
    print("false alerts, \(receiver):", counts)
    #expect(Double(counts[9] + counts[10]) / 2 <= 2)
  }

  @Test(arguments: RunSimulator.Receiver.allCases)
  func `a slowdown of 30 s a kilometre is called within 45 s in 95 of 100 runs`(
    receiver: RunSimulator.Receiver
  ) {
    let simulator = RunSimulator(receiver: receiver)
    let slowdown = 900.0
    let delays = (1...100).map { seed -> Double in
      let track = simulator.run([(900, 330), (180, 360), (300, 330)], seed: 1_000 + UInt64(seed))
      // A call before the slowdown is a false one, and none for it.
      let calls = fly(track, mission: mission).update.events.compactMap { event -> Double? in
        guard case .callout(let callout) = event, callout.state == .sinkRate else { return nil }
        return callout.timestamp?.seconds(since: Track.start)
      }
      return calls.first { $0 >= slowdown }.map { $0 - slowdown } ?? .infinity
    }.sorted()
    let inTime = delays.count { $0 <= 45 }
    print("called in time, \(receiver):", inTime, "median", delays[50], "95th", delays[94])
    #expect(inTime >= 95)
  }
}

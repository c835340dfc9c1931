// example:embedding
import RunWayIngest
import RunWayLogbook
import RunWayModel
import RunWayTracking

@MainActor
func record(_ path: String, mission: Mission?, in logbook: Logbook) async throws -> FlightReport {
  let center = RunningCenter()
  await center.takeoff(mission: mission)
  var flown: [Location] = []
  var discards: [Discard] = []
  for try await elements in try ByteChunks(path: path).async().tracks() {
    for case .locations(let batch) in elements {
      let update = await center.process(batch)  // its events: callouts and alerts
      discards += update.discards
      flown += batch
    }
  }
  let (last, report) = await center.touchdown()
  let flight = NewFlight(source: FlightSource(path: path), mission: mission)
  try logbook.store(flight, locations: flown, discards: discards + last.discards, report: report)
  return report
}
// example:end

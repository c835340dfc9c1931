// example:embedding
import RunWayIngest
import RunWayLogbook
import RunWayModel
import RunWayTracking

@MainActor
func record(_ path: String, mission: Mission?, in logbook: Logbook) async throws {
  let center = RunningCenter()
  for try await track in try ByteChunks(path: path).async().tracks() {
    await center.takeoff(mission: mission)
    let flown = await center.process(track.locations)  // its events: callouts and alerts
    let (last, report) = await center.touchdown()
    try logbook.store(
      NewFlight(source: FlightSource(path: path), mission: mission), locations: track.locations,
      discards: flown.discards + last.discards, report: report, info: track.info)
  }
}
// example:end

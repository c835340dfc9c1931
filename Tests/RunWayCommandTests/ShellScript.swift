/// Runs a shell script in which `$RUNWAY` is the command and `$1` a folder, which holds the logbook and `$TMPDIR`.
func script(
  _ text: String, folder: TemporaryFolder, ownMounts: Bool = false
) async throws -> (status: Int32?, lines: [String], standardError: String) {
  let shell = ["/bin/sh", "-c", text, "sh", folder.path]
  let command = ownMounts ? ["/usr/bin/unshare", "-rm"] + shell : shell
  let process = try RunningProcess(
    Array(command.dropFirst()), program: command[0],
    environment: [
      "RUNWAY": RunwayProcess.executable, "RUNWAY_LOGBOOK": folder.path("logbook.sqlite"),
      "RUN": Fixture.path("ten-kilometres.nmea"), "STOPS": Fixture.path("stops.gpx"),
      "TMPDIR": folder.path,
    ])
  process.closeInput()
  let status = await process.end()
  return (status, process.lines.map(\.text), process.standardError)
}

internal import RunWayLogbook

extension CommandSpec {
  static let backup = CommandSpec(
    "backup", operands: "FILE", .path, operandCount: 1...1,
    summary: "copy the logbook into a file, also while a flight is in the air",
    discussion: """
      The copy is a logbook like the original, as of one moment.

        runway backup ~/backups/logbook.sqlite
      """,
    run: { invocation in
      let settings = try Settings(invocation)
      let logbook = try settings.openForReading()
      try logbook.backup(to: invocation.operands[0])
      let copy = try Logbook(.file(invocation.operands[0]), readOnly: true).info()
      if settings.json {
        try StandardOutput.shared.printJSON { json in
          json.object { json in json.members(of: copy) }
        }
      } else {
        try StandardOutput.shared.write(
          "copied \(Plural.of(copy.flightCount, "flight")) to \(invocation.operands[0])\n")
      }
      return .success
    })
}

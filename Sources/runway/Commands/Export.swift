internal import RunWayLogbook
internal import RunWayModel

extension CommandSpec {
  private static let format = OptionSpec(
    "format", argument: "FORMAT", values: .oneOf(ExportFormat.allCases.map(\.rawValue)),
    help: "gpx (default), geojson, csv, json or logbook")
  private static let output = OptionSpec(
    "output", letter: "o", argument: "FILE", values: .file, help: "write to FILE instead of stdout")
  private static let all = OptionSpec("all", help: "all flights, oldest first")

  static let export = CommandSpec(
    "export", operands: "[FLIGHT…]", .flight, operandCount: 0...Int.max,
    summary: "write flights as GPX, GeoJSON, CSV, JSON or a logbook of their own",
    discussion: """
      All valid locations are given back, in the source's own segments. A GPX file that was
      exported is recognised when it is imported. A file that is there is replaced once the
      new one is complete; a logbook is replaced by a logbook alone. --json is short for
      --format json.

        runway export latest > run.gpx
        runway export --all --format csv -o runs.csv
        runway export latest --format logbook -o run.runway
      """,
    options: [format, output, all],
    run: { invocation in
      let settings = try Settings(invocation)
      let format = try exportFormat(invocation)
      let path = invocation.value(output).flatMap { $0 == "-" ? nil : $0 }
      guard invocation.has(all) != !invocation.operands.isEmpty else {
        throw UsageError("name the flights, or --all of them")
      }
      let logbook = try settings.openForReading()
      return try logbook.snapshot {
        let flights =
          try invocation.has(all)
          ? logbook.flights(sort: .oldestFirst)
          : invocation.operands.map { try logbook.flight(matching: $0) }
        if format == .logbook {
          guard let path else { throw UsageError("a logbook is written to a file: -o FILE") }
          try logbook.exportDocument(flights.map(\.id), to: path)
          return .success
        }
        if let path { try refuseLogbook(path, settings: settings) }
        let sink = try ExportSink(path: path)
        switch format {
        case .gpx: try GPXExport(logbook: logbook, sink: sink).write(flights)
        case .geojson: try GeoJSONExport(logbook: logbook, sink: sink).write(flights)
        case .csv: try CSVExport(logbook: logbook, sink: sink).write(flights)
        case .json, .logbook:
          let asArray = invocation.has(all) || flights.count > 1
          try JSONExport(logbook: logbook, sink: sink).write(flights, asArray: asArray)
        }
        try sink.finish()
        return .success
      }
    })

  private static func exportFormat(_ invocation: Invocation) throws(UsageError) -> ExportFormat {
    let named = try invocation.choice(format, of: ExportFormat.self)
    guard invocation.has(.json) else { return named ?? .gpx }
    if let named, named != .json {
      throw UsageError(
        "--json means --format json, and does not go with --format \(named.rawValue)")
    }
    return .json
  }

  /// Refuses to put a track in the place of a logbook, or of a file that SQLite keeps beside one.
  @MainActor private static func refuseLogbook(_ path: String, settings: Settings) throws {
    if try settings.isPartOfLogbook(path) {
      throw CommandError("\(path) is the logbook itself", status: .inputOutput)
    }
    if TrackInput(name: path, path: path).isDatabase {
      throw CommandError(
        "\(path) is not replaced: it is a logbook or another SQLite database",
        status: .inputOutput)
    }
  }
}

private enum ExportFormat: String, CaseIterable {
  case gpx, geojson, csv, json, logbook
}

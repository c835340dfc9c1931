internal import RunWayLogbook
internal import RunWayModel

extension CommandSpec {
  private static let repair = OptionSpec(
    "repair", help: "compute again what does not agree with the coordinates")

  static let check = CommandSpec(
    "check", summary: "check the logbook: the file, the relations, every flight's totals",
    discussion: """
      Every flight is flown again; its totals, splits, best efforts and alerts, and which
      coordinates count, are compared with what is stored. --repair puts what was computed
      in its place, and removes what belongs to no flight. The status is 65 where anything
      stays wrong; a damaged file is left as it is.

        runway check --repair
      """,
    options: [repair],
    run: { invocation in
      let settings = try Settings(invocation)
      let repairs = invocation.has(repair)
      let logbook = try repairs ? settings.openForWriting() : settings.openForReading()
      var check = LogbookCheck(logbook: logbook, repairs: repairs)
      try check.run()
      try settings.json ? check.printJSON() : check.print()
      return check.findings.allSatisfy(\.isRepaired) ? .success : .badData
    })
}

/// Checks a logbook, and mends what can be mended.
@MainActor private struct LogbookCheck {
  struct Finding {
    var flight: FlightID?
    var text: String
    var isRepaired = false
  }

  let logbook: Logbook
  let repairs: Bool
  private(set) var findings: [Finding] = []
  private var flightCount = 0
  private var isFileDamaged = false

  init(logbook: Logbook, repairs: Bool) {
    self.logbook = logbook
    self.repairs = repairs
  }

  mutating func run() throws {
    let faults = try logbook.check()
    isFileDamaged = faults.contains { $0.kind == .file }
    let hasOrphans = faults.contains { $0.kind == .orphans }
    if repairs && hasOrphans { try logbook.removeOrphans() }
    for fault in faults where fault.kind != .totals {
      findings.append(
        Finding(
          flight: fault.flightID, text: fault.text,
          isRepaired: repairs && fault.kind == .orphans))
    }
    guard !isFileDamaged else { return }
    let flights = try logbook.flights(sort: .oldestFirst)
    flightCount = flights.count
    for flight in flights where !flight.live && !flight.interrupted {
      try check(flight, fault: faults.first { $0.kind == .totals && $0.flightID == flight.id })
    }
  }

  private mutating func check(_ flight: Flight, fault: LogbookFault?) throws {
    let result = try FlightRecovery.flyAgain(flight, in: logbook, mission: flight.mission)
    var differences = try FlightComparison(flight, result, in: logbook).differences
    // Mostly it is found again, and said better, by flying again; not where a verdict is no word of ours.
    if differences.isEmpty, let fault { differences = [fault.text] }
    guard !differences.isEmpty else { return }
    if repairs {
      try logbook.repair(flight.id, report: result.report, discards: result.discards)
    }
    findings += differences.map { Finding(flight: flight.id, text: $0, isRepaired: repairs) }
  }

  func printJSON() throws {
    try StandardOutput.shared.printJSON { json in
      json.object { json in
        json.member("flightCount", flightCount)
        json.key("findings")
        json.array(findings) { json, finding in
          json.object { json in
            json.member("flightID", finding.flight?.rawValue)
            json.member("finding", finding.text)
          }
        }
        json.member("repaired", findings.count(where: \.isRepaired))
      }
    }
  }

  func print() throws {
    for finding in findings {
      let prefix = finding.flight.map { "\($0.rawValue.prefix(8)): " } ?? ""
      try StandardOutput.shared.write(TextWidth.printable("\(prefix)\(finding.text)") + "\n")
    }
    if isFileDamaged {
      return try StandardOutput.shared.write(
        "the logbook is damaged; restore it from a backup\n")
    }
    var verdict = "all is well"
    if !findings.isEmpty {
      verdict = Plural.of(findings.count, "finding")
      if repairs { verdict += ", \(findings.count(where: \.isRepaired)) repaired" }
    }
    try StandardOutput.shared.write("checked \(Plural.of(flightCount, "flight")): \(verdict)\n")
  }
}

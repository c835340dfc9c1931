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
      in its place, removes what belongs to no flight, and makes indexes and views anew
      that are missing or not as they should be. A flight whose coordinates are not those
      that were recorded keeps its totals, and a damaged file is left as it is. A flight
      that has not touched down is not checked. The status is 65 where anything stays
      wrong.

        runway check --repair
      """,
    options: [repair],
    run: { invocation in
      let settings = try Settings(invocation)
      let repairs = invocation.has(repair)
      var logbook = try settings.openForReading()
      if logbook.isMissing, !settings.json {
        try StandardOutput.shared.write("there is no logbook yet, and nothing to check\n")
        return .success
      }
      if repairs, !logbook.isMissing { logbook = try settings.openForWriting() }
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

  /// Why a flight is not checked.
  enum SkipReason: String {
    case live, interrupted

    var text: String {
      switch self {
      case .live: "is being flown, and was not checked"
      case .interrupted: "was interrupted and is not complete yet, and was not checked"
      }
    }
  }

  let logbook: Logbook
  let repairs: Bool
  private(set) var findings: [Finding] = []
  private var skipped: [(flight: FlightID, reason: SkipReason)] = []
  private var flightCount = 0
  /// What to do about a file in which nothing else was looked at.
  private var advice: String?

  init(logbook: Logbook, repairs: Bool) {
    self.logbook = logbook
    self.repairs = repairs
  }

  mutating func run() throws {
    // Repairing takes one transaction a flight, so that other writers get their turn.
    if repairs { try checkAll() } else { try logbook.snapshot { try checkAll() } }
  }

  private mutating func checkAll() throws {
    var faults = try logbook.check()
    if repairs, try rebuildIndexes(faults) { faults = try logbook.check() }
    if faults.contains(where: { $0.kind == .file }) {
      advice = "the logbook is damaged; restore it from a backup"
    } else if faults.contains(where: { $0.kind == .index }) {
      advice =
        repairs
        ? "the logbook is damaged; restore it from a backup"
        : "runway check --repair makes indexes anew, and then checks the rest"
    }
    if repairs && faults.contains(where: { $0.kind == .orphans }) { try logbook.removeOrphans() }
    for fault in faults where fault.kind != .totals {
      findings.append(
        Finding(
          flight: fault.flightID, text: fault.text,
          isRepaired: repairs && fault.kind == .orphans))
    }
    guard advice == nil else { return }
    for flight in try logbook.flights(sort: .oldestFirst) {
      if repairs {
        try logbook.exclusively { try check(flight.id) }
      } else {
        try check(flight.id)
      }
    }
    if repairs { try restoreSchema(faults) }
  }

  /// Makes indexes and views anew; last, for an index may need rows that were mended.
  private mutating func restoreSchema(_ faults: [LogbookFault]) throws {
    guard faults.contains(where: { $0.kind == .schema }) else { return }
    let mended = Set(faults.filter { $0.kind == .schema }).subtracting(try logbook.restoreSchema())
    for index in findings.indices where mended.contains(where: { $0.text == findings[index].text })
    {
      findings[index].isRepaired = true
    }
  }

  /// Makes the indexes anew that are found fault with.
  ///
  /// - Returns: Whether there were any, and they are well now.
  private mutating func rebuildIndexes(_ faults: [LogbookFault]) throws -> Bool {
    let faults = faults.filter { $0.kind == .index }
    guard !faults.isEmpty else { return false }
    do throws(LogbookError) {
      try logbook.rebuildIndexes()
    } catch {
      // More is damaged than SQLite could tell while the indexes hid it.
      if error.code == .corrupt { return false }
      throw error
    }
    findings += faults.map { Finding(text: $0.text, isRepaired: true) }
    return true
  }

  private mutating func check(_ id: FlightID) throws {
    // As it is by now: where others write meanwhile, it may be another, or gone.
    guard let flight = try logbook.flight(id) else { return }
    if flight.live || flight.interrupted {
      skipped.append((id, flight.live ? .live : .interrupted))
      return
    }
    flightCount += 1
    let result = try FlightRecovery.flyAgain(flight, in: logbook, mission: flight.mission)
    let comparison = try FlightComparison(flight, result, in: logbook)
    var differences = comparison.differences
    // Mostly it is found again, and said better, by flying again; not where a verdict is no word of ours.
    if differences.isEmpty, let fault = try logbook.countFault(of: id) {
      differences = [fault.text]
    }
    guard !differences.isEmpty else { return }
    let mends = repairs && comparison.hasRecordedCoordinates
    if mends {
      try logbook.repair(flight.id, report: result.report, discards: result.discards)
    }
    findings += differences.map { Finding(flight: id, text: $0, isRepaired: mends) }
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
        json.key("skipped")
        json.array(skipped) { json, skipped in
          json.object { json in
            json.member("flightID", skipped.flight.rawValue)
            json.member("reason", skipped.reason.rawValue)
          }
        }
      }
    }
  }

  func print() throws {
    for finding in findings {
      let prefix = finding.flight.map { "\($0.rawValue.prefix(8)): " } ?? ""
      try StandardOutput.shared.write(TextWidth.printable("\(prefix)\(finding.text)") + "\n")
    }
    for (flight, reason) in skipped {
      try StandardOutput.shared.write("\(flight.rawValue.prefix(8)): \(reason.text)\n")
    }
    if let advice { return try StandardOutput.shared.write(advice + "\n") }
    var verdict = "all is well"
    if !findings.isEmpty {
      verdict = Plural.of(findings.count, "finding")
      if repairs { verdict += ", \(findings.count(where: \.isRepaired)) repaired" }
    }
    try StandardOutput.shared.write("checked \(Plural.of(flightCount, "flight")): \(verdict)\n")
  }
}

internal import RunWayLogbook
internal import RunWayModel

extension CommandSpec {
  private static let repair = OptionSpec(
    "repair", help: "compute again what does not agree with the coordinates")

  static let check = CommandSpec(
    "check", summary: "check the logbook: the file, the relations, every flight's totals",
    discussion: """
      Every flight is flown again, and its totals, splits and alerts are compared with the
      stored ones. --repair puts the computed ones in their place.

        runway check --repair
      """,
    options: [repair],
    run: { invocation in
      let settings = try Settings(invocation)
      let repairs = invocation.has(repair)
      let logbook = try repairs ? settings.openForWriting() : settings.openForReading()
      var findings = try logbook.check().map { (flight: FlightID?.none, text: $0) }
      var repaired = 0
      let flights = try logbook.flights(sort: .oldestFirst)
      for flight in flights where !flight.live && !flight.interrupted {
        let result = try FlightRecovery.flyAgain(flight, in: logbook, mission: flight.mission)
        let differences = try logbook.differences(flight, from: result.report)
        for text in differences { findings.append((flight.id, text)) }
        if repairs && !differences.isEmpty {
          try logbook.repair(flight.id, report: result.report, discards: result.discards)
          repaired += 1
        }
      }
      if settings.json {
        try StandardOutput.shared.printJSON { json in
          json.object { json in
            json.member("flightCount", flights.count)
            json.key("findings")
            json.array(findings) { json, finding in
              json.object { json in
                json.member("flightID", finding.flight?.rawValue)
                json.member("finding", finding.text)
              }
            }
            json.member("repaired", repaired)
          }
        }
      } else {
        for finding in findings {
          let prefix = finding.flight.map { "\($0.rawValue.prefix(8)): " } ?? ""
          try StandardOutput.shared.write("\(prefix)\(finding.text)\n")
        }
        let verdict =
          findings.isEmpty
          ? "all is well"
          : Plural.of(findings.count, "finding") + (repairs ? ", \(repaired) repaired" : "")
        try StandardOutput.shared.write(
          "checked \(Plural.of(flights.count, "flight")): \(verdict)\n")
      }
      let isSound = findings.allSatisfy { $0.flight != nil } && (findings.isEmpty || repairs)
      return isSound ? .success : .badData
    })
}

extension Logbook {
  /// Says what of a stored flight differs from what its coordinates amount to.
  fileprivate func differences(
    _ flight: Flight, from report: FlightReport
  ) throws -> [String] {
    var differences: [String] = []
    func compare<Value: Equatable>(_ name: String, _ stored: Value?, _ computed: Value?) {
      guard stored != computed else { return }
      let was = stored.map { "\($0)" } ?? "nothing"
      let now = computed.map { "\($0)" } ?? "nothing"
      differences.append("\(name) is stored as \(was), and computed as \(now)")
    }
    let stored = flight.totals
    let computed = report.totals
    compare("distance", stored.distance.meters, computed.distance.meters)
    compare("rawDistance", stored.rawDistance.meters, computed.rawDistance.meters)
    compare("startedAt", stored.startedAt?.iso8601, computed.startedAt?.iso8601)
    compare("endedAt", stored.endedAt?.iso8601, computed.endedAt?.iso8601)
    compare("elapsedTime", stored.elapsedTime, computed.elapsedTime)
    compare("movingTime", stored.movingTime, computed.movingTime)
    compare("elevationGain", stored.elevationGain, computed.elevationGain)
    compare("elevationLoss", stored.elevationLoss, computed.elevationLoss)
    compare("heartRate", stored.heartRate, computed.heartRate)
    compare("cadence", stored.cadence, computed.cadence)
    compare("coordinateCount", stored.coordinateCount, computed.coordinateCount)
    compare("segmentCount", stored.segmentCount, computed.segmentCount)
    for reason in DiscardReason.allCases {
      compare("discarded.\(reason.rawValue)", stored.discarded[reason], computed.discarded[reason])
    }
    let alerts = try alerts(of: flight.id)
    if alerts != report.alerts {
      differences.append(
        "alerts are stored as \(alerts.count), and computed as \(report.alerts.count), or not the same"
      )
    }
    if try splits(of: flight.id, unit: .kilometer) != report.kilometerSplits {
      differences.append("splits differ from the computed ones")
    }
    if try bestEfforts(of: flight.id) != report.bestEfforts {
      differences.append("best efforts differ from the computed ones")
    }
    return differences
  }
}

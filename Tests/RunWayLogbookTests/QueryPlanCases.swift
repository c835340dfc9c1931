import RunWayModel

@testable import RunWayLogbook

/// The calls whose queries are explained.
extension QueryPlanTests {
  nonisolated private static let moment = Samples.start
  nonisolated private static let id = FlightID(rawValue: "a")
  nonisolated private static let tempo = Mission(pace: Pace(secondsPerKilometer: 300))

  /// Stores two flights that have all that a flight can have.
  static func fill(_ logbook: Logbook) throws {
    try logbook.saveMission(tempo, named: "Tempo")
    let transaction = try logbook.beginImport()
    for (name, seed) in [("a", 1.0), ("b", 2)] {
      let locations = Samples.locations(20, seed: seed)
      let report = Samples.report(locations, alerts: [Samples.alert(0)])
      _ = try transaction.store(
        NewFlight(id: FlightID(rawValue: name), mission: tempo, missionName: "Tempo"),
        locations: locations, report: report, rejected: ["checksum": 2])
    }
    try transaction.commit()
    try logbook.tag(id, ["hills", "race"])
  }

  nonisolated private static func filter(
    _ change: (inout FlightFilter) -> Void
  ) -> FlightFilter {
    var filter = FlightFilter()
    change(&filter)
    return filter
  }

  nonisolated private static func flights(
    _ name: String, sort: FlightSort = .newestFirst, uses: [String] = [], sorts: String? = nil,
    scans: [String: String] = [:], _ change: @Sendable (inout FlightFilter) -> Void = { _ in }
  ) -> Case {
    let filter = filter(change)
    return Case("flights: \(name)", uses: uses, sorts: sorts, scans: scans) { logbook in
      _ = try logbook.flights(where: filter, sort: sort, limit: 10)
    }
  }

  nonisolated static let reads: [Case] = [
    flights("newest", uses: ["flightByStart"]),
    flights(
      "since", uses: ["SEARCH flight USING INDEX flightByStart (startedAt>?)"]
    ) { $0.since = moment },
    flights(
      "until, oldest", sort: .oldestFirst,
      uses: ["SEARCH flight USING INDEX flightByStart (startedAt<?)"]
    ) { $0.until = moment },
    flights("longest", sort: .longestFirst, uses: ["flightByDistance"]),
    flights(
      "long, longest", sort: .longestFirst,
      uses: ["SEARCH flight USING INDEX flightByDistance (distance>?)"]
    ) { $0.minimumDistance = .zero },
    flights("long") { $0.minimumDistance = .zero },
    flights("short") { $0.maximumDistance = .zero },
    flights(
      "fastest", sort: .fastestFirst, uses: ["flightByPace"],
      scans: ["flight": "those without a pace come last, in the order of the primary key"]),
    flights(
      "faster than, fastest", sort: .fastestFirst,
      uses: ["SEARCH flight USING INDEX flightByPace (pace>? AND pace<?)"],
      sorts: "only those without a pace, of which none is fast"
    ) { $0.slowestPace = tempo.pace },
    flights(
      "faster than", uses: ["flightByPace"], sorts: "few are as fast as is asked for"
    ) { $0.slowestPace = tempo.pace },
    flights(
      "slowest", sort: .fastestFirst.reversed, uses: ["flightByPace"],
      scans: ["flight": "those without a pace come last, in the order of the primary key"]),
    flights("shortest", sort: .longestFirst.reversed, uses: ["flightByDistance"]),
    flights("slower than") { $0.fastestPace = tempo.pace },
    flights("by name", sort: FlightSort(.name), sorts: "the index folds ASCII alone"),
    flights(
      "as stored", sort: FlightSort(.stored),
      scans: ["flight": "all are asked for, in the order of the primary key"]),
    flights(
      "with a tag",
      uses: ["SEARCH flightTag USING COVERING INDEX flightTagByTag (tag=?)"],
      sorts: "they are found by the tag", scans: ["tag": "the index folds ASCII alone"]
    ) { $0.tag = "hills" },
    flights(
      "of a mission", uses: ["flightByMission"], sorts: "they are found by the mission"
    ) { $0.mission = "Tempo" },
    flights("with a part in the name") { $0.name = "run" },
    flights("with a mission") { $0.mode = .modeA },
    flights("free") { $0.mode = .modeB },
    flights("touched down") { $0.touchedDown = true },
    Case("one flight") { _ = try $0.flight(id) },
    Case("latest flight", uses: ["flightByStart"]) { _ = try $0.flight(matching: "latest") },
    Case(
      "flight by prefix",
      uses: ["SEARCH flight USING COVERING INDEX sqlite_autoindex_flight_1 (id>? AND id<?)"]
    ) { _ = try $0.flight(matching: "a") },
    Case("count") { _ = try $0.flightCount() },
    Case("count of a month", uses: ["flightByStart (startedAt>?"]) {
      _ = try $0.flightCount(where: filter { $0.since = moment })
    },
    Case("splits", uses: ["SEARCH split USING PRIMARY KEY (flight=? AND unit=?)"]) {
      _ = try $0.splits(of: id, unit: .mile)
    },
    Case("best efforts of a flight", uses: ["SEARCH bestEffort USING PRIMARY KEY (flight=?)"]) {
      _ = try $0.bestEfforts(of: id)
    },
    Case(
      "best efforts", uses: ["SEARCH bestEffort USING INDEX bestEffortByTime (name=?)"]
    ) { _ = try $0.bestEfforts() },
    Case(
      "best efforts of a month",
      uses: ["SEARCH bestEffort USING INDEX bestEffortByTime (name=?)"]
    ) { _ = try $0.bestEfforts(where: filter { $0.since = moment }) },
    Case(
      "coordinates", uses: ["SEARCH coordinate USING PRIMARY KEY (flight=? AND order>?)"]
    ) { try $0.forEachCoordinateBatch(of: id) { _ in } },
    Case(
      "all alerts", scans: ["alert": "all are asked for, in the order of the primary key"]
    ) { _ = try $0.alerts() },
    Case(
      "alerts of a month",
      uses: ["SEARCH alert USING PRIMARY KEY (timestamp>? AND timestamp<?)"]
    ) { _ = try $0.alerts(where: AlertFilter(since: moment, until: moment)) },
    Case(
      "alerts of a state",
      uses: ["SEARCH alert USING INDEX alertByState (state=? AND timestamp>?)"]
    ) { _ = try $0.alerts(where: AlertFilter(since: moment, state: .sinkRate)) },
    Case(
      "alerts of a flight, newest first",
      uses: ["SEARCH alert USING INDEX alertByFlight (flight=?)"],
      sorts: "a flight has few, found by their numbers"
    ) { _ = try $0.alerts(where: AlertFilter(flight: id)) },
    Case(
      "alerts of a flight", uses: ["SEARCH alert USING INDEX alertByFlight (flight=?)"],
      sorts: "a flight has few, found by their numbers"
    ) {
      _ = try $0.alerts(of: id)
    },
    Case("alert counts", uses: ["SEARCH alert USING COVERING INDEX alertByState (state=?)"]) {
      _ = try $0.alertCounts()
    },
    Case(
      "alert counts of a month",
      uses: ["SEARCH alert USING COVERING INDEX alertByState (state=? AND timestamp>?)"]
    ) { _ = try $0.alertCounts(where: AlertFilter(since: moment)) },
    Case(
      "alert counts of a flight", uses: ["SEARCH alert USING INDEX alertByFlight (flight=?)"],
      sorts: "a flight has few, found by their numbers"
    ) { _ = try $0.alertCounts(where: AlertFilter(flight: id)) },
    Case("totals", uses: ["flightByStart"]) { _ = try $0.totals() },
    Case(
      "totals of a month",
      uses: [
        "SEARCH flight USING INDEX flightByStart (startedAt>?",
        "SEARCH alert USING COVERING INDEX alertByFlight (flight=?)",
      ]
    ) { _ = try $0.totals(since: moment) },
    Case(
      "tags", sorts: "the index folds ASCII alone", scans: ["tag": "all are asked for"]
    ) { _ = try $0.tags() },
    Case(
      "missions", sorts: "the index folds ASCII alone", scans: ["mission": "all are asked for"]
    ) { _ = try $0.missions() },
    Case("a mission") { _ = try $0.mission(named: "tempo") },
    Case("interrupted flights", uses: ["flightInTheAir"]) { _ = try $0.interruptedFlights() },
    Case("flights in the air", uses: ["flightInTheAir"]) { _ = try $0.airborneFlights() },
    Case("fingerprint") { _ = try $0.fingerprint(of: id) },
    Case(
      "information",
      scans: [
        "flight": "its sums spare a count of all coordinates", "alert": "they are counted",
        "tag": "they are counted",
      ]
    ) { _ = try $0.info() },
    Case(
      "check",
      scans: Dictionary(
        uniqueKeysWithValues: [
          "coordinate", "flight", "alert", "split", "rejected", "sqlite_schema",
        ].map { ($0, "each row is looked at") })
    ) { _ = try $0.check() },
  ]

  nonisolated static let writes: [Case] = [
    Case("edit") { try $0.edit(id, [.name: "n", .notes: "n", .type: "t"]) },
    Case("delete") { try $0.delete([id]) },
    Case("judge anew") {
      try $0.rejudge(
        id, mission: tempo, missionName: "tempo", options: FlightOptions(),
        report: Samples.report(Samples.locations(20)), discards: [])
    },
    Case("repair") {
      try $0.repair(
        id, report: Samples.report(Samples.locations(20)),
        discards: [Discard(order: 1, reason: .spike)])
    },
    Case(
      "remove orphans",
      scans: Dictionary(
        uniqueKeysWithValues: ["coordinate", "alert", "split", "rejected"].map {
          ($0, "each row is looked at")
        })
    ) { try $0.removeOrphans() },
    Case("take off a tag") { try $0.untag(id, "race") },
    Case("delete a tag") { try $0.deleteTag("race") },
    Case("rename a tag") { try $0.renameTag("hills", to: "Hills") },
    Case("rename a mission") { try $0.renameMission("Tempo", to: "tempo") },
    Case("change a mission") { try $0.saveMission(tempo, named: "TEMPO") },
    Case("delete a mission") { try $0.deleteMission(named: "Tempo") },
    Case("weight") {
      try $0.setWeight(70)
      try $0.setWeight(nil)
    },
    Case("import of many locations") { logbook in
      let transaction = try logbook.beginImport()
      try transaction.beginFlight(NewFlight())
      let locations = Samples.locations(ImportTransaction.heldBack + 1, seed: 3)
      try transaction.append(locations, discards: [Discard(order: 1, reason: .spike)])
      _ = try transaction.finishFlight(report: Samples.report(locations))
      try transaction.keepInput(format: .gpx)
      try transaction.commit()
    },
    Case("live flight") { logbook in
      let locations = Samples.locations(20, seed: 4)
      let flight = try logbook.beginLiveFlight(NewFlight())
      try flight.append(locations, data: FlightData(), rejected: ["checksum": 1])
      try flight.upsert(Samples.alert(0))
      try flight.redate(byMicroseconds: 1)
      _ = try flight.finish(report: Samples.report(locations))
      try logbook.beginLiveFlight(NewFlight()).discard()
    },
    Case("resumed flight") { logbook in
      let left = try logbook.beginLiveFlight(NewFlight()).id
      _ = try logbook.resume(left)
    },
    Case(
      "judge the flights of another logbook",
      scans: ["flight": "all are taken, in the order of the primary key"]
    ) {
      let source = MergeSource(connection: $0.connection)
      for key in try source.keys() { _ = try source.flaw(of: key) }
    },
    Case("give flights to another logbook") {
      try Logbook(.inMemory).copyFlights([id], from: $0.connection)
    },
    Case("take flights from another logbook") { target in
      let source = try Logbook(.inMemory)
      let other = try Samples.store(in: source, seed: 5)
      try target.copyFlights([other], from: source.connection)
    },
  ]
}

import RunWayModel
import Testing

@testable import RunWayLogbook

/// The plans of the queries that the command runs: each finds its rows by an index and sorts nothing.
@MainActor @Suite struct QueryPlanTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    var sql: String
    /// What the plan must say.
    var uses: [String]
    var sorts = false
    var testDescription: String { name }
  }

  nonisolated static func flights(_ change: (inout FlightFilter) -> Void, _ sort: FlightSort)
    -> String
  {
    var filter = FlightFilter()
    change(&filter)
    return FlightQuery.head + " " + FlightQuery.tail(filter.condition, sort: sort)
  }

  nonisolated static func alerts(_ filter: AlertFilter) -> String {
    AlertQuery.list(filter.condition)
  }

  nonisolated static func bestEffort(_ filter: FlightFilter) -> String {
    var condition = Condition()
    condition.add("bestEffort.name = ?", "1 km")
    condition.add(filter.condition)
    return FlightQuery.bestEffort(condition)
  }

  nonisolated static let moment = Timestamp(microseconds: 0)

  nonisolated static let cases: [Case] = [
    Case(
      name: "newest flights", sql: flights({ _ in }, .newestFirst), uses: ["flightByStart"]),
    Case(
      name: "flights since", sql: flights({ $0.since = moment }, .newestFirst),
      uses: ["SEARCH flight USING INDEX flightByStart (startedAt>?)"]),
    Case(
      name: "oldest flights until", sql: flights({ $0.until = moment }, .oldestFirst),
      uses: ["SEARCH flight USING INDEX flightByStart (startedAt<?)"]),
    Case(
      name: "longest flights", sql: flights({ _ in }, .longestFirst),
      uses: ["flightByDistance"]),
    Case(
      name: "long flights", sql: flights({ $0.minimumDistance = .zero }, .longestFirst),
      uses: ["SEARCH flight USING INDEX flightByDistance (distance>?)"]),
    Case(
      name: "fastest flights", sql: flights({ _ in }, .fastestFirst), uses: ["flightByPace"]),
    Case(
      name: "flights faster than",
      sql: flights({ $0.slowestPace = Pace(secondsPerKilometer: 300) }, .fastestFirst),
      uses: ["SEARCH flight USING INDEX flightByPace (pace>? AND pace<?)"]),
    Case(
      name: "flights by name", sql: flights({ _ in }, FlightSort(.name)),
      uses: ["flightByName"]),
    Case(
      name: "flights with a tag", sql: flights({ $0.tag = "hills" }, .newestFirst),
      uses: ["SEARCH flightTag USING COVERING INDEX flightTagByTag (tag=?)"], sorts: true),
    Case(
      name: "flights of a mission", sql: flights({ $0.mission = "Tempo" }, .newestFirst),
      uses: ["mission USING COVERING INDEX sqlite_autoindex_mission_1 (name=?)"],
      sorts: true),
    Case(name: "latest flight", sql: FlightQuery.latest, uses: ["flightByStart"]),
    Case(
      name: "flight by prefix", sql: FlightQuery.byPrefix,
      uses: ["SEARCH flight USING COVERING INDEX sqlite_autoindex_flight_1 (id>? AND id<?)"]),
    Case(
      name: "splits", sql: FlightQuery.splits,
      uses: ["SEARCH split USING PRIMARY KEY (flight=? AND unit=?)"]),
    Case(
      name: "best efforts of a flight", sql: FlightQuery.bestEfforts,
      uses: ["SEARCH bestEffort USING PRIMARY KEY (flight=?)"]),
    Case(
      name: "best effort of all", sql: bestEffort(FlightFilter()),
      uses: ["SEARCH bestEffort USING INDEX bestEffortByTime (name=?)"]),
    Case(
      name: "best effort since",
      sql: bestEffort(
        {
          var filter = FlightFilter()
          filter.since = moment
          return filter
        }()),
      uses: ["SEARCH bestEffort USING INDEX bestEffortByTime (name=?)"]),
    Case(
      name: "coordinates", sql: FlightQuery.coordinates,
      uses: ["SEARCH coordinate USING PRIMARY KEY (flight=? AND order>?)"]),
    Case(name: "all alerts", sql: alerts(AlertFilter()), uses: ["SCAN alert"]),
    Case(
      name: "alerts of a month", sql: alerts(AlertFilter(since: moment, until: moment)),
      uses: ["SEARCH alert USING PRIMARY KEY (timestamp>? AND timestamp<?)"]),
    Case(
      name: "alerts of a state", sql: alerts(AlertFilter(since: moment, state: .sinkRate)),
      uses: ["SEARCH alert USING INDEX alertByState (state=? AND timestamp>?)"]),
    Case(
      name: "alerts of a flight", sql: alerts(AlertFilter(flight: FlightID(rawValue: "f"))),
      uses: ["SEARCH alert USING INDEX alertByFlight (flight=?)"], sorts: true),
    Case(
      name: "alerts in order", sql: AlertQuery.ofFlight,
      uses: ["SEARCH alert USING INDEX alertByFlight (flight=?)"]),
    Case(
      name: "alert counts", sql: AlertQuery.counts(AlertFilter()),
      uses: ["SEARCH alert USING COVERING INDEX alertByState (state=?)"]),
    Case(
      name: "alert counts of a month",
      sql: AlertQuery.counts(AlertFilter(since: moment)),
      uses: ["SEARCH alert USING COVERING INDEX alertByState (state=? AND timestamp>?)"]),
    Case(
      name: "alert counts of a flight",
      sql: AlertQuery.counts(AlertFilter(flight: FlightID(rawValue: "f"))),
      uses: ["SEARCH alert USING INDEX alertByFlight (flight=?)"], sorts: true),
    Case(
      name: "totals",
      sql: TotalsQuery.summaries(
        {
          var filter = FlightFilter()
          filter.since = moment
          return filter.condition
        }()),
      uses: [
        "SEARCH flight USING INDEX flightByStart (startedAt>?)",
        "SEARCH alert USING COVERING INDEX alertByFlight (flight=?)",
      ]),
    Case(
      name: "known recording", sql: "SELECT id FROM flight WHERE fingerprint = ?",
      uses: ["SEARCH flight USING INDEX flightByFingerprint (fingerprint=?)"]),
    Case(
      name: "interrupted flights", sql: "SELECT key FROM flight WHERE touchedDown = 0",
      uses: ["flightInTheAir"]),
    Case(
      name: "cascade", sql: "DELETE FROM flight WHERE key = ?",
      uses: ["SEARCH flight USING INTEGER PRIMARY KEY (rowid=?)"]),
  ]

  @Test(arguments: cases)
  func `a query goes by an index`(query: Case) throws {
    let logbook = try Logbook(.inMemory)
    let plan = try logbook.connection.rows("EXPLAIN QUERY PLAN \(query.sql)") { $0.text(3) }
    let text = plan.joined(separator: "\n")
    for use in query.uses { #expect(text.contains(use), "\(text)") }
    #expect(text.contains("TEMP B-TREE") == query.sorts, "\(text)")
    // The one table that may be read from end to end is the one that all of is asked for.
    for line in plan where line.hasPrefix("SCAN") {
      #expect(
        line.contains("USING") || (query.name == "all alerts" && line == "SCAN alert")
          || line.hasPrefix("SCAN CONSTANT"), "\(text)")
    }
  }
}

"""Bar 6: queries of a logbook of many flights, against the sqlite3 shell asked the same."""

import json
from dataclasses import dataclass

from . import filled
from .stored import expect_equal
from .table import UNCHANGED, at_most
from .workshop import Contender, Failure, wall

# A month before the last flight.
SINCE = "2026-05-10"
SINCE_MICROSECONDS = 1_778_371_200_000_000


def iso(column):
    return f"strftime('%Y-%m-%dT%H:%M:%fZ', {column} / 1e6, 'unixepoch')"


FLIGHT = f"""
  id, name, {iso('startedAt')} AS startedAt, {iso('endedAt')} AS endedAt, distance, rawDistance,
  elapsedTime, movingTime, pace, elevationGain, elevationLoss, heartRate, cadence, coordinateCount,
  segmentCount, maxSpeed, type, notes, sourcePath, creator, targetPace, tolerance, targetDistance,
  (SELECT count(*) FROM alert WHERE alert.flight = flight.key) AS alertCount,
  (SELECT group_concat(tag.name) FROM flightTag JOIN tag ON tag.key = flightTag.tag
    WHERE flightTag.flight = flight.key) AS tagList
"""
ALERT = f"""
  flight.id || '/' || number AS id, flight.id AS flightID, state, {iso('timestamp')} AS timestamp,
  {iso('alert.endedAt')} AS endedAt, alert.pace, peakPace, alert.distance, latitude, longitude
"""
KINDS = """kind(name, distance) AS (VALUES ('400 m', 400.0), ('1 km', 1000.0),
  ('1 mile', 1609.344), ('5 km', 5000.0), ('10 km', 10000.0), ('Half marathon', 21097.5),
  ('Marathon', 42195.0))"""


@dataclass
class Query:
    """A command, the same for the shell, and what of the command's JSON its results must equal.

    `CONDITION` in the SQL is where the flights or alerts of a period are chosen.
    """

    name: str
    command: list
    sql: str
    parts: object
    # The moment that --since is held against; without one it has no such option.
    moment: str = ""

    def shell_sql(self, since):
        condition = f"{self.moment} >= {SINCE_MICROSECONDS}" if since else "TRUE"
        return self.sql.replace("CONDITION", condition)


QUERIES = [
    Query(
        "alerts", ["alerts"],
        f"""SELECT date(timestamp / 1e6, 'unixepoch') AS date, {ALERT}
          FROM alert JOIN flight ON flight.key = alert.flight WHERE CONDITION
          ORDER BY alert.timestamp DESC, alert.flight DESC, number DESC""",
        lambda found: [[alert for day in found["days"] for alert in day["alerts"]]],
        moment="alert.timestamp"),
    Query(
        "flights", ["flights"],
        f"SELECT {FLIGHT} FROM flight WHERE CONDITION ORDER BY startedAt DESC, key DESC",
        lambda found: [found], moment="flight.startedAt"),
    Query(
        "stats", ["stats"],
        f"""SELECT strftime('%Y-%m', startedAt / 1e6, 'unixepoch') AS period,
            strftime('%Y-%m-01', startedAt / 1e6, 'unixepoch') AS startDate,
            count(*) AS flightCount, sum(distance) AS distance, sum(movingTime) AS movingTime,
            sum(movingTime) * 1000 / sum(distance) AS pace, sum(elevationGain) AS elevationGain,
            sum(elevationLoss) AS elevationLoss,
            sum((SELECT count(*) FROM alert WHERE alert.flight = flight.key)) AS alertCount
          FROM flight WHERE CONDITION GROUP BY 1 ORDER BY 1 DESC;
          WITH {KINDS}
          SELECT kind.name, kind.distance, best.elapsedTime,
            best.elapsedTime * 1000 / kind.distance AS pace, startDistance, id AS flightID
          FROM kind JOIN bestEffort AS best ON best.name = kind.name AND best.flight = (
              SELECT one.flight FROM bestEffort AS one CROSS JOIN flight ON flight.key = one.flight
              WHERE one.name = kind.name AND CONDITION
              ORDER BY one.elapsedTime, one.flight LIMIT 1)
            JOIN flight ON flight.key = best.flight ORDER BY kind.distance""",
        lambda found: [found["periods"], found["bestEfforts"]], moment="flight.startedAt"),
    Query(
        "show latest", ["show", "latest"],
        f"""CREATE TEMP TABLE latest AS SELECT key FROM flight ORDER BY startedAt DESC, key DESC LIMIT 1;
          SELECT {FLIGHT} FROM flight WHERE key = (SELECT key FROM latest);
          SELECT {ALERT} FROM alert JOIN flight ON flight.key = alert.flight
          WHERE alert.flight = (SELECT key FROM latest) ORDER BY number;
          SELECT "index", distance, elapsedTime, movingTime, movingTime * 1000 / distance AS pace,
            elevationGain, elevationLoss, heartRate
          FROM split WHERE flight = (SELECT key FROM latest) AND unit = 'kilometer' ORDER BY "index";
          WITH {KINDS}
          SELECT kind.name, kind.distance, elapsedTime, elapsedTime * 1000 / kind.distance AS pace,
            startDistance
          FROM kind JOIN bestEffort ON bestEffort.name = kind.name
            AND flight = (SELECT key FROM latest) ORDER BY kind.distance""",
        lambda found: [[found], found["alerts"], found["splits"], found["bestEfforts"]]),
]


def of_big_logbook(bench):
    sizes = bench.sizes
    full, tenth = (
        filled.logbook(bench.workshop, sizes.flights, sizes.alerts, count)
        for count in (sizes.coordinates, sizes.coordinates // 10))

    def runway(query, logbook, *options):
        return Contender(lambda: [
            bench.workshop.runway, *query.command, *options, "--json", "--tz", "UTC", "--logbook",
            logbook])

    def shell(query, since=False):
        return Contender(
            lambda: ["sqlite3", "-readonly", "-json", full, query.shell_sql(since)])

    start = Contender(lambda: [bench.workshop.runway, "--version"])
    size = f"{sizes.flights:,} flights, {sizes.coordinates:,} coordinates"
    tenfold = f"{sizes.coordinates:,} coordinates against a tenth of them"
    for query in QUERIES:
        # Ours in the middle, for it is compared with both.
        theirs, ours, fewer = bench.compare(
            shell(query), runway(query, full), runway(query, tenth))
        expect_same_items(query, ours[0].output, theirs[0].output)
        bench.add("6", f"`{query.name} --json`, {size}, against the sqlite3 shell", at_most(1.5), ours,
                  theirs, instructions=bench.whole_instructions(
                      [runway(query, full).prepare(), shell(query).prepare()]))
        bench.add("6", f"the same, {tenfold}", UNCHANGED, ours, fewer)
    for query in (query for query in QUERIES if query.moment):
        options = ["--since", SINCE]
        contenders = [runway(query, logbook, *options) for logbook in (full, tenth)]
        idle, month, fewer = bench.compare(
            start, *contenders, pairs=max(sizes.pairs, sizes.starts // 2))
        asked = bench.workshop.measure(shell(query, since=True).prepare())
        expect_same_items(query, month[0].output, asked.output)
        bench.add_differences(
            "6", f"`{query.name} --json --since` a month, ms above start-up", at_most(20), month, idle,
            wall, 1e3)
        counts = bench.whole_instructions([each.prepare() for each in contenders])
        bench.add("6", f"the same, {tenfold}", UNCHANGED, month, fewer, instructions=counts)


def expect_same_items(query, ours, theirs):
    """Both print the same items in the same order, as far as they name values alike."""
    parts, documents = query.parts(json.loads(ours)), list(json_documents(theirs))
    lengths = [len(part) for part in parts]
    if lengths != [len(document) for document in documents] or 0 in lengths:
        raise Failure(f"{query.name}: {lengths} items, not {[len(d) for d in documents]}")
    for part, document in zip(parts, documents):
        for mine, other in zip(part, document):
            shared = {name: normalized(other[name]) for name in other if name in mine}
            if len(shared) < 5:
                raise Failure(f"{query.name}: only {sorted(shared)} are named alike")
            expect_equal(query.name, mine, shared)


def json_documents(text):
    """The shell prints an array for each statement."""
    decoder, at = json.JSONDecoder(), 0
    while at < len(text.rstrip()):
        document, at = decoder.raw_decode(text, at)
        yield document
        while at < len(text) and text[at].isspace():
            at += 1


def normalized(value):
    """RunWay prints no fraction of a second that is none."""
    return value.replace(".000Z", "Z") if isinstance(value, str) else value

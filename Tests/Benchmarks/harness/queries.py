"""A logbook of many flights, made by SQL, and the queries put to it."""

import sqlite3

from .workshop import WORK, copy_logbook

FLIGHT = """
  id, name, strftime('%Y-%m-%dT%H:%M:%fZ', startedAt / 1e6, 'unixepoch') AS startedAt,
  strftime('%Y-%m-%dT%H:%M:%fZ', endedAt / 1e6, 'unixepoch') AS endedAt, distance, rawDistance,
  elapsedTime, movingTime, pace, elevationGain, elevationLoss, heartRate, cadence,
  coordinateCount, segmentCount, sourcePath, creator, targetPace, tolerance, targetDistance,
  (SELECT count(*) FROM alert WHERE alert.flight = flight.key) AS alertCount,
  (SELECT group_concat(tag.name) FROM flightTag JOIN tag ON tag.key = flightTag.tag
    WHERE flightTag.flight = flight.key) AS tags
"""

# What is compared, RunWay's command, the same query for the shell, and the bar.
COMPARISONS = [
    ("`alerts --json`, all, against the sqlite3 shell", ["alerts"], """
      SELECT date(timestamp / 1e6, 'unixepoch') AS date, flight.id || '/' || number AS id,
        flight.id AS flightID, state,
        strftime('%Y-%m-%dT%H:%M:%fZ', timestamp / 1e6, 'unixepoch') AS timestamp,
        strftime('%Y-%m-%dT%H:%M:%fZ', alert.endedAt / 1e6, 'unixepoch') AS endedAt,
        alert.pace, peakPace, alert.distance, latitude, longitude
      FROM alert JOIN flight ON flight.key = alert.flight
      ORDER BY alert.timestamp DESC, alert.flight DESC, number DESC""", 1.5),
    ("`flights --json`, all, against the sqlite3 shell", ["flights"],
     f"SELECT {FLIGHT} FROM flight ORDER BY flight.startedAt DESC", 1.5),
    ("`show latest --json` against the sqlite3 shell", ["show", "latest"], f"""
      SELECT {FLIGHT} FROM flight ORDER BY flight.startedAt DESC LIMIT 1;
      SELECT * FROM alert WHERE flight = (SELECT key FROM flight ORDER BY startedAt DESC LIMIT 1);
      SELECT * FROM split WHERE flight = (SELECT key FROM flight ORDER BY startedAt DESC LIMIT 1)
      """, 1.5),
]


def fill(workshop, sizes):
    """A logbook of so many flights, their alerts and coordinates spread evenly."""
    path = WORK / f"filled-{sizes.flights}-{sizes.alerts}-{sizes.coordinates}.sqlite"
    if path.exists():
        return path
    part = copy_logbook(workshop.empty_logbook(), "filling")
    database = sqlite3.connect(part, isolation_level=None)
    database.execute("PRAGMA synchronous = OFF")
    database.execute("BEGIN")
    # A flight every 8 hours, the last in June 2026; 10 km in 55 minutes.
    values = dict(
        flights=sizes.flights, alerts=sizes.alerts // sizes.flights,
        coordinates=max(sizes.coordinates // sizes.flights, 1),
        last=1_781_000_000_000_000, gap=28_800_000_000)
    database.execute("""
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < :flights)
        INSERT INTO flight (key, id, name, type, sourcePath, sourceFormat, maxSpeed, targetPace,
          tolerance, targetDistance, timeOrigin, startedAt, endedAt, distance, rawDistance,
          elapsedTime, movingTime, elevationGain, elevationLoss, heartRate, cadence,
          coordinateCount, segmentCount, fingerprint, touchedDown)
        SELECT i, printf('%08x-0000-4000-8000-%012x', (i * 2654435761) & 0xffffffff, i), 'Run ' || i,
          'running', 'run-' || i || '.gpx', 'gpx', 12.5, 330, 15, 10000,
          :last - (:flights - i) * :gap, :last - (:flights - i) * :gap,
          :last - (:flights - i) * :gap + 3300000000, 10000.0 + i % 97, 10010.5 + i % 97, 3300.0,
          3290.25, 51.5, 50.25, 152.5, 87.25, :coordinates, 1, randomblob(16), 1
        FROM n""", values)
    database.execute("""
        WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < :alerts)
        INSERT INTO alert (flight, number, state, timestamp, endedAt, pace, peakPace, distance,
          latitude, longitude)
        SELECT key, i, iif(i % 3 = 0, 'overspeed', 'sinkRate'), startedAt + i * 150000000,
          startedAt + i * 150000000 + 60000000, 346.25 + i, 352.5 + i, i * 450.5, 49.0131 + i * 1e-4,
          8.4044 + key * 1e-6
        FROM flight, n WHERE :alerts > 0""", values)
    database.execute("""
        WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < :coordinates)
        INSERT INTO coordinate (flight, "order", latitude, longitude, altitude, time, heartRate,
          cadence, segment)
        SELECT key, i, 49.0131 + i * 1e-5, 8.4044 + i * 1e-5, 120.5, i * 1000000, 150, 87, 0
        FROM flight, n""", values)
    database.execute("COMMIT")
    database.execute("ANALYZE")
    database.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    database.close()
    part.rename(path)
    return path

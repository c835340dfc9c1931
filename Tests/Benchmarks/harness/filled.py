"""A logbook of many flights, made by SQL, with all the rows that an import makes."""

import hashlib
import pathlib
import sqlite3

from .workshop import WORK, copy_logbook, remove_logbook

# A flight every 8 hours, the last on 9 June 2026; 10 km in 55 minutes.
LAST_START = 1_781_000_000_000_000
FLIGHTS = """
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < :flights)
    INSERT INTO flight (key, id, name, type, sourcePath, sourceFormat, maxSpeed, targetPace,
      tolerance, targetDistance, timeOrigin, startedAt, endedAt, distance, rawDistance, elapsedTime,
      movingTime, elevationGain, elevationLoss, heartRate, cadence, coordinateCount, segmentCount,
      fingerprint, touchedDown)
    SELECT i, printf('%08x-0000-4000-8000-%012x', (i * 2654435761) & 0xffffffff, i), 'Run ' || i,
      'running', 'run-' || i || '.gpx', 'gpx', 12.5, 330, 15, 10000,
      :last - (:flights - i) * :gap, :last - (:flights - i) * :gap,
      :last - (:flights - i) * :gap + 3300000000, 10000.0 + i % 97, 10010.5 + i % 97, 3300.0,
      3290.25, 51.5, 50.25, 152.5, 87.25, :coordinates, 1, randomblob(16), 1
    FROM n"""
ALERTS = """
    WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < :alerts)
    INSERT INTO alert (flight, number, state, timestamp, endedAt, pace, peakPace, distance, latitude,
      longitude)
    SELECT key, i, iif(i % 3 = 0, 'overspeed', 'sinkRate'), startedAt + i * 150000000,
      startedAt + i * 150000000 + 60000000, 346.25 + i, 352.5 + i, i * 450.5, 49.0131 + i * 1e-4,
      8.4044 + key * 1e-6
    FROM flight, n WHERE :alerts > 0"""
COORDINATES = """
    WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < :coordinates)
    INSERT INTO coordinate (flight, "order", latitude, longitude, altitude, time, heartRate, cadence,
      segment)
    SELECT key, i, 49.0131 + i * 1e-5, 8.4044 + i * 1e-5, 120.5, i * 1000000, 150, 87, 0
    FROM flight, n"""
# Whole kilometres and miles, and what is left behind them.
SPLITS = """
    WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 10),
      kind(unit, metres) AS (VALUES ('kilometer', 1000.0), ('mile', 1609.344)),
      part AS (
        SELECT key, unit, i + 1 AS number, min(metres, distance - i * metres) AS length
        FROM flight, kind, n WHERE distance > i * metres)
    INSERT INTO split (flight, unit, "index", distance, elapsedTime, movingTime, elevationGain,
      elevationLoss, heartRate)
    SELECT key, unit, number, length, length * 0.33, length * 0.329, 5.25, 5.0, 150.5 + number
    FROM part ORDER BY key, unit, number"""
# A multiplier without a common factor spreads the fastest over the years.
BEST_EFFORTS = """
    WITH kind(effort, metres) AS (
      VALUES ('400 m', 400.0), ('1 km', 1000.0), ('1 mile', 1609.344), ('5 km', 5000.0),
        ('10 km', 10000.0))
    INSERT INTO bestEffort (flight, name, elapsedTime, startDistance)
    SELECT key, effort, metres * (0.3 + key * 7919 % 10007 * 1e-6), key % 97
    FROM flight, kind WHERE metres <= distance ORDER BY key, effort"""


def logbook(workshop, flights, alerts, coordinates):
    """A logbook of so many flights, their alerts and coordinates spread evenly; kept for later runs."""
    made_by = workshop.schema + pathlib.Path(__file__).read_text()
    version = hashlib.sha256(made_by.encode()).hexdigest()[:8]
    for path in WORK.glob("filled-*.sqlite"):
        if version not in path.name:
            remove_logbook(path)
    path = WORK / f"filled-{version}-{flights}-{alerts}-{coordinates}.sqlite"
    if path.exists():
        return path
    part = copy_logbook(workshop.empty_logbook, "filling")
    database = sqlite3.connect(part, isolation_level=None)
    database.execute("PRAGMA synchronous = OFF")
    database.execute("BEGIN")
    values = dict(
        flights=flights, alerts=alerts // flights, coordinates=max(coordinates // flights, 1),
        last=LAST_START, gap=28_800_000_000)
    for statement in (FLIGHTS, ALERTS, SPLITS, BEST_EFFORTS, COORDINATES):
        database.execute(statement, values)
    database.execute("COMMIT")
    database.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    database.close()
    part.rename(path)
    return path

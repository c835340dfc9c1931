"""What logbooks hold and programs print, held against each other."""

import sqlite3

from .workshop import Failure


def flight_rows(path, last=-1):
    """What is stored of each flight, or of so many that were stored last, in the order of storing."""
    database = sqlite3.connect(path)
    database.row_factory = sqlite3.Row
    rows = database.execute("""
        SELECT startedAt, endedAt, distance, rawDistance, elapsedTime, movingTime, elevationGain,
          elevationLoss, heartRate, cadence, coordinateCount, segmentCount, targetPace, sourceFormat,
          (SELECT count(*) FROM coordinate WHERE flight = flight.key) AS rows,
          (SELECT total(latitude) + total(longitude) + total(altitude) + total(time) FROM coordinate
            WHERE flight = flight.key) AS coordinateSum,
          (SELECT count(*) FROM alert WHERE flight = flight.key) AS alerts,
          (SELECT total(timestamp) + total(endedAt) + total(distance) FROM alert
            WHERE flight = flight.key) AS alertSum
        FROM flight ORDER BY key DESC LIMIT ?""", [last]).fetchall()
    database.close()
    return [dict(row) for row in reversed(rows)]


def expect_same_flights(what, ours, theirs, count, last=-1):
    """Holds the flights of two logbooks against each other."""
    ours, theirs = (flight_rows(path, last) for path in (ours, theirs))
    if len(ours) != count or len(theirs) != count:
        raise Failure(f"{what}: {len(ours)} and {len(theirs)} flights stored, not {count}")
    # A folder is not always read in the same order.
    for a, b in zip(*(sorted(side, key=lambda row: row["startedAt"]) for side in (ours, theirs))):
        expect_equal(what, a, b)


def row_counts(path):
    """How many rows each table of flights and their parts has."""
    database = sqlite3.connect(path)
    tables = ("flight", "coordinate", "alert", "split", "bestEffort")
    counts = [database.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in tables]
    database.close()
    return dict(zip(tables, counts))


def expect_equal(what, ours, theirs, tolerance=1e-8):
    """Values must be equal; sums of many steps may differ by how they are added."""
    for name, value in theirs.items():
        other = ours.get(name)
        close = other == value
        if isinstance(value, float) and isinstance(other, (int, float)):
            close = abs(other - value) <= tolerance * max(abs(value), 1)
        if not close:
            raise Failure(f"{what}: {name} is {other} here and {value} there")


def checkpoint(path):
    """Leaves all of a logbook in its main file, so that it can be copied."""
    database = sqlite3.connect(path)
    database.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    database.close()

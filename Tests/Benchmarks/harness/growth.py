"""Bar 9: cost grows as the work grows."""

import statistics
import subprocess

from . import filled
from .stored import checkpoint, expect_equal, expect_same_flights, flight_rows, row_counts
from .table import UNCHANGED, Row, at_most, duration
from .workshop import (
    WORK, Contender, Failure, copy_logbook, cpu, median, remove_logbook, run, spread, wall)

# Of the short file, for each run of the long one.
SHORT_RUNS = 9
# The shortest file that needs all there is to start: 128 rows, 16 and 1 have a statement each.
LEAST = 128 + 16 + 1


def with_points(bench):
    """Time a point of a short and of a long file, less what the shortest file takes."""
    small, large = bench.sizes.small, bench.sizes.large

    def importing(name, count):
        track = bench.workshop.track("gpx", count)
        return Contender(lambda: bench.runway_import(track, bench.new_logbook(name)))

    least, short, long = (
        importing(name, count)
        for name, count in (("least", LEAST), ("short", small), ("long", large)))
    each = {wall: [], cpu: []}
    base = {wall: [], cpu: []}
    for pair in range(bench.sizes.pairs):
        # The long run comes first and last in turn, so that what else the machine does falls on both.
        longs = bench.compare(long, pairs=1)[0] if pair % 2 else []
        leasts, shorts = bench.compare(least, short, pairs=min(SHORT_RUNS, bench.sizes.starts))
        longs = longs or bench.compare(long, pairs=1)[0]
        for value in (wall, cpu):
            start = median(leasts, value)
            each[value].append((median(longs, value) - start) / (large - LEAST))
            base[value].append((median(shorts, value) - start) / (small - LEAST))
    for name, count in (("long", large), ("short", small)):
        stored = flight_rows(WORK / f"{name}.sqlite")
        if [(row["rows"], row["coordinateCount"]) for row in stored] != [(count, count)]:
            raise Failure(f"growth: of {count} points not all were stored")
    for name, value in (("wall", wall), ("CPU", cpu)):
        bench.rows.append(Row(
            "9", f"a point of {large:,} against one of {small:,}, start-up taken off: {name}",
            duration(statistics.median(each[value])), duration(statistics.median(base[value])),
            *spread([a / b for a, b in zip(each[value], base[value])]), UNCHANGED))


def with_flights(bench):
    """Imports of the same runs into a logbook of many flights and into one of ten."""
    runs = max(bench.sizes.starts // 2, 1)
    # One more, for the first import into a copy finds nothing of it at hand.
    tracks = sorted(bench.workshop.folder(runs + 1, 3_600).iterdir())
    flights = bench.sizes.flights
    few = min(10, flights)
    # Copied once: a fresh copy of so large a file would be measured along with the import.
    grown, young = (
        copy_logbook(
            filled.logbook(
                bench.workshop, count, bench.sizes.alerts * count // flights,
                bench.sizes.coordinates * count // flights), name)
        for count, name in ((flights, "grown"), (few, "young")))

    def importing(logbook):
        remaining = iter(tracks)
        return Contender(lambda: bench.runway_import(next(remaining), logbook))

    ours, theirs = bench.compare(importing(grown), importing(young), pairs=len(tracks))
    expect_same_flights("growth", grown, young, len(tracks), last=len(tracks))
    bench.add("9", f"one-hour runs into a logbook of {flights:,} flights against {few}", UNCHANGED,
              ours[1:], theirs[1:])


def deleting(bench):
    """Deleting a long flight, against the bare SQL; whole processes."""
    track = bench.workshop.track("gpx", bench.sizes.points)
    logbook = WORK / "to-delete.sqlite"
    remove_logbook(logbook)
    run(bench.runway_import(track, logbook), stdout=subprocess.DEVNULL)
    checkpoint(logbook)
    ours, theirs = bench.compare(
        Contender(lambda: [
            bench.workshop.runway, "delete", "--yes", "--logbook",
            copy_logbook(logbook, "deleted"), "latest"]),
        Contender(lambda: [
            "sqlite3", copy_logbook(logbook, "bare"),
            "PRAGMA foreign_keys = ON; PRAGMA synchronous = NORMAL;"
            "PRAGMA wal_autocheckpoint = 4096; PRAGMA secure_delete = FAST; DELETE FROM flight"]))
    before = row_counts(logbook)
    if before["coordinate"] != bench.sizes.points:
        raise Failure("delete: there was not all to delete")
    for name in ("deleted", "bare"):
        expect_equal("delete", row_counts(WORK / f"{name}.sqlite"), dict.fromkeys(before, 0))
    bench.add("9", "deleting a long flight against the bare SQL", at_most(1.2), ours, theirs)

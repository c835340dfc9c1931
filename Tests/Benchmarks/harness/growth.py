"""Bar 9: cost grows as the work grows."""

import statistics
import subprocess

from . import filled
from .stored import checkpoint, expect_equal, expect_same_flights, flight_rows, row_counts
from .table import UNCHANGED, Row, at_most, duration
from .workshop import WORK, Contender, Failure, copy_logbook, median, remove_logbook, run, spread, wall

# Of the short file, for each run of the long one.
SHORT_RUNS = 9


def with_points(bench):
    """Time a point of a short and of a long file, less what a file of one point takes."""
    small, large = bench.sizes.small, bench.sizes.large
    one, short, long = (bench.workshop.track("gpx", count) for count in (1, small, large))

    def measure_long():
        return bench.workshop.measure(bench.runway_import(long, bench.new_logbook("long"))).wall

    each, base = [], []
    for pair in range(bench.sizes.pairs):
        # The long run comes last and first in turn; what the machine does meanwhile falls on both.
        before = measure_long() if pair % 2 else None
        starts, shorts = bench.compare(
            Contender(lambda: bench.runway_import(one)),
            Contender(lambda: bench.runway_import(short, bench.new_logbook("short"))),
            pairs=min(SHORT_RUNS, bench.sizes.starts))
        start = median(starts, wall)
        each.append(((before or measure_long()) - start) / large)
        base.append((median(shorts, wall) - start) / small)
    for name, count in (("long", large), ("short", small)):
        stored = flight_rows(WORK / f"{name}.sqlite")
        if [(row["rows"], row["coordinateCount"]) for row in stored] != [(count, count)]:
            raise Failure(f"growth: of {count} points not all were stored")
    bench.rows.append(Row(
        "9", f"time a point, {large:,} against {small:,} points, start-up taken off",
        duration(statistics.median(each)), duration(statistics.median(base)),
        *spread([a / b for a, b in zip(each, base)]), UNCHANGED))


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

"""The comparisons: what is run, what must agree, and the bar that is set for it."""

import itertools
import json
import sqlite3
import statistics
import subprocess
from dataclasses import dataclass, field

from . import live, queries
from .peers import PEERS
from .workshop import (
    MISSION, WORK, Contender, Failure, compare, copy_logbook, cpu, median, peak, ratios,
    remove_logbook, run, wall)


@dataclass
class Sizes:
    """How much work the comparisons do."""

    points: int = 1_000_000
    files: int = 1_000
    points_a_file: int = 3_600
    small: int = 10_000
    large: int = 3_000_000
    flights: int = 10_000
    alerts: int = 200_000
    coordinates: int = 200_000
    pairs: int = 7
    starts: int = 40

    @classmethod
    def quick(cls):
        return cls(
            points=5_000, files=5, points_a_file=400, small=500, large=5_000, flights=50,
            alerts=500, coordinates=5_000, pairs=1, starts=1)


@dataclass
class Row:
    """One line of the table."""

    bar: str
    what: str
    ours: str
    theirs: str
    ratio: float
    least: float
    greatest: float
    limit: float
    memory: str = ""
    instructions: str = ""
    # Where RunWay must be faster, the ratio may not fall below the limit.
    at_least: bool = False

    @property
    def is_met(self):
        return self.ratio >= self.limit if self.at_least else self.ratio <= self.limit


@dataclass
class Bench:
    workshop: object
    sizes: Sizes
    with_peers: bool = False
    counts_instructions: bool = True
    rows: list = field(default_factory=list)
    notes: list = field(default_factory=list)
    numbers: object = field(default_factory=itertools.count)

    # Helpers

    def add(self, bar, what, limit, ours, theirs, value=wall, units=1, **more):
        middle, least, greatest = ratios(ours, theirs, value)
        self.rows.append(Row(
            bar, what, duration(median(ours, value), units), duration(median(theirs, value), units),
            middle, least, greatest, limit,
            memory=f"{median(ours, peak) / 1e6:.0f} / {median(theirs, peak) / 1e6:.0f}", **more))

    def instructions(self, short, long, units):
        """Instructions a point of both, from the difference of two lengths: start-up cancels out."""
        counts = [self.workshop.instructions(command) for command in (*short, *long)]
        if None in counts:
            return ""
        return " / ".join(f"{(counts[i + 2] - counts[i]) / units:,.0f}" for i in (0, 1))

    def new_logbook(self):
        path = WORK / f"new-{next(self.numbers) % 2}.sqlite"
        remove_logbook(path)
        return path

    def import_command(self, track, logbook=None, mission=MISSION):
        return [self.workshop.runway, "import", "--logbook", logbook or self.new_logbook(),
                *mission, track]

    def floor_import(self, format, tracks):
        return [self.workshop.floor, format, "import", self.workshop.fresh_logbook("floor"),
                *tracks]

    # Bars 1 and 2: bytes to locations, and the arithmetic besides

    def stages(self):
        unit = {"gpx": "a point", "nmea": "an epoch of 5 sentences"}
        for bar, format, stage, what, limit in (
            ("1", "gpx", "decode", "GPX bytes to locations", 1.15),
            ("2", "nmea", "decode", "NMEA bytes to locations", 1.3),
            ("", "gpx", "process", "GPX bytes to a flight's totals and alerts", 1.15),
            ("", "nmea", "process", "NMEA bytes to a flight's totals and alerts", 1.3),
        ):
            def commands(count):
                path = self.workshop.track(format, count)
                return [[program, format, stage, path]
                        for program in (self.workshop.pipeline, self.workshop.floor)]

            count = self.sizes.points
            ours, theirs = compare(
                self.workshop, Contender("RunWay", lambda: commands(count)[0]),
                Contender("floor", lambda: commands(count)[1]), self.sizes.pairs)
            expect_equal(
                f"{format} {stage}", json.loads(ours[0].output), json.loads(theirs[0].output))
            instructions = ""
            if self.counts_instructions:
                instructions = self.instructions(commands(1_000), commands(11_000), 10_000)
            self.add(bar, f"{what}, {unit[format]}", limit, ours, theirs, units=count,
                     instructions=instructions)

    # Bars 3, 4, 5: imports

    def one_import(self):
        track = self.workshop.track("gpx", self.sizes.points)
        ours, theirs = compare(
            self.workshop, Contender("RunWay", lambda: self.import_command(track)),
            Contender("floor", lambda: self.floor_import("gpx", [track])), self.sizes.pairs)
        self.expect_same_flights(1)
        self.add("3", "import of a long GPX, a point: wall", 0.75, ours, theirs,
                 units=self.sizes.points)
        self.add("3", "import of a long GPX, a point: CPU", 1.25, ours, theirs, cpu,
                 units=self.sizes.points)
        tenth = self.workshop.track("gpx", self.sizes.points // 10)
        short = [self.workshop.measure(self.import_command(tenth)) for _ in ours]
        self.add_memory("5", "peak memory of it, MB", 40, ours)
        self.add_memory(
            "5", "peak memory: a tenth of the points, MB less", 2, ours, short)

    def folder_import(self):
        folder = self.workshop.folder(self.sizes.files, self.sizes.points_a_file)
        files = sorted(folder.iterdir())
        ours, theirs = compare(
            self.workshop, Contender("RunWay", lambda: self.import_command(folder)),
            Contender("floor", lambda: self.floor_import("gpx", files)),
            max(self.sizes.pairs // 2, 1))
        self.expect_same_flights(len(files))
        points = self.sizes.files * self.sizes.points_a_file
        self.add("4", "import of a folder, a point: wall", 0.65, ours, theirs, units=points)
        self.add_memory("5", "peak memory of it, MB", 40, ours)

    def add_memory(self, bar, what, limit, ours, base=None):
        high = median(ours, peak) / 1e6
        low = median(base, peak) / 1e6 if base else 0
        self.rows.append(Row(
            bar, what, f"{high:.1f}", f"{low:.1f}" if base else "", high - low, high - low,
            high - low, limit))

    def expect_same_flights(self, count):
        """Holds what RunWay stored last against what the floor stored last."""
        newest = max(WORK.glob("new-?.sqlite"), key=lambda path: path.stat().st_mtime)
        ours, theirs = (flight_rows(path) for path in (newest, WORK / "floor.sqlite"))
        if len(ours) != count or len(theirs) != count:
            raise Failure(f"{len(ours)} and {len(theirs)} flights stored, not {count}")
        for a, b in zip(ours, theirs):
            expect_equal("import", a, b)

    # Bar 6: queries

    def big_logbook_queries(self):
        logbook = queries.fill(self.workshop, self.sizes)
        version = [self.workshop.runway, "--version"]
        for what, command, sql, limit in queries.COMPARISONS:
            ours, theirs = compare(
                self.workshop,
                Contender("RunWay", lambda: [
                    self.workshop.runway, *command, "--json", "--tz", "UTC", "--logbook", logbook]),
                Contender("sqlite3", lambda: ["sqlite3", "-readonly", "-json", logbook, sql]),
                self.sizes.pairs)
            for sample in ours:
                json.loads(sample.output)
            self.add("6", what, limit, ours, theirs)
        month, start = compare(
            self.workshop,
            Contender("RunWay", lambda: [
                self.workshop.runway, "alerts", "--json", "--since", "2026-05-20", "--tz", "UTC",
                "--logbook", logbook]),
            Contender("start", lambda: version), self.sizes.pairs)
        above = (median(month, wall) - median(start, wall)) * 1e3
        self.rows.append(Row(
            "6", "`alerts --since` a month: ms above start-up",
            f"{median(month, wall) * 1e3:.1f}", f"{median(start, wall) * 1e3:.1f}", above, above,
            above, 20))

    # Bar 7: start-up and an hour's run

    def small_work(self):
        ours, theirs = compare(
            self.workshop, Contender("RunWay", lambda: [self.workshop.runway, "--version"]),
            Contender("sqlite3", lambda: ["sqlite3", "--version"]), self.sizes.starts)
        self.add("7", "start-up: `--version` against sqlite3's", 2.5, ours, theirs)
        hour = self.workshop.track("gpx", 3_600)
        ours, theirs = compare(
            self.workshop,
            # Both find an empty logbook: making one happens once in its life.
            Contender(
                "RunWay", lambda: self.import_command(hour, self.workshop.fresh_logbook("hour"))),
            Contender("floor", lambda: self.floor_import("gpx", [hour])),
            max(self.sizes.starts // 2, 1))
        self.add("7", "one-hour run imported, whole process", 1.3, ours, theirs)
        if self.with_peers:
            self.peers_against_hour(hour, ours)

    def peers_against_hour(self, hour, ours):
        for peer in PEERS:
            if peer.hour_limit:
                self.add_peer(
                    "7", f"the same run only read by {peer.name}, times longer",
                    peer.arguments(hour), peer.hour_limit, ours)

    # Peers

    def peers(self):
        """How much longer others take to decode, a point."""
        count = 20_000
        for format in ("gpx", "nmea"):
            track = self.workshop.track(format, self.sizes.points)
            ours = [
                self.workshop.measure([self.workshop.pipeline, format, "decode", track])
                for _ in range(self.sizes.pairs)]
            for peer in (peer for peer in PEERS if peer.format == format):
                self.add_peer(
                    peer.bar, f"{format.upper()} read by {peer.name}, times longer",
                    peer.arguments(self.workshop.track(format, count)), peer.limit, ours,
                    self.sizes.points, count)

    def add_peer(self, bar, what, command, limit, ours, our_units=1, their_units=1):
        try:
            theirs = [self.workshop.measure(command) for _ in range(3)]
        except Failure as failure:
            self.notes.append(f"not measured: {what}: {failure}")
            return
        mine = median(ours, wall) / our_units
        ratio = [sample.wall / their_units / mine for sample in theirs]
        self.rows.append(Row(
            bar, what, duration(median(ours, wall), our_units),
            duration(median(theirs, wall), their_units), statistics.median(ratio), min(ratio),
            max(ratio), limit, at_least=True))

    # Bar 8: replay

    def replaying(self):
        track = self.workshop.track("nmea", self.sizes.points // 10)

        def replay():
            return [self.workshop.runway, "replay", "--logbook", self.new_logbook(), *MISSION]

        ours, theirs = compare(
            self.workshop, Contender("replay", replay, stdin=track),
            Contender("import", lambda: self.import_command(track)), self.sizes.pairs)
        self.add("8", "`replay` of NMEA at full speed against `import`", 1.3, ours, theirs,
                 units=self.sizes.points // 10)

    def live_replay(self):
        latency, calls = live.callout_latency(self.workshop, self.new_logbook())
        self.rows.append(Row(
            "8", f"callout after its epoch, ms, median of {calls}", f"{latency[0]:.2f}", "",
            latency[0], latency[1], latency[2], 5))
        seconds = 20 if self.sizes.pairs > 1 else 2
        share = live.idle_share(self.workshop, self.new_logbook(), seconds)
        self.rows.append(Row(
            "8", "CPU while fed at 1 Hz, %", f"{share:.2f}", "", share, share, share, 1))

    # Bar 9: growth

    def growth(self):
        small, large = self.sizes.small, self.sizes.large
        # Many runs of the small one, so that starting weighs as little as it does on the large one.
        base = self.workshop.track("gpx", small)
        big = self.workshop.track("gpx", large)
        empty = self.workshop.track("gpx", 1)
        start = statistics.median(
            self.workshop.measure(self.import_command(empty)).wall
            for _ in range(self.sizes.pairs))
        short = [
            self.workshop.measure(self.import_command(base)) for _ in range(self.sizes.pairs * 3)]
        long = [
            self.workshop.measure(self.import_command(big))
            for _ in range(min(self.sizes.pairs, 3))]
        each = [(sample.wall - start) / large for sample in long]
        base_each = (median(short, wall) - start) / small
        found = [value / base_each for value in each]
        self.rows.append(Row(
            "9", f"time a point, {large:,} against {small:,} points",
            f"{statistics.median(each) * 1e9:,.0f} ns", f"{base_each * 1e9:,.0f} ns",
            statistics.median(found), min(found), max(found), 1.1))

        hour = self.workshop.track("gpx", 3_600)
        full = queries.fill(self.workshop, self.sizes)
        few = queries.fill(self.workshop, Sizes(
            flights=10, alerts=200, coordinates=self.sizes.coordinates // 1_000 or 10))
        # Copied once: a fresh copy of so large a file would be measured along with the import.
        grown, young = copy_logbook(full, "grown"), copy_logbook(few, "young")
        ours, theirs = compare(
            self.workshop,
            Contender("full", lambda: [*self.import_command(hour, grown), "--force"]),
            Contender("few", lambda: [*self.import_command(hour, young), "--force"]),
            max(self.sizes.starts // 2, 1))
        self.add("9", f"import into a logbook of {self.sizes.flights:,} flights against 10", 1.1,
                 ours, theirs)

    def deleting(self):
        """Deleting a long flight, against the bare SQL; starting up is taken off both."""
        track = self.workshop.track("gpx", self.sizes.points)
        logbook = WORK / "to-delete.sqlite"
        remove_logbook(logbook)
        run(self.import_command(track, logbook), stdout=subprocess.DEVNULL)
        checkpoint(logbook)
        ours, theirs = compare(
            self.workshop,
            Contender("RunWay", lambda: [
                self.workshop.runway, "delete", "--yes", "--logbook",
                copy_logbook(logbook, "deleting"), "latest"]),
            Contender("SQL", lambda: [
                "sqlite3", copy_logbook(logbook, "deleting"),
                "PRAGMA foreign_keys = ON; PRAGMA synchronous = NORMAL;"
                "PRAGMA wal_autocheckpoint = 4096; PRAGMA secure_delete = FAST; DELETE FROM flight"]),
            self.sizes.pairs)
        self.add("9", "deleting a long flight against the bare SQL", 1.2, ours, theirs)


def checkpoint(logbook):
    with sqlite3.connect(logbook) as database:
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    database.close()


def flight_rows(path):
    """What was stored of each flight, oldest first."""
    database = sqlite3.connect(path)
    rows = database.execute("""
        SELECT startedAt, endedAt, distance, rawDistance, elapsedTime, movingTime, elevationGain,
          elevationLoss, coordinateCount,
          (SELECT count(*) FROM coordinate WHERE flight = flight.key),
          (SELECT total(latitude) + total(longitude) + total(altitude) FROM coordinate
            WHERE flight = flight.key),
          (SELECT count(*) FROM alert WHERE flight = flight.key)
        FROM flight ORDER BY startedAt""").fetchall()
    names = ("startedAt", "endedAt", "distance", "rawDistance", "elapsedTime", "movingTime",
             "elevationGain", "elevationLoss", "coordinateCount", "rows", "sum", "alerts")
    database.close()
    return [dict(zip(names, row)) for row in rows]


def expect_equal(what, ours, theirs):
    """Values must be equal; sums of many steps may differ by how they are added."""
    for name, value in theirs.items():
        other = ours.get(name)
        close = other == value
        if isinstance(value, float) and isinstance(other, (int, float)):
            close = abs(other - value) <= 1e-8 * max(abs(value), 1)
        if not close:
            raise Failure(f"{what}: {name} is {other} here and {value} by the floor")


def duration(seconds, units=1):
    """A time a unit, in words of three digits."""
    each = seconds / units
    for scale, unit in ((1, "s"), (1e3, "ms"), (1e6, "µs")):
        if each * scale >= 1:
            return f"{each * scale:.3g} {unit}"
    return f"{each * 1e9:.3g} ns"

"""What all comparisons share: how much work they do, how they import, and their table."""

from dataclasses import dataclass, field

from .stored import expect_same_flights
from .table import Row, duration
from .workshop import MISSION, WORK, compare, median, peak, ratios, remove_logbook, spread, wall


@dataclass
class Sizes:
    """How much work the comparisons do."""

    points: int = 1_000_000
    files: int = 1_000
    points_a_file: int = 3_600
    # Of the slow peers, and of RunWay beside them.
    peer_points: int = 100_000
    small: int = 10_000
    large: int = 3_000_000
    flights: int = 10_000
    alerts: int = 200_000
    coordinates: int = 200_000
    pairs: int = 7
    # Runs of what takes milliseconds.
    starts: int = 40
    idle_seconds: int = 20

    @classmethod
    def quick(cls):
        return cls(
            points=5_000, files=5, points_a_file=400, peer_points=1_000, small=500, large=5_000,
            flights=50, alerts=500, coordinates=5_000, pairs=1, starts=1, idle_seconds=2)


@dataclass
class Bench:
    """The comparisons of one run, and what came of them."""

    workshop: object
    sizes: Sizes
    with_peers: bool = False
    counts_instructions: bool = True
    rows: list = field(default_factory=list)
    notes: list = field(default_factory=list)

    def compare(self, *contenders, pairs=None):
        return compare(self.workshop, contenders, pairs or self.sizes.pairs)

    def add(self, bar, what, allowed, ours, theirs, value=wall, units=1, instructions=""):
        """A row for two contenders: how many times as much RunWay takes."""
        self.rows.append(Row(
            bar, what, duration(median(ours, value), units), duration(median(theirs, value), units),
            *ratios(ours, theirs, value), allowed,
            memory=f"{median(ours, peak) / 1e6:.0f} / {median(theirs, peak) / 1e6:.0f}",
            instructions=instructions))

    def add_peer(self, bar, what, allowed, ours, theirs, units=1):
        """A row for two contenders: how many times as long the other takes."""
        self.rows.append(Row(
            bar, what, duration(median(ours, wall), units), duration(median(theirs, wall), units),
            *ratios(theirs, ours, wall), allowed))

    def add_differences(self, bar, what, allowed, ours, theirs, value, scale):
        """A row for the difference of two contenders, in a unit that `what` names."""
        each = [(value(a) - value(b)) * scale for a, b in zip(ours, theirs)]
        self.rows.append(Row(
            bar, what, f"{median(ours, value) * scale:.1f}", f"{median(theirs, value) * scale:.1f}",
            *spread(each), allowed))

    def add_figures(self, bar, what, allowed, figures, digits=2):
        """A row for what is nothing to compare with."""
        middle, least, greatest = spread(figures)
        self.rows.append(Row(
            bar, what, f"{middle:.{digits}f}", "", middle, least, greatest, allowed))

    def instructions(self, commands):
        """Instructions a point of both, from the difference of two lengths: start-up cancels out.

        `commands` makes the two commands for so many points.
        """
        if not self.counts_instructions:
            return ""
        # Both beyond what an import may hold back, so that their points go the same way.
        short, long = 20_000, 60_000
        counts = [
            [self.workshop.instructions(command) for command in commands(count)]
            for count in (short, long)]
        if None in counts[0] + counts[1]:
            return ""
        return " / ".join(f"{(b - a) / (long - short):,.0f}" for a, b in zip(*counts))

    def whole_instructions(self, commands):
        """Instructions of whole processes, start-up included."""
        if not self.counts_instructions:
            return ""
        counts = [self.workshop.instructions(command) for command in commands]
        return "" if None in counts else " / ".join(f"{count:,}" for count in counts)

    # Imports

    def new_logbook(self, name):
        """The path of a logbook that is not there yet."""
        path = WORK / f"{name}.sqlite"
        remove_logbook(path)
        return path

    def runway_import(self, track, logbook=None):
        return [self.workshop.runway, "import", "--logbook", logbook or self.new_logbook("runway"),
                *MISSION, track]

    def floor_import(self, tracks):
        """The floor finds an empty logbook, for it cannot make one."""
        return [self.workshop.floor, "gpx", "import", self.workshop.fresh_logbook("floor"), *tracks]

    def expect_same_imports(self, count):
        """Holds what RunWay stored last against what the floor stored last."""
        expect_same_flights("import", WORK / "runway.sqlite", WORK / "floor.sqlite", count)

"""The lines of the table, and what is allowed of them."""

import math
from dataclasses import dataclass


@dataclass
class Allowed:
    """The bounds of a bar, both included."""

    least: float = -math.inf
    most: float = math.inf

    def __contains__(self, value):
        return self.least <= value <= self.most

    def __str__(self):
        if self.least == -math.inf:
            return f"≤ {self.most:g}"
        if self.most == math.inf:
            return f"≥ {self.least:g}"
        return f"{self.least:g}–{self.most:g}"


def at_most(limit):
    return Allowed(most=limit)


def at_least(limit):
    return Allowed(least=limit)


# Where a cost may not depend on something, neither direction may.
UNCHANGED = Allowed(0.9, 1.1)


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
    allowed: Allowed
    memory: str = ""
    instructions: str = ""

    def cells(self):
        return [
            self.bar, self.what, self.ours, self.theirs, f"{self.ratio:.2f}",
            f"{self.least:.2f}–{self.greatest:.2f}", str(self.allowed),
            "yes" if self.ratio in self.allowed else "NO", self.memory, self.instructions]


HEAD = ["bar", "what", "RunWay", "other", "ratio", "spread", "allowed", "met", "MB", "instructions"]


def print_table(rows, markdown):
    lines = [HEAD, *(row.cells() for row in rows)]
    if markdown:
        lines.insert(1, ["---"] * len(HEAD))
        for line in lines:
            print("| " + " | ".join(line) + " |")
        return
    widths = [max(len(line[i]) for line in lines) for i in range(len(HEAD))]
    for line in lines:
        print("  ".join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip())


def duration(seconds, units=1):
    """A time a unit, in words of three digits."""
    each = seconds / units
    for scale, unit in ((1, "s"), (1e3, "ms"), (1e6, "µs")):
        if each * scale >= 1:
            return f"{each * scale:.3g} {unit}"
    return f"{each * 1e9:.3g} ns"

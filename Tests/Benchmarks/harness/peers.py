"""Programs that people read such files with; each gets a file and prints as little as it can."""

import os
import pathlib
from dataclasses import dataclass

from .workshop import HERE, WORK, run

READ_GPX = "import gpxpy, sys; gpxpy.parse(open(sys.argv[1]))"
READ_NMEA = "import pynmea2, sys\nfor line in open(sys.argv[1]): pynmea2.parse(line)"


@dataclass
class Peer:
    bar: str
    name: str
    format: str
    command: list
    # How many times as long it must take at least, to decode and for a run of an hour; 0 where that is not measured.
    limit: float
    hour_limit: float = 0
    does: str = "read by"

    def arguments(self, path):
        return [path if word == "FILE" else word for word in self.command]


def babel(format):
    # Without an output it only reads; without -t it reads a GPX file no further than it must.
    return ["gpsbabel", "-t", "-i", format, "-f", "FILE"]


PEERS = [
    Peer("1", "gpxpy", "gpx", ["python3", "-c", READ_GPX, "FILE"], 45, hour_limit=15),
    Peer("1", "GPSBabel", "gpx", babel("gpx"), 1, hour_limit=4),
    Peer("", "GPSBabel that lists its points", "gpx",
         [*babel("gpx"), "-o", "unicsv", "-F", "/dev/null"], 0, hour_limit=1),
    Peer("2", "pynmea2", "nmea", ["python3", "-c", READ_NMEA, "FILE"], 1,
         does="sentences parsed by"),
    Peer("2", "GPSBabel", "nmea", babel("nmea"), 1),
    # -m decodes and prints no more than how long the shortest sentence was.
    Peer("2", "gpsdecode", "nmea", ["sh", "-c", 'gpsdecode -m < "$1"', "sh", "FILE"], 1),
]


def minmea_loop(workshop):
    """The loop program over the minmea that RUNWAY_MINMEA names, or None: no package has that library."""
    folder = pathlib.Path(os.environ.get("RUNWAY_MINMEA", ""))
    if not (folder / "minmea.c").exists():
        return None
    target = WORK / "minmea_loop"
    run(["cc", "-O2", "-std=gnu11", f"-I{folder}", "-o", target,
         HERE / "Floors" / "Peers" / "minmea_loop.c", folder / "minmea.c", "-lm"])
    return target

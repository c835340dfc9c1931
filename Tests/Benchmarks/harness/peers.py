"""Programs that people read such files with; each gets a file and does no more than read it."""

from dataclasses import dataclass

READ_GPX = "import gpxpy, sys; gpxpy.parse(open(sys.argv[1]))"
READ_NMEA = "import pynmea2, sys\nfor line in open(sys.argv[1]): pynmea2.parse(line)"


@dataclass
class Peer:
    bar: str
    name: str
    format: str
    command: list
    # How many times as long it must take at least, a point and for a run of an hour.
    limit: float
    hour_limit: float = 0

    def arguments(self, path):
        return [path if word == "FILE" else word for word in self.command]


def babel(format):
    # Without -t it writes no track, and reads a GPX file no further than it must.
    return ["gpsbabel", "-t", "-i", format, "-f", "FILE", "-o", "unicsv", "-F", "/dev/null"]


PEERS = [
    Peer("1", "gpxpy", "gpx", ["python3", "-c", READ_GPX, "FILE"], 45, hour_limit=15),
    Peer("1", "GPSBabel", "gpx", babel("gpx"), 1, hour_limit=4),
    Peer("2", "pynmea2", "nmea", ["python3", "-c", READ_NMEA, "FILE"], 1),
    Peer("2", "GPSBabel", "nmea", babel("nmea"), 1),
    Peer("2", "gpsdecode", "nmea", ["sh", "-c", 'gpsdecode < "$1"', "sh", "FILE"], 1),
]

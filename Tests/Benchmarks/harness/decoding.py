"""Bars 1 and 2: bytes to locations, and the arithmetic besides."""

import json

from .peers import PEERS, minmea_loop
from .stored import expect_equal
from .table import at_least, at_most
from .workshop import Contender, Failure

UNITS = {"gpx": "a point", "nmea": "an epoch of 5 sentences"}


def stages(bench):
    for bar, format, stage, what, limit in (
        ("1", "gpx", "decode", "GPX bytes to locations", 1.15),
        ("2", "nmea", "decode", "NMEA bytes to locations", 1.3),
        ("", "gpx", "process", "GPX bytes to a flight's totals and alerts", 1.15),
        ("", "nmea", "process", "NMEA bytes to a flight's totals and alerts", 1.3),
    ):
        def commands(count):
            path = bench.workshop.track(format, count)
            return [[program, format, stage, path]
                    for program in (bench.workshop.pipeline, bench.workshop.floor)]

        count = bench.sizes.points
        ours, theirs = bench.compare(*(
            Contender(lambda command=command: command) for command in commands(count)))
        expect_equal(f"{format} {stage}", json.loads(ours[0].output), json.loads(theirs[0].output))
        bench.add(bar, f"{what}, {UNITS[format]}", at_most(limit), ours, theirs, units=count,
                  instructions=bench.instructions(commands))


def peers(bench):
    """How much longer others take to decode the same file, whole process."""
    fast_peer(bench)
    count = bench.sizes.peer_points
    for peer in (peer for peer in PEERS if peer.limit):
        what = f"{peer.format.upper()} {peer.does} {peer.name}, {count:,}, times longer"
        add_peer(bench, peer, peer.bar, what, peer.limit, bench.workshop.track(peer.format, count),
                 lambda path: [bench.workshop.pipeline, peer.format, "decode", path], count)


def fast_peer(bench):
    """minmea takes so little time that it reads as much as the floor."""
    loop = minmea_loop(bench.workshop)
    if loop is None:
        bench.notes.append("not measured: minmea's loop: RUNWAY_MINMEA names no folder that has it")
        return
    count = bench.sizes.points
    path = bench.workshop.track("nmea", count)
    ours, theirs = bench.compare(
        Contender(lambda: [bench.workshop.pipeline, "nmea", "decode", path]),
        Contender(lambda: [loop, path]))
    # Its coordinates are of single precision.
    expect_equal("minmea", json.loads(ours[0].output), json.loads(theirs[0].output), 1e-6)
    bench.add_peer(
        "2", f"NMEA read by minmea's loop, {count:,}, times longer", at_least(1), ours, theirs,
        units=count)


def add_peer(bench, peer, bar, what, limit, path, our_command, units=1):
    try:
        bench.workshop.measure(peer.arguments(bench.workshop.track(peer.format, 1_000)))
    except Failure as failure:
        bench.notes.append(f"not measured: {what}: {failure}")
        return
    ours, theirs = bench.compare(
        Contender(lambda: our_command(path)), Contender(lambda: peer.arguments(path)))
    bench.add_peer(bar, what, at_least(limit), ours, theirs, units=units)

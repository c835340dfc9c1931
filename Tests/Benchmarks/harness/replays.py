"""Bar 8: replay against import, and what only a live feed shows."""

from . import live
from .stored import expect_same_flights
from .table import at_most
from .workshop import MISSION, WORK, Contender


def full_speed(bench):
    points = bench.sizes.points // 10
    track = bench.workshop.track("nmea", points)

    def replay():
        return [bench.workshop.runway, "replay", "--logbook", bench.new_logbook("replayed"),
                *MISSION]

    ours, theirs = bench.compare(
        Contender(replay, stdin=track), Contender(lambda: bench.runway_import(track)))
    expect_same_flights("replay", WORK / "replayed.sqlite", WORK / "runway.sqlite", 1)
    bench.add("8", "`replay` of NMEA at full speed against `import`", at_most(1.3), ours, theirs,
              units=points)


def live_feed(bench):
    delays = live.callout_delays(bench.workshop, bench.new_logbook("live"))
    bench.add_figures(
        "8", f"callout after its epoch, ms, median of {len(delays)}", at_most(5), delays)
    bench.add_figures("8", "the latest of them", at_most(5), [max(delays)])
    shares = [
        live.idle_share(bench.workshop, bench.new_logbook("live"), bench.sizes.idle_seconds)
        for _ in range(min(bench.sizes.pairs, 3))]
    bench.add_figures("8", "CPU while fed at 1 Hz, %", at_most(1), shares)

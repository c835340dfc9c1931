"""Bars 3, 4, 5 and 7: imports of a long file, of a folder and of an hour's run, and start-up."""

from .decoding import add_peer
from .peers import PEERS
from .table import Allowed, at_most
from .workshop import Contender, cpu, peak


def one_import(bench):
    points = bench.sizes.points
    track = bench.workshop.track("gpx", points)
    tenth = bench.workshop.track("gpx", points // 10)

    def commands(count):
        path = bench.workshop.track("gpx", count)
        return [bench.runway_import(path), bench.floor_import([path])]

    ours, theirs, short = bench.compare(
        Contender(lambda: bench.runway_import(track)),
        Contender(lambda: bench.floor_import([track])),
        Contender(lambda: bench.runway_import(tenth, bench.new_logbook("tenth"))))
    bench.expect_same_imports(1)
    bench.add("3", "import of a long GPX, a point: wall", at_most(0.75), ours, theirs, units=points)
    bench.add("3", "import of a long GPX, a point: CPU", at_most(1.25), ours, theirs, cpu, points,
              bench.instructions(commands))
    add_memory(bench, ours, short, "points")


def folder_import(bench):
    folder = bench.workshop.folder(bench.sizes.files, bench.sizes.points_a_file)
    files = sorted(folder.iterdir())
    tenth = bench.workshop.folder(max(bench.sizes.files // 10, 1), bench.sizes.points_a_file)
    ours, theirs, short = bench.compare(
        Contender(lambda: bench.runway_import(folder)),
        Contender(lambda: bench.floor_import(files)),
        Contender(lambda: bench.runway_import(tenth, bench.new_logbook("tenth"))))
    bench.expect_same_imports(len(files))
    points = bench.sizes.files * bench.sizes.points_a_file
    bench.add("4", "import of a folder, a point: wall", at_most(0.65), ours, theirs, units=points)
    add_memory(bench, ours, short, "files")


def add_memory(bench, samples, short, what):
    bench.add_figures(
        "5", "peak memory of it, MB", at_most(40), [peak(sample) / 1e6 for sample in samples], 1)
    bench.add_differences(
        "5", f"peak memory against a tenth of the {what}, MB more", Allowed(-2, 2), samples, short,
        peak, 1e-6)


def small_work(bench):
    ours, theirs = bench.compare(
        Contender(lambda: [bench.workshop.runway, "--version"]),
        Contender(lambda: ["sqlite3", "--version"]), pairs=bench.sizes.starts)
    bench.add("7", "start-up: `--version` against sqlite3's", at_most(2.5), ours, theirs,
              instructions=bench.whole_instructions(
                  [[bench.workshop.runway, "--version"], ["sqlite3", "--version"]]))

    def import_hour(path):
        # Both find an empty logbook: making one happens once in its life.
        return bench.runway_import(path, bench.workshop.fresh_logbook("runway"))

    hour = bench.workshop.track("gpx", 3_600)
    ours, theirs = bench.compare(
        Contender(lambda: import_hour(hour)), Contender(lambda: bench.floor_import([hour])),
        pairs=max(bench.sizes.starts // 2, 1))
    bench.expect_same_imports(1)
    bench.add("7", "one-hour run imported, whole process", at_most(1.3), ours, theirs,
              instructions=bench.whole_instructions([import_hour(hour), bench.floor_import([hour])]))
    for peer in PEERS:
        if bench.with_peers and peer.hour_limit:
            add_peer(bench, peer, peer.bar and "7", f"the same run read by {peer.name}, times longer",
                     peer.hour_limit, hour, import_hour)

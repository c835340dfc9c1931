"""Builds the programs, makes the inputs, runs and measures."""

import os
import pathlib
import re
import shutil
import sqlite3
import statistics
import subprocess
import tempfile
from dataclasses import dataclass

ROOT = pathlib.Path(__file__).resolve().parents[3]
HERE = ROOT / "Tests" / "Benchmarks"
WORK = ROOT / ".build" / "benchmarks"
MISSION = ["--pace", "5:30", "--tolerance", "15", "--distance", "10km"]


class Failure(Exception):
    """A program failed, or two disagree."""


def run(arguments, **options):
    done = subprocess.run([str(a) for a in arguments], **options)
    if done.returncode != 0:
        raise Failure(f"{' '.join(map(str, arguments))}: status {done.returncode}")
    return done


@dataclass
class Sample:
    """What one run took."""

    wall: float
    cpu: float
    peak: int  # bytes
    output: str


class Workshop:
    """The programs under measurement, and their inputs."""

    def __init__(self, static):
        WORK.mkdir(parents=True, exist_ok=True)
        swift = ["swift", "build", "-c", "release", "--package-path", ROOT]
        binaries = ROOT / ".build" / "release"
        if static:
            # Bar 7 is about this build; its own folder keeps the ordinary one's objects.
            swift += ["--static-swift-stdlib", "--scratch-path", ROOT / ".build" / "static"]
            binaries = ROOT / ".build" / "static" / "release"
        for product in ("runway", "runway-fixtures", "pipeline-benchmark"):
            run(swift + ["--product", product], stdout=subprocess.DEVNULL)
        self.runway = binaries / "runway"
        self.fixtures = binaries / "runway-fixtures"
        self.pipeline = binaries / "pipeline-benchmark"
        self.floor = self.compile("floor", sorted((HERE / "Floors").glob("*.c")))
        self.timed = self.compile("timed", [HERE / "Floors" / "Timed" / "timed.c"])
        self.empty_logbook = self.make_empty_logbook()
        self.schema = schema(self.empty_logbook)

    @staticmethod
    def compile(name, sources):
        def flags(what):
            return run(
                ["pkg-config", what, "libxml-2.0", "sqlite3"], capture_output=True, text=True
            ).stdout.split()

        target = WORK / name
        run(["cc", "-O2", "-std=gnu11", "-Wall", "-Wextra", "-Werror", *flags("--cflags"),
             "-o", target, *sources, *flags("--libs"), "-lm"])
        return target

    # Inputs

    def track(self, format, count):
        """A file of so many points or epochs."""
        path = WORK / f"{count}.{format}"
        return self.input(path, [format, count, path])

    def folder(self, files, count):
        """A folder of different GPX files of so many points."""
        path = WORK / f"{files}x{count}"
        return self.input(path, ["folder", files, count, path])

    def input(self, path, arguments):
        """Made once, and anew by a newer generator."""
        made = self.fixtures.stat().st_mtime
        if path.is_dir() and path.stat().st_mtime < made:
            shutil.rmtree(path)
        if not path.exists() or path.stat().st_mtime < made:
            run([self.fixtures, *arguments])
        return path

    def make_empty_logbook(self):
        """A logbook without flights, as RunWay makes it: the floor stores into the same tables."""
        path = WORK / "empty.sqlite"
        remove_logbook(path)
        for arguments in (["import", ROOT / "Fixtures" / "gpx-1.0.gpx"], ["delete", "--yes", "latest"]):
            run([self.runway, *arguments, "--logbook", path], stdout=subprocess.DEVNULL)
        return path

    def fresh_logbook(self, name):
        return copy_logbook(self.empty_logbook, name)

    # Measuring

    def measure(self, arguments, stdin=None):
        """Runs a program once."""
        with tempfile.TemporaryFile() as report, tempfile.TemporaryFile() as output:
            # The launcher writes to descriptor 3.
            done = subprocess.run(
                ["sh", "-c", f'exec "$@" 3>&{report.fileno()}', "sh", self.timed,
                 *map(str, arguments)],
                stdin=open(stdin, "rb") if stdin else subprocess.DEVNULL, stdout=output,
                stderr=subprocess.PIPE, pass_fds=[report.fileno()])
            if done.returncode != 0:
                raise Failure(
                    f"{' '.join(map(str, arguments))}: status {done.returncode}: "
                    + done.stderr.decode(errors="replace")[-500:])
            report.seek(0)
            output.seek(0)
            wall, cpu, peak = report.read().split()
            return Sample(
                float(wall), float(cpu), int(peak) * 1024, output.read().decode(errors="replace"))

    def instructions(self, arguments):
        """The instructions a program takes by callgrind, or None without valgrind."""
        if shutil.which("valgrind") is None:
            return None
        done = subprocess.run(
            ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null",
             *map(str, arguments)], capture_output=True, text=True)
        found = re.search(r"Collected : (\d+)", done.stderr)
        return int(found[1]) if found and done.returncode == 0 else None


def copy_logbook(source, name):
    """A copy of a closed logbook, without what a former copy left."""
    target = WORK / f"{name}.sqlite"
    remove_logbook(target)
    shutil.copyfile(source, target)
    # Or the first to sync the copy would wait for all of it.
    with open(target, "rb") as copy:
        os.fsync(copy.fileno())
    return target


def remove_logbook(path):
    for file in path.parent.glob(path.name + "*"):
        if file.is_dir():
            shutil.rmtree(file)
        else:
            file.unlink()


def schema(path):
    """All that makes a logbook's tables and indexes what they are."""
    database = sqlite3.connect(path)
    statements = database.execute("SELECT sql FROM sqlite_schema WHERE sql NOT NULL ORDER BY name")
    text = "\n".join(sql for (sql,) in statements)
    database.close()
    return text


@dataclass
class Contender:
    """One side of a comparison: `prepare` gives the arguments of the next run."""

    prepare: object
    stdin: object = None


def compare(workshop, contenders, pairs):
    """Runs contenders in turn, the order changing, and gives the samples of each."""
    samples = [[] for _ in contenders]
    for pair in range(pairs):
        order = list(zip(contenders, samples))
        for contender, taken in order if pair % 2 == 0 else reversed(order):
            taken.append(workshop.measure(contender.prepare(), contender.stdin))
    return samples


def ratios(ours, theirs, value):
    """The ratio of each pair: median, least, greatest."""
    return spread([value(a) / value(b) for a, b in zip(ours, theirs)])


def spread(values):
    """Median, least, greatest."""
    return statistics.median(values), min(values), max(values)


def median(samples, value):
    return statistics.median(value(sample) for sample in samples)


def wall(sample):
    return sample.wall


def cpu(sample):
    return sample.cpu


def peak(sample):
    return sample.peak

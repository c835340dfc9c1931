"""Builds the programs, makes the inputs, runs and measures."""

import os
import pathlib
import re
import shutil
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
        if not path.exists():
            run([self.fixtures, format, count, path])
        return path

    def folder(self, files, count):
        """A folder of different GPX files of so many points."""
        path = WORK / f"{files}x{count}"
        if not path.exists():
            run([self.fixtures, "folder", files, count, path])
        return path

    def empty_logbook(self):
        """A logbook without flights, as RunWay makes it: the floor stores into the same tables."""
        path = WORK / "empty.sqlite"
        if not path.exists():
            run([self.runway, "import", "--logbook", path, ROOT / "Fixtures" / "gpx-1.0.gpx"],
                stdout=subprocess.DEVNULL)
            run([self.runway, "delete", "--yes", "--logbook", path, "latest"],
                stdout=subprocess.DEVNULL)
        return path

    def fresh_logbook(self, name):
        return copy_logbook(self.empty_logbook(), name)

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


@dataclass
class Contender:
    """One side of a comparison: `prepare` gives the arguments of the next run."""

    name: str
    prepare: object
    stdin: object = None


def compare(workshop, ours, theirs, pairs):
    """Runs two contenders in turn, the order changing, and gives the samples of each."""
    samples = {ours.name: [], theirs.name: []}
    for pair in range(pairs):
        order = (ours, theirs) if pair % 2 == 0 else (theirs, ours)
        for contender in order:
            samples[contender.name].append(
                workshop.measure(contender.prepare(), contender.stdin))
    return samples[ours.name], samples[theirs.name]


def ratios(ours, theirs, value):
    """The ratio of each pair: median, least, greatest."""
    found = [value(a) / value(b) for a, b in zip(ours, theirs)]
    return statistics.median(found), min(found), max(found)


def median(samples, value):
    return statistics.median(value(sample) for sample in samples)


def wall(sample):
    return sample.wall


def cpu(sample):
    return sample.cpu


def peak(sample):
    return sample.peak

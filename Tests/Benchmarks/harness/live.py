"""What only a live feed shows: how soon a callout comes, and what waiting costs."""

import json
import resource
import subprocess
import threading
import time

from .workshop import MISSION, ROOT, Failure


def epochs(path):
    """The sentences of each epoch of a log whose epochs begin with RMC."""
    found = []
    for line in path.read_bytes().splitlines(keepends=True):
        if line.startswith(b"$GPRMC"):
            found.append([])
        found[-1].append(line)
    return found


def start(workshop, logbook, options):
    return subprocess.Popen(
        [str(workshop.runway), "replay", "--logbook", str(logbook), *options],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)


def callout_delays(workshop, logbook):
    """Milliseconds from the sentence that ends an epoch to its callout, for each."""
    process = start(workshop, logbook, [*MISSION, "--json"])
    sent, heard = {}, []

    def listen():
        for line in process.stdout:
            now = time.perf_counter()
            event = json.loads(line)
            if event["event"] == "callout":
                heard.append((event["timestamp"][11:19].replace(":", ""), now))

    listener = threading.Thread(target=listen)
    listener.start()
    for epoch in epochs(ROOT / "Fixtures" / "ten-kilometres.nmea"):
        for sentence in epoch[:-1]:
            process.stdin.write(sentence)
        sent[epoch[0][7:13].decode()] = time.perf_counter()
        process.stdin.write(epoch[-1])
        # A reader that keeps up is what is measured, not a full pipe.
        time.sleep(0.001)
    process.stdin.close()
    listener.join()
    if process.wait() != 0 or not heard:
        raise Failure("replay gave no callout")
    return [(now - sent[clock]) * 1e3 for clock, now in heard]


def idle_share(workshop, logbook, seconds):
    """The share of a core, in percent, that a replay fed at 1 Hz takes, start-up and touchdown included."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    process = start(workshop, logbook, [*MISSION])
    reader = threading.Thread(target=process.stdout.read)
    reader.start()
    for epoch in epochs(ROOT / "Fixtures" / "ten-kilometres.nmea")[:seconds]:
        process.stdin.write(b"".join(epoch))
        time.sleep(1)
    process.stdin.close()
    reader.join()
    if process.wait() != 0:
        raise Failure("replay failed")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return used / seconds * 100

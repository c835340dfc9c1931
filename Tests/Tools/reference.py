#!/usr/bin/env python3
"""Computes from the fixtures what RunWay should find, independently of it.

Lengths come from GeographicLib (`pip install geographiclib`), XML from Python's own expat;
the rules are written anew from the documentation, plainly and slowly. Only tracks all of whose valid
locations count are measured in full.

    python3 Tests/Tools/reference.py > Fixtures/expected.json
"""

import datetime
import json
import math
import pathlib
import xml.etree.ElementTree as ElementTree

from geographiclib.geodesic import Geodesic

FIXTURES = pathlib.Path(__file__).resolve().parents[2] / "Fixtures"
MISSIONS = {
    "ten-kilometres.gpx": dict(pace=330, tolerance=15, distance=10_000),
    "ten-kilometres.nmea": dict(pace=330, tolerance=15, distance=10_000),
    "smart-recording.gpx": dict(pace=330, tolerance=15, distance=1_000),
    "stops.gpx": dict(pace=350, tolerance=20, distance=3_000),
}
MEASURED = [
    "date-line.gpx", "gpx-1.0.gpx", "latin-1.gpx", "midnight.gpx", "midnight.nmea",
    "multi-track.gpx", "smart-recording.gpx", "stops.gpx", "ten-kilometres.gpx",
    "ten-kilometres.nmea",
]
EFFORTS = [
    ("400 m", 400), ("1 km", 1_000), ("1 mile", 1_609.344), ("5 km", 5_000), ("10 km", 10_000),
    ("Half marathon", 21_097.5), ("Marathon", 42_195),
]
SLOW = 0.5  # m/s, below which a runner stands


class Point:
    def __init__(self, latitude, longitude, time, altitude=None, speed=None, segment=0):
        self.latitude, self.longitude, self.time = latitude, longitude, time
        self.altitude, self.speed, self.segment = altitude, speed, segment


def length(a, b):
    return Geodesic.WGS84.Inverse(
        a.latitude, a.longitude, b.latitude, b.longitude, Geodesic.DISTANCE)["s12"]


# Readers


def read_gpx(path):
    """The tracks of a GPX file, each a list of points."""
    def local(element):
        return element.tag.rsplit("}", 1)[-1]

    def number(point, name):
        found = [child.text for child in point if local(child) == name]
        return float(found[0]) if found else None

    tracks = []
    for track in ElementTree.parse(path).getroot():
        if local(track) != "trk":
            continue
        points = []
        for index, segment in enumerate(child for child in track if local(child) == "trkseg"):
            for point in segment:
                stamp = [child.text for child in point if local(child) == "time"]
                time = datetime.datetime.fromisoformat(stamp[0].replace("Z", "+00:00"))
                points.append(Point(
                    float(point.get("lat")), float(point.get("lon")), time.timestamp(),
                    number(point, "ele"), number(point, "speed"), index))
        tracks.append(points)
    return tracks


def read_nmea(path):
    """The one track of a log whose epochs begin with RMC, followed by GGA."""
    def angle(text, hemisphere):
        head, minutes = text[:text.index(".") - 2], text[text.index(".") - 2:]
        value = int(head) + float(minutes) / 60
        return -value if hemisphere in "SW" else value

    points = []
    for line in path.read_text().splitlines():
        body, checksum = line[1:].split("*")
        seen = 0
        for character in body:
            seen ^= ord(character)
        assert seen == int(checksum, 16)
        fields = body.split(",")
        if fields[0] == "GPRMC":
            moment = datetime.datetime.strptime(fields[9] + fields[1], "%d%m%y%H%M%S.%f")
            points.append(Point(
                angle(fields[3], fields[4]), angle(fields[5], fields[6]),
                moment.replace(tzinfo=datetime.timezone.utc).timestamp(),
                speed=float(fields[7]) * 1852 / 3600))
        elif fields[0] == "GPGGA":
            points[-1].altitude = float(fields[9])
    return [points]


# Measures


def is_standing(points, i):
    """The index of the earliest location of the stand that location i shows, or None."""
    here = points[i]
    first = i
    while first > 0 and points[first - 1].segment == here.segment:
        first -= 1
    if here.speed is not None:
        j = i
        while j >= first and points[j].speed is not None and points[j].speed < SLOW:
            j -= 1
        j += 1
        return j if j <= i and here.time - points[j].time >= 2 else None
    j = i
    while j > first and here.time - points[j].time < 8:
        j -= 1
    span = here.time - points[j].time
    if span < 8:
        return None
    if all(length(points[k], here) <= SLOW * span for k in range(j, i)):
        return j
    return None


def raw_speed(points, i):
    here = points[i]
    if here.speed is not None:
        return here.speed
    j, chords = i, 0.0
    while here.time - points[j].time < 8:
        k = j
        while k > 0 and points[k - 1].segment == here.segment and points[j].time - points[k].time < 4:
            k -= 1
        if k == j or points[j].time - points[k].time <= 0:
            break
        chords += length(points[k], points[j])
        j = k
        if points[j].segment != here.segment:
            break
    span = here.time - points[j].time
    return chords / span if span > 0 else None


def measure(points, mission):
    n = len(points)
    start = points[0].time
    steps = [0.0] + [
        length(points[i - 1], points[i]) if points[i - 1].segment == points[i].segment else 0.0
        for i in range(1, n)]
    raw = math.fsum(steps)

    # Which steps are stood, and which locations stand.
    standing = [False] * n
    stood = [False] * n  # the step into i adds no distance
    still = [False] * n  # the step into i is no moving time
    stop_end = -1  # the last location of the previous stop
    for i in range(1, n):
        if points[i - 1].segment != points[i].segment:
            stop_end = i - 1
            continue
        if points[i - 1].time < start + 5:
            continue
        span = points[i].time - points[i - 1].time
        earliest = is_standing(points, i)
        if points[i].speed is None and span >= 8:
            earliest = i - 1 if steps[i] < SLOW * span else None
        if earliest is None:
            if standing[i - 1]:
                stop_end = i - 1
            continue
        standing[i] = stood[i] = True
        for k in range(max(earliest, stop_end, 0) + 1, i + 1):
            if points[k - 1].time >= start + 5:
                still[k] = True

    distance, moving = [0.0], [0.0]
    for i in range(1, n):
        broken = points[i - 1].segment != points[i].segment
        distance.append(distance[-1] + (0 if stood[i] or broken else steps[i]))
        moving.append(moving[-1] + (
            0 if still[i] or broken else points[i].time - points[i - 1].time))

    gains, losses = [0.0] * n, [0.0] * n
    reference = None
    for i in range(n):
        if i == 0 or points[i].segment != points[i - 1].segment:
            reference = None
        if points[i].altitude is None:
            continue
        if reference is None:
            reference = points[i].altitude
        change = points[i].altitude - reference
        # 105.1 − 100.1 is a little less than 5 in binary.
        if abs(change) >= 5 - 1e-6:
            (gains if change > 0 else losses)[i] = abs(change)
            reference = points[i].altitude

    result = {
        "points": n,
        "segments": len({point.segment for point in points}),
        "startedAt": stamp(points[0].time),
        "endedAt": stamp(points[-1].time),
        "rawDistance": raw,
        "distance": distance[-1],
        "elapsedTime": points[-1].time - start,
        "movingTime": moving[-1],
        "elevationGain": sum(gains),
        "elevationLoss": sum(losses),
        "splits": splits(points, distance, moving, gains, losses, 1_000),
        "mileSplits": splits(points, distance, moving, gains, losses, 1_609.344),
        "bestEfforts": best_efforts(points, distance),
    }
    if mission:
        result["mission"] = mission
        result["alerts"] = alerts(points, distance, moving, standing, mission)
    return result


def stamp(time):
    moment = datetime.datetime.fromtimestamp(time, datetime.timezone.utc)
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")


def splits(points, distance, moving, gains, losses, unit):
    result = []
    last = (0.0, points[0].time, 0.0)
    gain = loss = 0.0

    def close(at, time, moved):
        nonlocal last, gain, loss
        result.append({
            "distance": at - last[0], "elapsedTime": time - last[1],
            "movingTime": moved - last[2], "elevationGain": gain, "elevationLoss": loss})
        last, gain, loss = (at, time, moved), 0.0, 0.0

    for i in range(1, len(points)):
        while distance[i] >= (len(result) + 1) * unit:
            at = (len(result) + 1) * unit
            share = (at - distance[i - 1]) / (distance[i] - distance[i - 1])
            close(
                at, points[i - 1].time + share * (points[i].time - points[i - 1].time),
                moving[i - 1] + share * (moving[i] - moving[i - 1]))
        gain += gains[i]
        loss += losses[i]
    if distance[-1] > last[0]:
        close(distance[-1], points[-1].time, moving[-1])
    return result


def best_efforts(points, distance):
    def moment(at, latest):
        """When a distance was reached first, or left last."""
        order = range(1, len(points))
        for i in reversed(order) if latest else order:
            low, high = distance[i - 1], distance[i]
            if latest and low <= at < high or not latest and low < at <= high:
                share = (at - low) / (high - low)
                return points[i - 1].time + share * (points[i].time - points[i - 1].time)
        return points[-1].time if latest else points[0].time

    found = []
    for name, goal in EFFORTS:
        best = None
        starts = {d for d in distance if d + goal <= distance[-1]}
        starts |= {d - goal for d in distance if d >= goal}
        for at in sorted(starts):
            # What was subtracted and is added again may come out a hair beyond the end.
            end = min(at + goal, distance[-1])
            time = moment(end, False) - moment(at, True)
            if best is None or time < best[0]:
                best = (time, at)
        if best:
            found.append({"name": name, "elapsedTime": best[0], "startDistance": best[1]})
    return found


# The warning system


def paces(points, standing):
    result = []
    once = twice = None
    for i, point in enumerate(points):
        if i and (point.segment != points[i - 1].segment or point.time - points[i - 1].time > 30):
            once = twice = None
        speed = raw_speed(points, i)
        if once is None:
            if speed is not None and speed > 0:
                once = twice = speed
        elif speed is not None:
            weight = 1 - math.exp(-(point.time - points[i - 1].time) / 8)
            once += weight * (speed - once)
            twice += weight * (once - twice)
        known = twice is not None and twice >= SLOW and not standing[i]
        result.append(1000 / twice if known else None)
    return result


def alerts(points, distance, moving, standing, mission):
    target, tolerance = mission["pace"], mission["tolerance"]
    goal = mission.get("distance")
    pace = paces(points, standing)
    stored, armed = [], False
    state, opened = "normal", None
    stretches = {}  # condition → index of the first location at which it has held since
    last_end = None  # when the last stored pace episode ended
    segment_start = points[0].time
    minimums = None

    def alert(state, begin):
        return {
            "state": state, "timestamp": stamp(points[begin].time), "distance": distance[begin],
            "endedAt": None, "pace": pace[begin], "begin": begin}

    def leave(end):
        nonlocal state, opened, last_end
        if opened is not None:
            opened["endedAt"] = stamp(points[end].time)
            last_end = points[end].time
        state, opened = "normal", None

    pending = None  # an episode within the 20 s: its first location
    for i, point in enumerate(points):
        if i and point.segment != points[i - 1].segment:
            segment_start = point.time
        if goal is not None and i:
            near = max(goal - 50, 0)
            if minimums is None and distance[i] >= near:
                minimums = alert("minimums", i)
                stored.append(minimums)
                if distance[i] >= goal:
                    minimums["endedAt"] = stamp(point.time)
            elif minimums is not None and minimums["endedAt"] is None and distance[i] >= goal:
                minimums["endedAt"] = stamp(point.time)

        now = pace[i]
        # What arms is the pace alone, also in the first seconds.
        if now is not None and abs(now - target) <= tolerance or moving[i] >= 120:
            armed = True
        if now is None or standing[i] or point.time < segment_start + 5:
            leave(i)
            pending = None
            stretches.clear()
            continue
        if not armed:
            continue
        holds = {
            "sinkRate": now >= target + tolerance,
            "overspeed": now < target - tolerance,
            "sinkRate over": now < target + tolerance / 2,
            "overspeed over": now > target - tolerance / 2,
        }
        for name, held in holds.items():
            if held:
                stretches.setdefault(name, i)
            else:
                stretches.pop(name, None)

        def complete(name):
            return name in stretches and point.time - points[stretches[name]].time >= 10

        for name in ("sinkRate", "overspeed"):
            if state != name and complete(name):
                if state != "normal":
                    leave(stretches[name])
                state, pending = name, stretches[name]
        if state != "normal" and complete(state + " over"):
            leave(stretches[state + " over"])
            pending = None
        if pending is not None and (last_end is None or point.time >= last_end + 20):
            opened = alert(state, pending)
            stored.append(opened)
            pending = None
    for found in stored:
        if found["endedAt"] is None:
            found["endedAt"] = stamp(points[-1].time)
    stored.sort(key=lambda found: found["begin"])
    for found in stored:
        del found["begin"]
    return stored


def main():
    expected = []
    for name in MEASURED:
        path = FIXTURES / name
        tracks = read_gpx(path) if path.suffix == ".gpx" else read_nmea(path)
        for index, points in enumerate(tracks):
            expected.append(
                {"file": name, "track": index} | measure(points, MISSIONS.get(name)))

    def rounded(value):
        if isinstance(value, float):
            return round(value, 6)
        if isinstance(value, dict):
            return {key: rounded(entry) for key, entry in value.items()}
        return [rounded(entry) for entry in value] if isinstance(value, list) else value

    print(json.dumps(rounded(expected), indent=1))


main()

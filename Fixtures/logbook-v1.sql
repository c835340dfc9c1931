-- A logbook as the first released schema makes it, with one flight: a minute at 5:00 /km, a minute
-- at 6:40 /km, a fix every 5 s, one of them astray, and what version 1 made of it.
-- It is built from this text by the tests and must open in every later version.
CREATE TABLE mission (
  key INTEGER PRIMARY KEY,
  name TEXT NOT NULL COLLATE NOCASE UNIQUE CHECK (name <> ''),
  pace REAL NOT NULL CHECK (pace > 0),
  tolerance REAL NOT NULL CHECK (tolerance > 0),
  distance REAL CHECK (distance > 0)
) STRICT;

CREATE TABLE flight (
  key INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE CHECK (id <> ''),
  name TEXT COLLATE NOCASE,
  type TEXT,
  notes TEXT,
  sourcePath TEXT,
  sourceFormat TEXT,
  creator TEXT,
  calories REAL,
  mission INTEGER REFERENCES mission (key) ON DELETE SET NULL,
  targetPace REAL CHECK (targetPace > 0),
  tolerance REAL CHECK (tolerance > 0),
  targetDistance REAL CHECK (targetDistance > 0),
  maxSpeed REAL NOT NULL,
  timeOrigin INTEGER,
  startedAt INTEGER,
  endedAt INTEGER,
  distance REAL NOT NULL DEFAULT 0,
  rawDistance REAL NOT NULL DEFAULT 0,
  elapsedTime REAL,
  movingTime REAL,
  pace REAL GENERATED ALWAYS AS (movingTime * 1000 / nullif(distance, 0)) VIRTUAL,
  elevationGain REAL,
  elevationLoss REAL,
  heartRate REAL,
  cadence REAL,
  coordinateCount INTEGER NOT NULL DEFAULT 0,
  segmentCount INTEGER NOT NULL DEFAULT 0,
  invalidCount INTEGER NOT NULL DEFAULT 0,
  duplicateCount INTEGER NOT NULL DEFAULT 0,
  backwardsCount INTEGER NOT NULL DEFAULT 0,
  spikeCount INTEGER NOT NULL DEFAULT 0,
  fingerprint BLOB CHECK (length(fingerprint) = 16),
  touchedDown INTEGER NOT NULL CHECK (touchedDown IN (0, 1)),
  CHECK ((targetPace IS NULL) = (tolerance IS NULL))
) STRICT;
CREATE INDEX flightByStart ON flight (startedAt);
CREATE INDEX flightByDistance ON flight (distance);
CREATE INDEX flightByPace ON flight (pace);
CREATE INDEX flightByName ON flight (name);
CREATE INDEX flightByMission ON flight (mission);
CREATE INDEX flightByFingerprint ON flight (fingerprint);
CREATE INDEX flightInTheAir ON flight (key) WHERE touchedDown = 0;

CREATE TABLE coordinate (
  flight INTEGER NOT NULL REFERENCES flight (key) ON DELETE CASCADE,
  "order" INTEGER NOT NULL,
  latitude REAL NOT NULL,
  longitude REAL NOT NULL,
  altitude REAL,
  time INTEGER,
  speed REAL,
  course REAL,
  hdop REAL,
  heartRate REAL,
  cadence REAL,
  power REAL,
  segment INTEGER NOT NULL,
  discarded TEXT,
  PRIMARY KEY (flight, "order")
) STRICT, WITHOUT ROWID;

CREATE TABLE alert (
  flight INTEGER NOT NULL REFERENCES flight (key) ON DELETE CASCADE,
  number INTEGER NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('sinkRate', 'overspeed', 'minimums')),
  timestamp INTEGER NOT NULL,
  endedAt INTEGER,
  pace REAL,
  peakPace REAL,
  distance REAL NOT NULL,
  latitude REAL NOT NULL,
  longitude REAL NOT NULL,
  PRIMARY KEY (timestamp, flight, number)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX alertByFlight ON alert (flight, number);
CREATE INDEX alertByState ON alert (state, timestamp);

CREATE TABLE split (
  flight INTEGER NOT NULL REFERENCES flight (key) ON DELETE CASCADE,
  unit TEXT NOT NULL CHECK (unit IN ('kilometer', 'mile')),
  "index" INTEGER NOT NULL,
  distance REAL NOT NULL,
  elapsedTime REAL,
  movingTime REAL,
  elevationGain REAL,
  elevationLoss REAL,
  heartRate REAL,
  PRIMARY KEY (flight, unit, "index")
) STRICT, WITHOUT ROWID;

CREATE TABLE bestEffort (
  flight INTEGER NOT NULL REFERENCES flight (key) ON DELETE CASCADE,
  name TEXT NOT NULL,
  elapsedTime REAL NOT NULL,
  startDistance REAL NOT NULL,
  PRIMARY KEY (flight, name)
) STRICT, WITHOUT ROWID;
CREATE INDEX bestEffortByTime ON bestEffort (name, elapsedTime);

CREATE TABLE rejected (
  flight INTEGER NOT NULL REFERENCES flight (key) ON DELETE CASCADE,
  reason TEXT NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (flight, reason)
) STRICT, WITHOUT ROWID;

CREATE TABLE tag (
  key INTEGER PRIMARY KEY,
  name TEXT NOT NULL COLLATE NOCASE UNIQUE CHECK (name <> '')
) STRICT;

CREATE TABLE flightTag (
  flight INTEGER NOT NULL REFERENCES flight (key) ON DELETE CASCADE,
  tag INTEGER NOT NULL REFERENCES tag (key) ON DELETE CASCADE,
  PRIMARY KEY (flight, tag)
) STRICT, WITHOUT ROWID;
CREATE INDEX flightTagByTag ON flightTag (tag, flight);

CREATE TABLE setting (
  name TEXT NOT NULL PRIMARY KEY,
  value REAL NOT NULL
) STRICT, WITHOUT ROWID;

CREATE VIEW flights AS
SELECT id, name, type, notes,
  strftime('%Y-%m-%dT%H:%M:%fZ', startedAt / 1e6, 'unixepoch') AS startedAt,
  strftime('%Y-%m-%dT%H:%M:%fZ', endedAt / 1e6, 'unixepoch') AS endedAt,
  distance, rawDistance, elapsedTime, movingTime, pace, elevationGain, elevationLoss,
  heartRate, cadence, calories,
  iif(targetPace IS NULL, 'modeB', 'modeA') AS mode, targetPace, tolerance, targetDistance,
  coordinateCount, segmentCount,
  (SELECT count(*) FROM alert WHERE alert.flight = flight.key) AS alertCount,
  (SELECT group_concat(tag.name, ', ') FROM flightTag JOIN tag ON tag.key = flightTag.tag
    WHERE flightTag.flight = flight.key) AS tags,
  sourcePath, sourceFormat, creator, touchedDown
FROM flight;

CREATE VIEW alerts AS
SELECT flight.id || '/' || alert.number AS id, flight.id AS flight, state,
  strftime('%Y-%m-%dT%H:%M:%fZ', timestamp / 1e6, 'unixepoch') AS timestamp,
  strftime('%Y-%m-%dT%H:%M:%fZ', alert.endedAt / 1e6, 'unixepoch') AS endedAt,
  alert.pace, peakPace, alert.distance, latitude, longitude
FROM alert JOIN flight ON flight.key = alert.flight;

CREATE VIEW coordinates AS
SELECT flight.id AS flight, "order", latitude, longitude, altitude,
  strftime('%Y-%m-%dT%H:%M:%fZ', (flight.timeOrigin + time) / 1e6, 'unixepoch') AS time,
  speed, course, hdop, coordinate.heartRate, coordinate.cadence, power, segment, discarded
FROM coordinate JOIN flight ON flight.key = coordinate.flight;

PRAGMA application_id = 1381458297;
PRAGMA user_version = 1;

INSERT INTO mission (key, name, pace, tolerance, distance) VALUES (1, 'Tempo', 300, 10, 5000);
INSERT INTO flight (key, id, name, type, sourcePath, sourceFormat, creator, mission, targetPace,
  tolerance, targetDistance, maxSpeed, timeOrigin, startedAt, endedAt, distance, rawDistance,
  elapsedTime, movingTime, elevationGain, elevationLoss, heartRate, coordinateCount, segmentCount,
  spikeCount, fingerprint, touchedDown)
VALUES (1, '0e37df36-f698-11e6-8dd4-cb9ced3df976', 'First flight', 'running', 'first.gpx', 'gpx',
  'Watch', 1, 300, 10, 5000, 12.5, 1780986600000000, 1780986600000000, 1780986720000000,
  350.0233846848124, 2140.454788452219, 120, 120, 0, 0, 152, 24, 1, 1,
  x'81c055e669175b184dcadb04499561ae', 1);
INSERT INTO coordinate (flight, "order", latitude, longitude, altitude, time, heartRate, segment,
  discarded)
VALUES
  (1, 0, 35.1, 139.2, 12.5, 0, 140, 0, NULL),
  (1, 1, 35.10015, 139.2, NULL, 5000000, 141, 0, NULL),
  (1, 2, 35.1003, 139.2, 13, 10000000, NULL, 0, NULL),
  (1, 3, 35.100451, 139.2, 13.25, 15000000, 143, 0, NULL),
  (1, 4, 35.100601, 139.2, 12.5, 20000000, 144, 0, NULL),
  (1, 5, 35.100751, 139.2, 12.75, 25000000, 145, 0, NULL),
  (1, 6, 35.100901, 139.21, 13, 30000000, 146, 0, 'spike'),
  (1, 7, 35.101052, 139.2, 13.25, 35000000, 147, 0, NULL),
  (1, 8, 35.101202, 139.2, 12.5, 40000000, 148, 0, NULL),
  (1, 9, 35.101352, 139.2, 12.75, 45000000, 149, 0, NULL),
  (1, 10, 35.101502, 139.2, 13, 50000000, 150, 0, NULL),
  (1, 11, 35.101653, 139.2, 13.25, 55000000, 151, 0, NULL),
  (1, 12, 35.101803, 139.2, 12.5, 60000000, 152, 0, NULL),
  (1, 13, 35.101915, 139.2, 12.75, 65000000, 153, 0, NULL),
  (1, 14, 35.102028, 139.2, 13, 70000000, 154, 0, NULL),
  (1, 15, 35.102141, 139.2, 13.25, 75000000, 155, 0, NULL),
  (1, 16, 35.102253, 139.2, 12.5, 80000000, 156, 0, NULL),
  (1, 17, 35.102366, 139.2, 12.75, 85000000, 157, 0, NULL),
  (1, 18, 35.102479, 139.2, 13, 90000000, 158, 0, NULL),
  (1, 19, 35.102591, 139.2, 13.25, 95000000, 159, 0, NULL),
  (1, 20, 35.102704, 139.2, 12.5, 100000000, 160, 0, NULL),
  (1, 21, 35.102817, 139.2, 12.75, 105000000, 161, 0, NULL),
  (1, 22, 35.102929, 139.2, 13, 110000000, 162, 0, NULL),
  (1, 23, 35.103042, 139.2, 13.25, 115000000, 163, 0, NULL),
  (1, 24, 35.103155, 139.2, 12.5, 120000000, 164, 0, NULL);
INSERT INTO alert (flight, number, state, timestamp, endedAt, pace, peakPace, distance, latitude,
  longitude)
VALUES (1, 0, 'sinkRate', 1780986670000000, 1780986720000000, 327.2946454185894, 399.248049111988,
  224.99123867939002, 35.102028, 139.2);
INSERT INTO split (flight, unit, "index", distance, elapsedTime, movingTime, elevationGain,
  elevationLoss, heartRate)
VALUES
  (1, 'kilometer', 1, 350.0233846848124, 120, 120, 0, 0, 152),
  (1, 'mile', 1, 350.0233846848124, 120, 120, 0, 0, 152);
INSERT INTO tag (key, name) VALUES (1, 'hills');
INSERT INTO flightTag (flight, tag) VALUES (1, 1);

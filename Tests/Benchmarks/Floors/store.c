/* Rows into a logbook that RunWay made: its tables, indexes and foreign keys, its pragmas, the columns of
 * flights, coordinates and alerts that this program can fill, as many rows a statement and as many files a
 * transaction.
 *
 * What RunWay does besides is left out: splits, best efforts, discarded locations, the check for a recording that
 * is there already (the fingerprint is random). */
#include "floor.h"

#include <math.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define COLUMNS 11
/* A commit comes after so many files, or the first that ends so long after the transaction began. */
#define FILES_A_TRANSACTION 32
#define TRANSACTION_SECONDS 0.2

/* Most of the cost of a row is that of starting a statement; the last rows of a flight take smaller ones. */
static const int batch_sizes[] = {128, 16, 1};
#define BATCHES 3
#define ROWS 128

struct store {
  struct sink sink;
  sqlite3 *database;
  sqlite3_stmt *inserts[BATCHES];
  int64_t flight, order, origin;
  int is_open, files;
  double began;
  int held;
  struct location rows[ROWS];
};

static int run(struct store *store, const char *sql) {
  return sqlite3_exec(store->database, sql, NULL, NULL, NULL) == SQLITE_OK ? 0 : -1;
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static sqlite3_stmt *prepare_insert(sqlite3 *database, int rows) {
  char *sql = malloc(256 + (size_t)rows * 64), *at = sql;
  at += sprintf(at, "INSERT INTO coordinate (flight, \"order\", latitude, longitude, altitude, time, "
                    "speed, course, hdop, heartRate, cadence, power, segment) VALUES ");
  for (int row = 0; row < rows; row++)
    at += sprintf(at, "%s(?1, ?2 + %d, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", row ? ", " : "", row);
  sqlite3_stmt *statement = NULL;
  sqlite3_prepare_v3(database, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, NULL);
  free(sql);
  return statement;
}

static void bind_optional(sqlite3_stmt *statement, int index, double value) {
  if (isnan(value)) sqlite3_bind_null(statement, index);
  else sqlite3_bind_double(statement, index, value);
}

static void insert(struct store *store, sqlite3_stmt *statement, const struct location *rows, int count) {
  sqlite3_bind_int64(statement, 1, store->flight);
  sqlite3_bind_int64(statement, 2, store->order);
  int index = 3;
  for (int row = 0; row < count; row++, index += COLUMNS) {
    const struct location *location = &rows[row];
    sqlite3_bind_double(statement, index, location->latitude);
    sqlite3_bind_double(statement, index + 1, location->longitude);
    bind_optional(statement, index + 2, location->altitude);
    sqlite3_bind_int64(statement, index + 3, location->time - store->origin);
    bind_optional(statement, index + 4, location->speed);
    bind_optional(statement, index + 5, location->course);
    bind_optional(statement, index + 6, location->hdop);
    bind_optional(statement, index + 7, location->heart_rate);
    bind_optional(statement, index + 8, location->cadence);
    bind_optional(statement, index + 9, location->power);
    sqlite3_bind_int64(statement, index + 10, location->segment);
  }
  if (sqlite3_step(statement) != SQLITE_DONE) {
    fprintf(stderr, "insert: %s\n", sqlite3_errmsg(store->database));
    exit(1);
  }
  sqlite3_reset(statement);
  store->order += count;
}

static void take(struct sink *sink, const struct location *location) {
  struct store *store = (struct store *)sink;
  if (store->order == 0 && store->held == 0) store->origin = location->time;
  store->rows[store->held++] = *location;
  if (store->held == ROWS) {
    insert(store, store->inserts[0], store->rows, ROWS);
    store->held = 0;
  }
}

struct store *store_open(const char *path) {
  struct store *store = calloc(1, sizeof *store);
  store->sink.take = take;
  int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
  if (sqlite3_open_v2(path, &store->database, flags, NULL) != SQLITE_OK) return NULL;
  if (run(store, "PRAGMA journal_mode = WAL; PRAGMA foreign_keys = ON; PRAGMA synchronous = NORMAL;"
                 "PRAGMA wal_autocheckpoint = 4096; PRAGMA secure_delete = FAST"))
    return NULL;
  for (int i = 0; i < BATCHES; i++) {
    store->inserts[i] = prepare_insert(store->database, batch_sizes[i]);
    if (!store->inserts[i]) return NULL;
  }
  return store;
}

static int commit(struct store *store) {
  if (!store->is_open) return 0;
  store->is_open = store->files = 0;
  return run(store, "COMMIT");
}

struct sink *store_begin_flight(struct store *store, const char *path, const char *format) {
  sqlite3_stmt *statement;
  if (!store->is_open) {
    if (run(store, "BEGIN IMMEDIATE")) return NULL;
    store->is_open = 1;
    store->began = now();
  }
  sqlite3_prepare_v2(
      store->database,
      "INSERT INTO flight (id, sourcePath, sourceFormat, maxSpeed, touchedDown) "
      "VALUES (lower(hex(randomblob(16))), ?, ?, 12.5, 1)",
      -1, &statement, NULL);
  sqlite3_bind_text(statement, 1, path, -1, SQLITE_TRANSIENT);
  sqlite3_bind_text(statement, 2, format, -1, SQLITE_TRANSIENT);
  int status = sqlite3_step(statement);
  sqlite3_finalize(statement);
  if (status != SQLITE_DONE) return NULL;
  store->flight = sqlite3_last_insert_rowid(store->database);
  store->order = store->held = 0;
  return &store->sink;
}

int store_end_flight(struct store *store, const struct flight *flight) {
  int first = 0;
  for (int i = 0; i < BATCHES; i++)
    for (; store->held - first >= batch_sizes[i]; first += batch_sizes[i])
      insert(store, store->inserts[i], &store->rows[first], batch_sizes[i]);
  sqlite3_stmt *statement;
  sqlite3_prepare_v2(
      store->database,
      "INSERT INTO alert (flight, number, state, timestamp, endedAt, pace, peakPace, distance, latitude, "
      "longitude) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", -1, &statement, NULL);
  for (int i = 0; i < flight->alert_count; i++) {
    const struct alert *alert = &flight->alerts[i];
    sqlite3_bind_int64(statement, 1, store->flight);
    sqlite3_bind_int(statement, 2, i);
    sqlite3_bind_text(statement, 3, alert->state, -1, SQLITE_STATIC);
    sqlite3_bind_int64(statement, 4, alert->begin);
    sqlite3_bind_int64(statement, 5, alert->end);
    bind_optional(statement, 6, alert->pace);
    bind_optional(statement, 7, alert->peak);
    sqlite3_bind_double(statement, 8, alert->distance);
    sqlite3_bind_double(statement, 9, alert->latitude);
    sqlite3_bind_double(statement, 10, alert->longitude);
    if (sqlite3_step(statement) != SQLITE_DONE) return -1;
    sqlite3_reset(statement);
  }
  sqlite3_finalize(statement);
  sqlite3_prepare_v2(
      store->database,
      "UPDATE flight SET timeOrigin = ?, startedAt = ?, endedAt = ?, distance = ?, rawDistance = ?, "
      "elapsedTime = ?, movingTime = ?, elevationGain = ?, elevationLoss = ?, coordinateCount = ?, "
      "targetPace = ?, tolerance = ?, targetDistance = ?, heartRate = ?, cadence = ?, segmentCount = ?, "
      "fingerprint = randomblob(16) WHERE key = ?",
      -1, &statement, NULL);
  double elapsed = (double)(flight->last_time - flight->start) / 1e6;
  sqlite3_bind_int64(statement, 1, store->origin);
  sqlite3_bind_int64(statement, 2, flight->start);
  sqlite3_bind_int64(statement, 3, flight->last_time);
  sqlite3_bind_double(statement, 4, flight->distance);
  sqlite3_bind_double(statement, 5, flight->raw);
  sqlite3_bind_double(statement, 6, elapsed);
  sqlite3_bind_double(statement, 7, elapsed - flight->still);
  sqlite3_bind_double(statement, 8, flight->gain);
  sqlite3_bind_double(statement, 9, flight->loss);
  sqlite3_bind_int64(statement, 10, (int64_t)flight->count);
  if (flight->target > 0) {
    sqlite3_bind_double(statement, 11, flight->target);
    sqlite3_bind_double(statement, 12, flight->tolerance);
  }
  if (flight->goal > 0) sqlite3_bind_double(statement, 13, flight->goal);
  bind_optional(statement, 14, flight->heart_sum / flight->heart_time);
  bind_optional(statement, 15, flight->cadence_sum / flight->heart_time);
  sqlite3_bind_int64(statement, 16, flight->segments);
  sqlite3_bind_int64(statement, 17, store->flight);
  int status = sqlite3_step(statement);
  sqlite3_finalize(statement);
  if (status != SQLITE_DONE) return -1;
  int is_full = ++store->files == FILES_A_TRANSACTION || now() - store->began > TRANSACTION_SECONDS;
  return is_full ? commit(store) : 0;
}

int store_close(struct store *store) {
  int fault = commit(store);
  for (int i = 0; i < BATCHES; i++) sqlite3_finalize(store->inserts[i]);
  return sqlite3_close(store->database) == SQLITE_OK ? fault : -1;
}

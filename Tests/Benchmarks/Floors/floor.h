/* The floor: what a careful C programmer would write to do RunWay's work, and nothing besides.
 *
 * Bytes are read in chunks and parsed where they lie; a location is handed on as soon as it is complete.
 * No recovery, no odd input, no options: a program that does less than RunWay, as fast as can be. */
#ifndef RUNWAY_FLOOR_H
#define RUNWAY_FLOOR_H

#include <stddef.h>
#include <stdint.h>

/* One fix; what is absent is NaN, and NO_TIME. */
struct location {
  double latitude, longitude, altitude;
  int64_t time; /* microseconds since 1970 */
  double speed, course, hdop, heart_rate, cadence, power;
  int32_t segment;
};
#define NO_TIME INT64_MIN

/* Takes the locations that a decoder finds. */
struct sink {
  void (*take)(struct sink *, const struct location *);
};

/* The decoders read a whole file; they return 0, or -1 on any fault. */
int decode_gpx(const char *path, struct sink *);
int decode_nmea(const char *path, struct sink *);

/* Sums over all values, to be compared with RunWay's bit for bit. */
struct sums {
  struct sink sink;
  uint64_t count;
  double latitude, longitude, altitude, heart_rate, cadence, speed;
  int64_t time;
};
void sums_begin(struct sums *);

struct alert {
  const char *state;
  int64_t begin, end;
  double pace, peak, distance, latitude, longitude;
};
#define MAX_ALERTS 65536
#define RING 64 /* locations that the windows look back on; 8 s at up to 7 Hz */

/* Distance, pace, moving time, elevation, and the warning system. */
struct flight {
  struct sink sink;
  struct sink *next; /* sees each location too; may be NULL */
  double target, tolerance, goal; /* s/km, s/km, m; 0 for none */

  uint64_t count;
  int64_t start, last_time;
  double raw, distance, still, gain, loss, reference;
  struct location ring[RING];
  uint64_t segment_first; /* the number of the segment's first location */
  int segments;
  int64_t segment_start;
  double heart_sum, cadence_sum, heart_time;

  double once, twice; /* the smoothed speed; negative before it begins */
  int standing;
  int64_t stop_end, still_until;

  int armed, state; /* 0 normal, 1 sink rate, 2 overspeed */
  int64_t stretch[4];
  double stretch_pace[4], stretch_distance[4], stretch_latitude[4], stretch_longitude[4];
  int64_t last_end;
  int pending, open_alert, minimums;
  int alert_count;
  struct alert pending_alert, *alerts;
};
void flight_begin(struct flight *, double target, double tolerance, double goal);
void flight_end(struct flight *);

/* Rows of an existing logbook, several files a transaction. */
struct store;
struct store *store_open(const char *path);
struct sink *store_begin_flight(struct store *, const char *path, const char *format);
int store_end_flight(struct store *, const struct flight *);
int store_close(struct store *);

/* Digits, and a point among them: exact where the digits fit 2^53 and the decimals 10^22. */
static inline double parse_decimal(const char *at, const char *end) {
  static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                  1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                  1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  int negative = at < end && *at == '-';
  at += negative;
  uint64_t digits = 0;
  const char *point = NULL;
  for (; at < end; at++) {
    unsigned digit = (unsigned)(*at - '0');
    if (digit < 10)
      digits = digits * 10 + digit;
    else if (*at == '.' && !point)
      point = at;
    else
      return __builtin_nan("");
  }
  double value = (double)digits;
  if (point) value /= powers[end - point - 1 <= 22 ? end - point - 1 : 22];
  return negative ? -value : value;
}

/* Days since 1970 of a date: Howard Hinnant's algorithm. */
static inline int64_t days_from_civil(int year, int month, int day) {
  year -= month <= 2;
  int era = year / 400, of_era = year - era * 400;
  int of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
  return (int64_t)era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

#endif

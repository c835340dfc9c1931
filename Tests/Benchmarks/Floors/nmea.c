/* NMEA 0183 by a scanner over the bytes: every checksum is checked, RMC and GGA are decoded. */
#include "floor.h"

#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

struct reader {
  struct sink *sink;
  struct location location;
  int is_open;
  int64_t time_of_day; /* of the open epoch, microseconds */
  int64_t day; /* microseconds from 1970 to its midnight */
  char date[6], clock[6];
  int64_t clock_microseconds;
};

static int two(const char *at) { return (at[0] - '0') * 10 + at[1] - '0'; }

static int hexadecimal(char digit) {
  return digit <= '9' ? digit - '0' : (digit | 0x20) - 'a' + 10;
}

/* XOR of all bytes, eight at a time. */
static unsigned checksum(const char *at, const char *end) {
  uint64_t words = 0, word;
  for (; end - at >= 8; at += 8) {
    memcpy(&word, at, 8);
    words ^= word;
  }
  words ^= words >> 32;
  words ^= words >> 16;
  words ^= words >> 8;
  unsigned result = words & 0xff;
  for (; at < end; at++) result ^= (unsigned char)*at;
  return result;
}

static const char *next_field(const char *at, const char *end) {
  while (at < end && *at != ',') at++;
  return at;
}

/* Degrees and minutes in one number: 4900.78600. */
static double parse_angle(const char *at, const char *end, int degree_digits, char hemisphere) {
  int degrees = 0;
  for (int i = 0; i < degree_digits; i++) degrees = degrees * 10 + at[i] - '0';
  double value = degrees + parse_decimal(at + degree_digits, end) / 60;
  return hemisphere == 'S' || hemisphere == 'W' ? -value : value;
}

static int64_t parse_clock(struct reader *reader, const char *at, const char *end) {
  if (memcmp(at, reader->clock, 6) != 0) {
    memcpy(reader->clock, at, 6);
    reader->clock_microseconds =
        ((two(at) * 60 + two(at + 2)) * 60 + two(at + 4)) * 1000000LL;
  }
  int64_t fraction = 0, unit = 100000;
  if (end - at > 7)
    for (const char *digit = at + 7; digit < end; digit++, unit /= 10)
      fraction += (*digit - '0') * unit;
  return reader->clock_microseconds + fraction;
}

static void end_epoch(struct reader *reader) {
  if (!reader->is_open) return;
  reader->is_open = 0;
  reader->location.time = reader->day + reader->time_of_day;
  reader->sink->take(reader->sink, &reader->location);
}

static void begin_epoch(struct reader *reader, int64_t time_of_day) {
  if (reader->is_open && time_of_day == reader->time_of_day) return;
  end_epoch(reader);
  struct location *location = &reader->location;
  location->latitude = location->longitude = location->altitude = NAN;
  location->speed = location->course = location->hdop = NAN;
  reader->time_of_day = time_of_day;
  reader->is_open = 1;
}

/* A sentence between `$` and `*`: GPRMC,063000.00,A,4900.78600,N,00824.26400,E,000.00,020.0,090626,,,A */
static void sentence(struct reader *reader, const char *at, const char *end) {
  int is_rmc = memcmp(at + 2, "RMC", 3) == 0;
  if (!is_rmc && memcmp(at + 2, "GGA", 3) != 0) return;
  const char *field[16], *field_end[16];
  int fields = 0;
  for (at += 6; fields < 16 && at <= end; at = field_end[fields++] + 1) {
    field[fields] = at;
    field_end[fields] = next_field(at, end);
  }
  if (fields < 10 || field_end[0] - field[0] < 6) return;
  int64_t time_of_day = parse_clock(reader, field[0], field_end[0]);
  struct location *location = &reader->location;
  int place = is_rmc ? 2 : 1;
  if (is_rmc ? *field[1] != 'A' : *field[5] == '0') return;
  begin_epoch(reader, time_of_day);
  if (isnan(location->latitude)) {
    location->latitude = parse_angle(field[place], field_end[place], 2, *field[place + 1]);
    location->longitude = parse_angle(field[place + 2], field_end[place + 2], 3, *field[place + 3]);
  }
  if (is_rmc) {
    if (memcmp(field[8], reader->date, 6) != 0) {
      memcpy(reader->date, field[8], 6);
      int year = two(field[8] + 4);
      reader->day = 86400000000
                    * days_from_civil(year < 80 ? 2000 + year : 1900 + year, two(field[8] + 2), two(field[8]));
    }
    location->speed = parse_decimal(field[6], field_end[6]) * (1852.0 / 3600);
    location->course = parse_decimal(field[7], field_end[7]);
  } else {
    location->hdop = parse_decimal(field[7], field_end[7]);
    location->altitude = parse_decimal(field[8], field_end[8]);
  }
}

int decode_nmea(const char *path, struct sink *sink) {
  static char buffer[1 << 17];
  int file = open(path, O_RDONLY);
  if (file < 0) return -1;
  struct reader reader = {.sink = sink};
  reader.location.heart_rate = reader.location.cadence = reader.location.power = NAN;
  size_t held = 0;
  for (;;) {
    ssize_t length = read(file, buffer + held, sizeof buffer - held);
    if (length <= 0) break;
    char *at = buffer, *end = buffer + held + length, *line_end;
    while ((line_end = memchr(at, '\n', (size_t)(end - at)))) {
      const char *star = line_end - 1;
      while (star > at && *star != '*') star--;
      if (*at == '$' && star > at + 8 && line_end - star >= 3
          && checksum(at + 1, star) == (unsigned)(hexadecimal(star[1]) << 4 | hexadecimal(star[2])))
        sentence(&reader, at + 1, star);
      at = line_end + 1;
    }
    held = (size_t)(end - at);
    memmove(buffer, at, held);
  }
  end_epoch(&reader);
  close(file);
  return 0;
}

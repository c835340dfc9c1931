/* GPX through libxml2's SAX2 push parser; values are parsed from the bytes. */
#include "floor.h"

#include <fcntl.h>
#include <libxml/parser.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

enum field { NONE, ALTITUDE, TIME, SPEED, COURSE, HDOP, HEART_RATE, CADENCE, POWER };

struct reader {
  struct sink *sink;
  struct location location;
  int in_point;
  enum field field;
  char text[64];
  size_t length;
  /* A track's dates are mostly the same: the day is computed once. */
  char day[10];
  int64_t day_microseconds;
};

static int is(const xmlChar *name, const char *word) {
  return strcmp((const char *)name, word) == 0;
}

static void start(void *context, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri,
                  int namespaces, const xmlChar **namespace_list, int attributes, int defaulted,
                  const xmlChar **attribute) {
  struct reader *reader = context;
  (void)prefix, (void)uri, (void)namespaces, (void)namespace_list, (void)defaulted;
  reader->field = NONE;
  reader->length = 0;
  if (reader->in_point) {
    switch (name[0]) {
    case 'e': if (is(name, "ele")) reader->field = ALTITUDE; break;
    case 't': if (is(name, "time")) reader->field = TIME; break;
    case 's': if (is(name, "speed")) reader->field = SPEED; break;
    case 'c':
      if (is(name, "cad")) reader->field = CADENCE;
      else if (is(name, "course")) reader->field = COURSE;
      break;
    case 'h':
      if (is(name, "hr")) reader->field = HEART_RATE;
      else if (is(name, "hdop")) reader->field = HDOP;
      break;
    case 'p': if (is(name, "power")) reader->field = POWER; break;
    }
  } else if (is(name, "trkpt")) {
    struct location *location = &reader->location;
    location->latitude = location->longitude = location->altitude = NAN;
    location->speed = location->course = location->hdop = NAN;
    location->heart_rate = location->cadence = location->power = NAN;
    location->time = NO_TIME;
    reader->in_point = 1;
    for (int i = 0; i < attributes; i++, attribute += 5) {
      double value = parse_decimal((const char *)attribute[3], (const char *)attribute[4]);
      if (is(attribute[0], "lat")) location->latitude = value;
      else if (is(attribute[0], "lon")) location->longitude = value;
    }
  } else if (is(name, "trkseg")) {
    reader->location.segment++;
  }
}

static void characters(void *context, const xmlChar *text, int length) {
  struct reader *reader = context;
  if (reader->field == NONE || reader->length + (size_t)length > sizeof reader->text) return;
  memcpy(reader->text + reader->length, text, (size_t)length);
  reader->length += (size_t)length;
}

static int two(const char *at) { return (at[0] - '0') * 10 + at[1] - '0'; }

static int64_t parse_time(struct reader *reader) {
  const char *at = reader->text, *end = at + reader->length;
  if (reader->length < 19) return NO_TIME;
  if (memcmp(at, reader->day, 10) != 0) {
    memcpy(reader->day, at, 10);
    int64_t days = days_from_civil(two(at) * 100 + two(at + 2), two(at + 5), two(at + 8));
    reader->day_microseconds = days * 86400000000;
  }
  int64_t fraction = 0, unit = 100000;
  const char *digit = at + 19;
  if (digit < end && *digit == '.')
    for (digit++; digit < end && *digit >= '0' && *digit <= '9'; digit++, unit /= 10)
      fraction += (*digit - '0') * unit;
  return reader->day_microseconds + fraction
         + ((two(at + 11) * 60 + two(at + 14)) * 60 + two(at + 17)) * 1000000LL;
}

static void end(void *context, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri) {
  struct reader *reader = context;
  (void)prefix, (void)uri;
  if (!reader->in_point) return;
  if (reader->field == NONE) {
    if (is(name, "trkpt")) {
      reader->in_point = 0;
      reader->sink->take(reader->sink, &reader->location);
    }
    return;
  }
  struct location *location = &reader->location;
  if (reader->field == TIME) {
    location->time = parse_time(reader);
  } else {
    double value = parse_decimal(reader->text, reader->text + reader->length);
    switch (reader->field) {
    case ALTITUDE: location->altitude = value; break;
    case SPEED: location->speed = value; break;
    case COURSE: location->course = value; break;
    case HDOP: location->hdop = value; break;
    case HEART_RATE: location->heart_rate = value; break;
    case CADENCE: location->cadence = value; break;
    case POWER: location->power = value; break;
    default: break;
    }
  }
  reader->field = NONE;
}

int decode_gpx(const char *path, struct sink *sink) {
  static char chunk[1 << 17];
  int file = open(path, O_RDONLY);
  if (file < 0) return -1;
  xmlSAXHandler handler = {.initialized = XML_SAX2_MAGIC,
                           .startElementNs = start, .endElementNs = end,
                           .characters = characters};
  struct reader reader = {.sink = sink, .location.segment = -1};
  xmlParserCtxtPtr parser = xmlCreatePushParserCtxt(&handler, &reader, NULL, 0, NULL);
  xmlCtxtUseOptions(parser, XML_PARSE_NONET);
  int fault = 0;
  for (;;) {
    ssize_t length = read(file, chunk, sizeof chunk);
    if (length < 0) fault = -1;
    if (length <= 0) break;
    if (xmlParseChunk(parser, chunk, (int)length, 0) != 0) { fault = -1; break; }
  }
  if (!fault && xmlParseChunk(parser, chunk, 0, 1) != 0) fault = -1;
  xmlFreeParserCtxt(parser);
  close(file);
  return fault;
}

/* minmea_loop FILE: the loop that minmea's users write, from lines to locations, and no more than it needs.
 *
 * Compiled against a minmea.c and minmea.h that are not part of this package. Of an epoch's sentences the two
 * that make its location are parsed; the others are recognised and passed over. Prints what the floor prints,
 * as far as minmea's single precision goes. */
#include "../floor.h"

#include <minmea.h>
#include <stdio.h>

static int64_t microseconds(const struct minmea_time *time) {
  return ((time->hours * 60 + time->minutes) * 60 + time->seconds) * 1000000LL + time->microseconds;
}

int main(int count, char **arguments) {
  FILE *file = count == 2 ? fopen(arguments[1], "r") : NULL;
  if (!file) return 66;
  struct location location = {.time = NO_TIME};
  uint64_t locations = 0;
  double latitude = 0, longitude = 0, altitude = 0, speed = 0;
  uint64_t time = 0;
  char line[256];
  while (fgets(line, sizeof line, file)) {
    switch (minmea_sentence_id(line, true)) {
    case MINMEA_SENTENCE_RMC: {
      struct minmea_sentence_rmc rmc;
      if (!minmea_parse_rmc(&rmc, line) || !rmc.valid) break;
      location.latitude = minmea_tocoord(&rmc.latitude);
      location.longitude = minmea_tocoord(&rmc.longitude);
      location.speed = minmea_tofloat(&rmc.speed) * (1852.0 / 3600);
      location.course = minmea_tofloat(&rmc.course);
      int64_t days = days_from_civil(2000 + rmc.date.year, rmc.date.month, rmc.date.day);
      location.time = days * 86400000000 + microseconds(&rmc.time);
      break;
    }
    case MINMEA_SENTENCE_GGA: {
      struct minmea_sentence_gga gga;
      if (!minmea_parse_gga(&gga, line) || location.time == NO_TIME) break;
      location.hdop = minmea_tofloat(&gga.hdop);
      location.altitude = minmea_tofloat(&gga.altitude);
      /* The generator's GGA follows the RMC of its epoch and completes it. */
      locations++;
      latitude += location.latitude;
      longitude += location.longitude;
      altitude += location.altitude;
      speed += location.speed;
      time += (uint64_t)location.time;
      location.time = NO_TIME;
      break;
    }
    default: break;
    }
  }
  fclose(file);
  printf("{\"locations\":%llu,\"latitude\":%.3f,\"longitude\":%.3f,\"altitude\":%.3f,\"speed\":%.3f,"
         "\"time\":%lld}\n",
         (unsigned long long)locations, latitude, longitude, altitude, speed, (long long)(int64_t)time);
  return 0;
}

/* floor gpx|nmea decode FILE            bytes to locations
 * floor gpx|nmea process FILE           and the arithmetic of a flight
 * floor gpx|nmea import LOGBOOK FILE…   and rows in an existing logbook
 *
 * The mission is 5:30 ± 15 s over 10 km. One line a file is printed, as JSON. */
#include "floor.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void add(struct sink *sink, const struct location *location) {
  struct sums *sums = (struct sums *)sink;
  sums->count++;
  sums->latitude += location->latitude;
  sums->longitude += location->longitude;
  if (!isnan(location->altitude)) sums->altitude += location->altitude;
  if (!isnan(location->heart_rate)) sums->heart_rate += location->heart_rate;
  if (!isnan(location->cadence)) sums->cadence += location->cadence;
  if (!isnan(location->speed)) sums->speed += location->speed;
  /* Unsigned, so that a sum beyond the range is no error but the same in every program. */
  sums->time = (int64_t)((uint64_t)sums->time + (uint64_t)location->time);
}

void sums_begin(struct sums *sums) { *sums = (struct sums){.sink.take = add}; }

static void print_flight(const struct flight *flight) {
  double elapsed = (double)(flight->last_time - flight->start) / 1e6;
  printf("{\"coordinateCount\":%llu,\"rawDistance\":%.6f,\"distance\":%.6f,\"elapsedTime\":%.6f,"
         "\"movingTime\":%.6f,\"elevationGain\":%.3f,\"elevationLoss\":%.3f,\"alertCount\":%d}\n",
         (unsigned long long)flight->count, flight->raw, flight->distance, elapsed,
         elapsed - flight->still, flight->gain, flight->loss, flight->alert_count);
}

int main(int count, char **arguments) {
  if (count < 4) return 64;
  int (*decode)(const char *, struct sink *) =
      strcmp(arguments[1], "gpx") == 0 ? decode_gpx : decode_nmea;
  if (strcmp(arguments[2], "decode") == 0) {
    struct sums sums;
    sums_begin(&sums);
    if (decode(arguments[3], &sums.sink)) return 65;
    printf("{\"locations\":%llu,\"latitude\":%.17g,\"longitude\":%.17g,\"altitude\":%.17g,"
           "\"heartRate\":%.17g,\"cadence\":%.17g,\"speed\":%.17g,\"time\":%lld}\n",
           (unsigned long long)sums.count, sums.latitude, sums.longitude, sums.altitude,
           sums.heart_rate, sums.cadence, sums.speed, (long long)sums.time);
    return 0;
  }
  static struct flight flight;
  if (strcmp(arguments[2], "process") == 0) {
    flight_begin(&flight, 330, 15, 10000);
    if (decode(arguments[3], &flight.sink)) return 65;
    flight_end(&flight);
    print_flight(&flight);
    return 0;
  }
  struct store *store = store_open(arguments[3]);
  if (!store) return 74;
  for (int i = 4; i < count; i++) {
    flight_begin(&flight, 330, 15, 10000);
    flight.next = store_begin_flight(store, arguments[i], arguments[1]);
    if (!flight.next || decode(arguments[i], &flight.sink)) return 65;
    flight_end(&flight);
    if (store_end_flight(store, &flight)) return 74;
    print_flight(&flight);
  }
  return store_close(store) ? 74 : 0;
}

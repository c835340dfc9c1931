/* The arithmetic of a flight: distance, pace, moving time, elevation, and the warning system. */
#include "floor.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SECOND 1000000LL
#define SLOW 0.5

/* Metres between two near places: radii of curvature at the middle latitude, WGS 84. */
static double step_length(const struct location *a, const struct location *b) {
  const double radian = M_PI / 180, radius = 6378137.0, flattening = 1 / 298.257223563;
  const double squared_eccentricity = flattening * (2 - flattening);
  double middle = (a->latitude + b->latitude) / 2 * radian;
  double sine = sin(middle), cosine = cos(middle);
  double root = 1 - squared_eccentricity * sine * sine;
  double prime_vertical = radius / sqrt(root);
  double meridional = prime_vertical * (1 - squared_eccentricity) / root;
  double turn = b->longitude - a->longitude;
  if (turn > 180) turn -= 360;
  if (turn < -180) turn += 360;
  double north = (b->latitude - a->latitude) * radian * meridional;
  double east = turn * radian * prime_vertical * cosine;
  return sqrt(north * north + east * east);
}

static struct location *at(struct flight *flight, uint64_t number) {
  return &flight->ring[number % RING];
}

/* Speed by chords of at least 4 s over at least 8 s. */
static double walked_speed(struct flight *flight, uint64_t number) {
  const struct location *here = at(flight, number), *from = here;
  double length = 0;
  uint64_t i = number;
  while (here->time - from->time < 8 * SECOND && i > flight->segment_first) {
    while (i > flight->segment_first && from->time - at(flight, i)->time < 4 * SECOND) i--;
    length += step_length(at(flight, i), from);
    from = at(flight, i);
  }
  int64_t span = here->time - from->time;
  return span > 0 ? length * 1e6 / (double)span : NAN;
}

/* Whether the runner stands, and if so since when. */
static int stands(struct flight *flight, uint64_t number, int64_t *since) {
  const struct location *here = at(flight, number);
  uint64_t i = number;
  if (!isnan(here->speed)) {
    if (here->speed >= SLOW) return 0;
    while (i > flight->segment_first && at(flight, i - 1)->speed < SLOW
           && number - i < RING - 2) i--;
    *since = at(flight, i)->time;
    return here->time - *since >= 2 * SECOND;
  }
  while (i > flight->segment_first && here->time - at(flight, i)->time < 8 * SECOND) i--;
  int64_t span = here->time - at(flight, i)->time;
  if (span < 8 * SECOND) return 0;
  *since = at(flight, i)->time;
  double reach = SLOW * (double)span / 1e6;
  /* The farthest in time is most likely the farthest in place. */
  for (; i < number; i++)
    if (step_length(at(flight, i), here) > reach) return 0;
  return 1;
}

static void open_alert(struct flight *flight, const struct alert *alert) {
  if (flight->alert_count == MAX_ALERTS) return;
  flight->open_alert = flight->alert_count;
  flight->alerts[flight->alert_count++] = *alert;
}

static void leave(struct flight *flight, int64_t time) {
  if (flight->open_alert >= 0) {
    flight->alerts[flight->open_alert].end = time;
    flight->last_end = time;
    flight->open_alert = -1;
  }
  flight->state = 0;
  flight->pending = 0;
}

static struct alert alert_at(struct flight *flight, const char *state, int stretch) {
  return (struct alert){.state = state, .begin = flight->stretch[stretch], .end = NO_TIME,
                        .pace = flight->stretch_pace[stretch], .peak = flight->stretch_pace[stretch],
                        .distance = flight->stretch_distance[stretch],
                        .latitude = flight->stretch_latitude[stretch],
                        .longitude = flight->stretch_longitude[stretch]};
}

static void warn(struct flight *flight, const struct location *here, double pace) {
  double target = flight->target, tolerance = flight->tolerance;
  if (flight->goal > 0 && flight->count > 1) {
    if (!flight->minimums && flight->distance >= flight->goal - 50) {
      struct alert alert = {"minimums", here->time, NO_TIME, pace, pace,
                            flight->distance, here->latitude, here->longitude};
      int open = flight->open_alert;
      flight->minimums = flight->alert_count + 1;
      open_alert(flight, &alert);
      flight->open_alert = open;
    }
    if (flight->minimums > 0 && flight->distance >= flight->goal) {
      struct alert *alert = &flight->alerts[flight->minimums - 1];
      if (alert->end == NO_TIME) alert->end = here->time;
    }
  }
  if (isnan(pace) || here->time < flight->segment_start + 5 * SECOND) {
    leave(flight, here->time);
    for (int i = 0; i < 4; i++) flight->stretch[i] = NO_TIME;
    return;
  }
  double moving = (double)(here->time - flight->start) / 1e6 - flight->still;
  if (fabs(pace - target) <= tolerance || moving >= 120) flight->armed = 1;
  if (!flight->armed) return;
  int holds[4] = {pace >= target + tolerance, pace < target - tolerance,
                  pace < target + tolerance / 2, pace > target - tolerance / 2};
  for (int i = 0; i < 4; i++) {
    if (!holds[i]) {
      flight->stretch[i] = NO_TIME;
    } else if (flight->stretch[i] == NO_TIME) {
      flight->stretch[i] = here->time;
      flight->stretch_pace[i] = pace;
      flight->stretch_distance[i] = flight->distance;
      flight->stretch_latitude[i] = here->latitude;
      flight->stretch_longitude[i] = here->longitude;
    }
  }
#define COMPLETE(i) \
  (flight->stretch[i] != NO_TIME && here->time - flight->stretch[i] >= 10 * SECOND)
  for (int i = 0; i < 2; i++)
    if (flight->state != i + 1 && COMPLETE(i)) {
      leave(flight, flight->stretch[i]);
      flight->state = i + 1;
      flight->pending = 1;
      flight->pending_alert = alert_at(flight, i == 0 ? "sinkRate" : "overspeed", i);
    }
  if (flight->state && COMPLETE(flight->state + 1)) leave(flight, flight->stretch[flight->state + 1]);
  if (flight->pending
      && (flight->last_end == NO_TIME || here->time >= flight->last_end + 20 * SECOND)) {
    flight->pending = 0;
    open_alert(flight, &flight->pending_alert);
  }
  if (flight->open_alert >= 0) {
    struct alert *alert = &flight->alerts[flight->open_alert];
    if (fabs(pace - target) > fabs(alert->peak - target)) alert->peak = pace;
  }
}

static void take(struct sink *sink, const struct location *location) {
  struct flight *flight = (struct flight *)sink;
  if (flight->next) flight->next->take(flight->next, location);
  uint64_t number = flight->count++;
  struct location *previous = number ? at(flight, number - 1) : NULL;
  int begins = !previous || previous->segment != location->segment;
  double length = begins ? 0 : step_length(previous, location);
  double seconds = begins ? 0 : (double)(location->time - previous->time) / 1e6;
  *at(flight, number) = *location;
  flight->raw += length;
  if (!previous) flight->start = location->time;
  if (begins) {
    flight->segments++;
    if (previous) flight->still += (double)(location->time - previous->time) / 1e6;
    flight->segment_first = number;
    flight->segment_start = flight->stop_end = location->time;
    flight->twice = -1;
    flight->reference = location->altitude;
    flight->standing = 0;
  }

  /* Spikes and jumps: faster than anybody runs. */
  if (length > 12.5 * seconds && seconds > 0) flight->segment_first = number;

  int64_t since = 0;
  int standing = !begins && previous->time >= flight->start + 5 * SECOND
                 && stands(flight, number, &since);
  if (standing) {
    int64_t from = since > flight->stop_end ? since : flight->stop_end;
    if (from < flight->still_until) from = flight->still_until;
    if (from < flight->start + 5 * SECOND) from = flight->start + 5 * SECOND;
    flight->still += (double)(location->time - from) / 1e6;
    flight->still_until = location->time;
  } else {
    if (flight->standing) flight->stop_end = previous->time;
    flight->distance += length;
    if (!begins) {
      flight->heart_sum += (previous->heart_rate + location->heart_rate) / 2 * seconds;
      flight->cadence_sum += (previous->cadence + location->cadence) / 2 * seconds;
      flight->heart_time += seconds;
    }
  }
  flight->standing = standing;

  double change = location->altitude - flight->reference;
  /* 105.1 − 100.1 is a little less than 5 in binary. */
  if (fabs(change) >= 5 - 1e-6) {
    *(change > 0 ? &flight->gain : &flight->loss) += fabs(change);
    flight->reference = location->altitude;
  }

  double speed = isnan(location->speed) ? walked_speed(flight, number) : location->speed;
  if (flight->twice < 0) {
    if (speed > 0) flight->once = flight->twice = speed;
  } else if (!isnan(speed)) {
    double weight = 1 - exp(-seconds / 8);
    flight->once += weight * (speed - flight->once);
    flight->twice += weight * (flight->once - flight->twice);
  }
  flight->last_time = location->time;
  if (flight->target > 0)
    warn(flight, location, flight->twice >= SLOW && !standing ? 1000 / flight->twice : NAN);
}

void flight_begin(struct flight *flight, double target, double tolerance, double goal) {
  struct alert *alerts = flight->alerts ? flight->alerts : malloc(sizeof *alerts * MAX_ALERTS);
  *flight = (struct flight){.sink.take = take, .target = target, .tolerance = tolerance,
                            .goal = goal, .twice = -1, .open_alert = -1, .alerts = alerts,
                            .last_end = NO_TIME, .still_until = NO_TIME,
                            .stretch = {NO_TIME, NO_TIME, NO_TIME, NO_TIME}};
}

void flight_end(struct flight *flight) {
  for (int i = 0; i < flight->alert_count; i++)
    if (flight->alerts[i].end == NO_TIME) flight->alerts[i].end = flight->last_time;
}

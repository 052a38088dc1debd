/* SPDX-License-Identifier: Apache-2.0
 *
 * What a budget of seconds allows to be measured on a network whose speed is not known before.
 *
 * In: a budget, and round trips of sizes that grow by a constant factor (the ladder), each measured
 * once, as long as the next one is expected to cost little of the budget. Out: which sizes and
 * kinds are measured, and how many samples in a row. On a fast network that is everything; on a
 * slow one the largest sizes are left out first, then sizes between others, then streams.
 */
#pragma once

#include "timing.h"

#define RUNGS_MOST 40

struct schedule {
    double budget_s;
    int rungs; /* of the ladder */
    double rung_bytes[RUNGS_MOST], rung_s[RUNGS_MOST];
    int measures[KIND_COUNT];
};

void schedule_begin(struct schedule *schedule, double budget_s);

/* Half a round trip of so many bytes took trip_s: returns the next size to try, or 0. */
int schedule_add_trip(struct schedule *schedule, int bytes, double trip_s, int largest);

/* Chooses the kinds, and of the ascending sizes those that are measured; their number. */
int schedule_choose(struct schedule *schedule, int *out, const int *sizes, int count);

/* Seconds that half a round trip is expected to take. */
double schedule_trip_s(const struct schedule *schedule, double bytes);

/* A sample of that kind, where half a round trip takes trip_s; `samples` is left 0. */
struct timing_command schedule_command(const struct schedule *schedule, int kind, int bytes,
                                       int is_eager, double trip_s);

/* How many samples of the command are taken in a row: 1 to most. */
int schedule_samples(const struct schedule *schedule, const struct timing_command *command,
                     double trip_s, int most);

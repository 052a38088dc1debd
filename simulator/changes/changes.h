/* SPDX-License-Identifier: Apache-2.0
 *
 * Loops that a run changes: `--set` and `--iterations`.
 *
 * In: the options, and the bundle's loops. Out: what the runtime reads from its environment
 * (BSIM_SET, BSIM_ITERATIONS, docs/reference/environment.md); and after the run, from its summary,
 * what came of each, for the report. What cannot be changed soundly is refused here with the
 * reason, or, where that shows only when the loop is entered, by the runtime, which ends the
 * simulation.
 */
#pragma once

#include "base/json.h"
#include "base/vec.h"
#include "simulator/run/bundle.h"
#include "simulator/run/launch.h"
#include "simulator/run/scenario.h"
#include "simulator/run/stats.h"

/* What a given value is instead of what its model says. */
struct value_change {
    int region;
    double number;
    const char *text; /* "solver.c:45=200" */
};

/* Words instead of numbers of iterations: K is ITERATIONS_USUAL; the same where all would take
 * longer than ITERATIONS_LONG_S, or the seconds in "if-long:SECONDS"; all of them. */
#define ITERATIONS_AUTO "auto"
#define ITERATIONS_IF_LONG "if-long"
#define ITERATIONS_ALL "all"
#define ITERATIONS_USUAL 20 /* shows a pattern of ten, such as output of each tenth step */
#define ITERATIONS_LONG_S 60

bool iterations_are_if_long(const char *iterations);

struct change_options {
    VEC(const char *) sets;          /* "solver.c:45=trips/2" */
    VEC(struct value_change) values; /* those that value_changes_take() took out of them */
    const char *iterations; /* "20", "solver.c:45=20/2000", or one of the words; NULL: not given */
};

bool change_options_given(const struct change_options *options);
void change_options_dispose(struct change_options *options);

/* Fills in what the launch passes on, in the arena. */
int changes_prepare(struct launch *launch, const struct bundle *bundle,
                    const struct change_options *options, struct arena *arena, struct error *error);

/* What came of a run. */
struct iteration_report {
    bool given; /* --iterations was */
    const char *label;
    double simulated, total, more_s, off_s;
    int start, period;
};

/* After a run: tells the scenario, and warns of what had no effect or is not sure. The sites of the
 * statistics are at lines of the application. */
int changes_tell(struct iteration_report *out, struct scenario *scenario,
                 const struct change_options *options, const struct bundle *bundle,
                 const struct run_stats *stats, const char *stats_file, struct arena *arena,
                 struct error *error);

/* After a run that failed: that it was changed. */
void changes_tell_failed(const struct change_options *options);

/* SPDX-License-Identifier: Apache-2.0
 *
 * Which latencies a run has: those of the bundle's model.bsim, or others without profiling again.
 *
 * In: the options of `mpiskel run`:
 *   --machine NAME[:STATISTIC]  the models of another machine of the bundle's store; regions that
 *     it has no model of stop the run where they are reached. Values that the skeleton takes as
 *     given are a property of the program, and stay as they are.
 *   --processor FILE  the latencies that the machine would have as another processor that counts,
 *     with its samples told again (model/samples/told_again.h) and fitted anew.
 *   --speed REGION=FACTOR  all executions of some regions (region_name.h) take 1 / FACTOR of the
 *     time; several options for one region are multiplied.
 * Out: a model file in the work directory, which is the bundle's model from then on, so that all
 * that is reported comes from the same latencies; and what was changed, for the report.
 */
#pragma once

#include "base/error.h"
#include "base/vec.h"
#include "simulator/changes/changes.h"
#include "simulator/run/bundle.h"
#include "simulator/run/scenario.h"
#include "simulator/run/stats.h"

struct latency_options {
    const char *machine;   /* NULL: not given */
    const char *processor; /* likewise: the file that describes it */
    VEC(const char *) speeds;
};

/* Is that what --speed takes? */
int latency_speed_check(const char *text, struct error *error);

bool latency_options_given(const struct latency_options *options);
void latency_options_dispose(struct latency_options *options);

/* The processor whose times these latencies are, in one line; `run`: of the machine, counted. */
const char *latencies_processor(const struct latency_options *options, const struct run *run,
                                struct arena *arena);

/* Loads the model, changed if that was asked for, in given values as well (value_changes.h; NULL:
 * in none); the changed file is written into `directory`. */
int latencies_prepare(struct bundle *bundle, const struct latency_options *options,
                      const struct change_options *changes, const char *directory,
                      struct scenario *scenario, struct error *error);

/* After a run: a note for each --speed none of whose regions was executed. */
void latencies_tell_unused(const struct latency_options *options, const struct bundle *bundle,
                           const struct run_stats *stats);

/* After a run that failed: which regions the machine of --machine has no model of, if it is that.
 */
void latencies_tell_missing(const struct latency_options *options, const struct bundle *bundle);

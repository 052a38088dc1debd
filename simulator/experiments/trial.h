/* SPDX-License-Identifier: Apache-2.0
 *
 * One quick simulation of a skeleton, to learn which features a configuration gives to which
 * regions and how long it would take: what a plan is made of. The platform is the default one, the
 * application's output goes nowhere.
 */
#pragma once

#include "model/coverage/coverage.h"
#include "model/samples/vary.h"
#include "simulator/run/bundle.h"

/* Of a small configuration: numbers that are scaled may make a program endless. */
#define TRIAL_MOST_S 20

struct configuration {
    size_t ranks;
    struct words words;
};

struct trial {
    struct configuration configuration;
    bool fine;       /* every rank got to its end */
    const char *why; /* if not */
    double makespan_s;
    double processor_s; /* that the simulation took */
    struct feature_box
        *boxes;      /* of the regions that were executed, values left out: features, and
                      * the numbers of the run that the model goes by (eval_run_factor.h) */
    double *seconds; /* of each box's region, over all ranks */
    size_t box_count;
    double seconds_sum;
};

/* A simulation that takes more processor time than `limit_s` is ended, as one that does not get
 * through. All of *out from the arena. Returns -1 only if it could not be simulated at all; whether
 * the application got through is in out->fine. */
int trial_run(struct trial *out, struct arena *arena, const struct bundle *bundle,
              const char *model_file, const struct configuration *configuration, double limit_s,
              bool show_progress, struct error *error);

/* Writes a model file that has a model of every region: the bundle's own, and for regions without
 * one a nanosecond for each unit of each feature (and one more), so that a plan can be made before
 * the first profiling run. *out_guessed: for how many. There is none for values: a skeleton that
 * asks for one stops. */
int trial_write_model(const char *path, int *out_guessed, const struct bundle *bundle,
                      struct error *error);

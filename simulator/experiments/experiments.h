/* SPDX-License-Identifier: Apache-2.0
 *
 * Which profiling runs would best support the prediction of a target
 * (docs/how-to/choose-profiling-runs.md).
 *
 * In: a bundle, the samples there are, the target, and what may be spent. Out: what the target asks
 * for and what of it is not covered, and a list of runs with what each would cost.
 *
 * Steps: simulate the skeleton at the target: ranges of the features and shares of time; measure
 * what the samples lack (model/coverage/coverage.h); find out which numbers among the arguments
 * change features; look for configurations of few ranks by best-first search, from those that were
 * profiled and from the target's arguments scaled down, each step doubling or halving numbers or
 * ranks, each configuration being simulated to learn its features and its cost; choose runs
 * greedily, by what they bring per second and, once more, by what they bring, and take the better
 * of the two lists (A. Krause, C. Guestrin, A note on the budgeted maximization of submodular
 * functions, 2005).
 *
 * Not handled: inputs that are no numbers among the arguments (files); memory.
 */
#pragma once

#include "model/samples/sample.h"
#include "simulator/experiments/reached.h"
#include "simulator/experiments/trial.h"

struct experiments_options {
    struct configuration target;
    double budget_s;    /* of all runs, time * ranks */
    size_t max_ranks;   /* of a run */
    size_t trials_most; /* simulations of small configurations */
    size_t runs_most;
    const struct configuration *profiled; /* each once */
    size_t profiled_count;
    bool show_progress;
};

struct experiment {
    struct trial trial;
    double cost_s;
    double gain; /* as the first run of a plan */
    bool expanded;
};

/* What becomes of a number among the arguments when it is doubled. */
enum number_kind {
    NUMBER_SIZE,   /* features change */
    NUMBER_REPEAT, /* only how often regions are executed, or nothing */
    NUMBER_BOUND,  /* the program refuses */
};

struct varied_number {
    const char *name; /* model/eval/program_numbers.h */
    enum number_kind kind;
};

/* A number that is the same in all runs, made and planned. */
struct fixed_number {
    const char *name;
    double number, asked; /* in the runs, in the target */
};

struct planned_run {
    const struct experiment *candidate;
    double lack_after; /* of this and the runs before it */
};

struct experiments {
    struct arena arena; /* owns everything below */
    struct trial target;
    int guessed_regions;           /* without a model */
    struct coverage_target *asked; /* regions of the target by share, largest first */
    struct reached_range *reached; /* of each of these */
    size_t asked_count;
    struct coverage before, after;
    double lack_before, lack_after;
    struct varied_number *numbers;
    size_t number_count;
    struct fixed_number *fixed;
    size_t fixed_count;
    size_t trial_count, refused_count;
    double searched_s;       /* processor time of all */
    bool is_ended;           /* the search, when it had taken its time */
    const char *refused_why; /* of the first that was; NULL: none was */
    struct planned_run *runs;
    size_t run_count;
    double cost_s;
};

/* *out is the caller's (experiments_dispose). An error if the target itself does not get through.
 */
int experiments_make(struct experiments *out, const struct bundle *bundle,
                     const struct samples *samples, const struct experiments_options *options,
                     struct error *error);
void experiments_dispose(struct experiments *plan);

/* SPDX-License-Identifier: Apache-2.0
 *
 * What ratios are learned from (ratio.h): the samples of one region as groups of rows. A group are
 * the executions of one run with the same features, of all ranks (or of one, where runs do not
 * differ), in several contexts.
 * A row is one context of it, with its latency relative to the group's own mean, so that what the
 * features do to the latency drops out.
 */
#pragma once

#include "base/arena.h"
#include "model/eval/forest.h"
#include "model/samples/sample.h"

#include <stdbool.h>

#define RATIO_FOLDS_MAX 5

/* What a forest may look at. */
enum ratio_kind { RATIO_EXECUTION, RATIO_UNCHANGED, RATIO_BEFORE, RATIO_FEATURE };

struct ratio_input {
    enum ratio_kind kind;
    int feature;
    double least, largest; /* over the rows */
    int region_count;      /* of RATIO_BEFORE: those that were there, the most frequent one first */
    int regions[BSIM_RATIO_REGIONS_MAX];
};

struct ratio_row {
    size_t group;
    const struct sample_context *context;
    double relative; /* logarithm of the context's mean latency by the group's */
    double weight;
};

struct ratio_group {
    const struct sample *sample;
    size_t first, count; /* rows */
    int fold;            /* groups of the same one are left out together */
};

struct ratio_rows {
    struct ratio_row *items;
    size_t count;
    struct ratio_group *groups;
    size_t group_count;
    int fold_count;
    bool folds_are_ranks;                             /* there is one configuration only */
    struct ratio_input inputs[BSIM_RATIO_INPUTS_MAX]; /* those that vary; RATIO_BEFORE last */
    int input_count;
};

/* The samples are of one region, sorted by features and run. */
void ratio_rows_make(struct ratio_rows *out, struct arena *arena, const struct sample *samples,
                     size_t count, int run_count);

/* The input's number in a context of a sample, as the skeleton computes it. */
double ratio_input_number(const struct ratio_input *input, const struct sample *sample,
                          const struct sample_context *context);

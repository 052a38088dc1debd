/* SPDX-License-Identifier: Apache-2.0
 *
 * What is known of a run as a whole, as far as all runs have it and it varied between runs: the
 * number of ranks ("ranks"), the numbers among the arguments (program_numbers.h), and features of
 * computed regions that were the same on all ranks and all the time, such as sizes that are read
 * from a file or compiled in ("n3@2": the third feature of region 2). Of these only such as go with
 * no other number in proportion, and a few.
 */
#pragma once

#include "model/samples/sample.h"

#include <stdbool.h>

/* Of a formula over arguments that was learned on one number of ranks. */
#define RUN_CONTEXT_ONE_SIZE                                                                       \
    "all runs had as many ranks, and each may have a share of the arguments: profile other "       \
    "numbers"

struct run_context {
    int count;
    const char *const *names;
    double *const *numbers; /* by run: `count` of them */
    bool ranks_vary;        /* then they are the first */
    int plain_count;        /* the first ones are known when a run begins */
    /* By number and region, behind plain_count: whether all ranks that executed the region in any
     * run had come to know the number before. */
    bool *const *known_before;
};

/* At least one run; from the arena. Without features. */
void run_context_make(struct run_context *out, struct arena *arena, const struct samples *samples);

/* The samples of a rank have to be in the order of their first executions, as files and the store
 * have them. */
void run_context_add_features(struct run_context *context, struct arena *arena,
                              const struct samples *samples, const struct regions *regions);

/* The numbers among the context's that are known when `region` is executed; if no two runs are
 * alike in all but the regions' numbers, only the plain ones, which tell the runs apart then. From
 * the arena, for as long as the context is there. */
void run_context_known_to(struct run_context *out, struct arena *arena,
                          const struct run_context *context, int run_count, int region);

/* The number that a run has under such a name; false: it has none. */
bool run_context_find(double *out, const struct samples *samples, int run, const char *name);

/* 0: the two runs have the same numbers. */
int run_context_compare(const struct run_context *context, int left, int right);

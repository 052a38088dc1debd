/* SPDX-License-Identifier: Apache-2.0
 *
 * What is known of a run as a whole: its number of ranks ("ranks") and the numbers among its
 * arguments (arguments.h), as far as all runs have them and they varied between runs.
 */
#ifndef MODEL_RUN_CONTEXT_H
#define MODEL_RUN_CONTEXT_H

#include "model/sample.h"

#include <stdbool.h>

struct run_context {
    int count;
    const char *const *names;
    double *const *numbers; /* by run: `count` of them */
    bool ranks_vary;        /* then they are the first */
};

/* At least one run; from the arena. */
void run_context_make(struct run_context *out, struct arena *arena, const struct samples *samples);

/* Two runs have the same numbers. */
bool run_context_same(const struct run_context *context, int left, int right);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * Features of a value, and numbers of the run, that it turned out not to go by at all: which row is
 * the pivot of a column of a matrix says nothing of how the matrix is spread over ranks.
 */
#ifndef MODEL_VALUES_VALUE_IDLE_H
#define MODEL_VALUES_VALUE_IDLE_H

#include "model/values/value_points.h"

struct value_idle {
    const bool *places; /* by place in a vector with all of the context; from the arena */
    int feature_count, context_count; /* how many of each are idle */
};

/* Those without which samples still have the same numbers, each of them shown by enough samples in
 * which it differs. `used`: by place, those that are not to be left out. */
void value_idle_find(struct value_idle *out, struct arena *arena, const struct value_data *data,
                     const bool *used);

#endif

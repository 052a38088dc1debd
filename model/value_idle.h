/* SPDX-License-Identifier: Apache-2.0
 *
 * Features of a value that its numbers turned out not to go by at all, and whether they go by the
 * number of ranks: which row is the pivot of a column of a matrix says nothing of how the matrix is
 * spread over ranks.
 */
#ifndef MODEL_VALUE_IDLE_H
#define MODEL_VALUE_IDLE_H

#include "model/value_points.h"

struct value_idle {
    const bool *features; /* by feature: idle; from the arena */
    int count;            /* of those */
    bool are_ranks;       /* idle, too */
};

/* Those without which samples of the same arguments still have the same numbers, each of them shown
 * by enough samples in which it differs. `used`: by feature, those that are not to be left out. */
void value_idle_find(struct value_idle *out, struct arena *arena, const struct value_data *data,
                     const bool *used);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * Features that name the rank (its number, its place in a grid). Where ranks had the same numbers
 * whatever these were, they may have to agree on them, so that no rank may go by its own.
 */
#ifndef MODEL_VALUE_RANKS_H
#define MODEL_VALUE_RANKS_H

#include "model/sample.h"

struct value_ranks {
    const struct sample *samples; /* sorted by features, with 0 for each one that is ignored */
    const bool *ignored;          /* by feature */
    int count;                    /* of those; 0: samples are as they were */
};

/* `samples` are all of one value, sorted by features. From the arena. */
void value_ranks_find(struct value_ranks *out, struct arena *arena, const struct samples *all,
                      const struct sample *samples, size_t count);

#endif

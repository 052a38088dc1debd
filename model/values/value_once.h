/* SPDX-License-Identifier: Apache-2.0
 *
 * Numbers that all ranks have alike. In: the samples of one value; out: whether the k-th answer of
 * all ranks that asked agreed in all profiled runs; which features differed between ranks all the
 * same (local sizes, names of ranks), which tell nothing of it then; and which features tell the
 * questions of one rank apart (a level, a column). Such a number is asked for once for all ranks
 * (runtime/skeleton/values_once.h): ranks that have to agree do, whatever their own sizes are.
 *
 * Samples do not tell in which order a rank asked with different features. So where ranks only
 * agree without some features, a rank has to have had one vector of the others at a time, or the
 * same number all the time.
 */
#pragma once

#include "base/arena.h"
#include "model/samples/sample.h"

#include <stdbool.h>

struct value_once {
    bool is_once;
    const bool *differs; /* by feature: between ranks of a run */
    const int *places;   /* of features that tell a rank's questions apart */
    int place_count;
};

/* `samples` are those of the value, at least one; arrays are from the arena. */
void value_once_find(struct value_once *out, struct arena *arena, const struct samples *all,
                     const struct sample *samples, size_t count);

/* SPDX-License-Identifier: Apache-2.0
 *
 * Features that name the rank (its number, its place in a grid). Where ranks had the same numbers
 * whatever these were, they may have to agree on them, so that no rank may go by its own.
 */
#ifndef MODEL_VALUES_VALUE_RANKS_H
#define MODEL_VALUES_VALUE_RANKS_H

#include "model/values/value_ignored.h"

/* `samples` are all of one value, sorted by features. From the arena. */
void value_ranks_find(struct value_ignored *out, struct arena *arena, const struct samples *all,
                      const struct sample *samples, size_t count);

/* What ranks have and keep in a run, such as how many columns they own: draws that go by it would
 * be others on other ranks. By feature, from the arena; NULL: there is none. */
const bool *value_ranks_keep(struct arena *arena, const struct sample *samples, size_t count);

/* Of samples from this one on, of which `left` are left: as many as are of its run and have its
 * features. */
size_t value_ranks_alike(const struct sample *first, size_t left);

/* How far the numbers of ranks with the same features were off their mean, as a share of their sum,
 * in the run where it is most. Samples are sorted by features, run and rank. */
double value_ranks_spread(const struct samples *all, const struct sample *samples, size_t count);

#endif

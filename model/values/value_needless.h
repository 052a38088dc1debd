/* SPDX-License-Identifier: Apache-2.0
 *
 * Features that the decisions of a loop or branch turned out not to go by: with other sizes, and
 * all else alike, runs decided the same. A size that was not profiled then has what these had,
 * instead of a formula over sizes.
 */
#ifndef MODEL_VALUES_VALUE_NEEDLESS_H
#define MODEL_VALUES_VALUE_NEEDLESS_H

#include "model/samples/region.h"
#include "model/values/value_ignored.h"

/* Adds such features of the value, of which there are `count` samples. From the arena. */
void value_needless_find(struct value_ignored *ignored, struct arena *arena,
                         const struct samples *all, size_t count, const struct region *region);

#endif

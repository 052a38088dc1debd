/* SPDX-License-Identifier: Apache-2.0
 *
 * Which runs repeat each other: the same arguments, ranks and host, and at least nine tenths of
 * their time in regions that had the same features in both. The arguments alone would not do: what
 * a run works on may come from a file, and one that was made before the program changed has other
 * regions.
 */
#pragma once

#include "model/samples/region.h"
#include "model/samples/sample.h"

#include <stdbool.h>

/* What each run did in each region; values have no time. */
struct works {
    const struct samples *samples;
    int region_count;
    struct repetition_work *items; /* run_count * region_count */
};

/* The samples are sorted by region, then features, then run or what it repeats (points.h). */
void works_init(struct works *out, const struct samples *samples, const struct regions *regions);
void works_dispose(struct works *works);

/* `out_ratio` (NULL: not asked for): the left run's time over the right one's, in what they have in
 * common. */
bool works_repeat(double *out_ratio, const struct works *works, int left, int right);

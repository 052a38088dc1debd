/* SPDX-License-Identifier: Apache-2.0
 *
 * The furthest point on each diagonal, for each number of differences; see sequence_distance.h.
 */
#include "synthesis/compare/sequence_distance.h"

#include "base/arena.h"

#include <stdlib.h>

/* Diagonals are from -most - 1 to most + 1. */
static size_t next_on(const ptrdiff_t *furthest, ptrdiff_t diagonal, ptrdiff_t differences) {
    int goes_down = diagonal == -differences ||
                    (diagonal != differences && furthest[diagonal - 1] < furthest[diagonal + 1]);
    return (size_t)(goes_down ? furthest[diagonal + 1] : furthest[diagonal - 1] + 1);
}

size_t sequence_distance(const uint32_t *one, size_t one_count, const uint32_t *other,
                         size_t other_count, size_t most) {
    ptrdiff_t *all = xcalloc(2 * most + 5, sizeof *all), *furthest = all + most + 2;
    size_t result = most;
    for (ptrdiff_t d = 0; d <= (ptrdiff_t)most && result == most; d++)
        for (ptrdiff_t k = -d; k <= d; k += 2) {
            size_t x = next_on(furthest, k, d), y = (size_t)((ptrdiff_t)x - k);
            while (x < one_count && y < other_count && one[x] == other[y]) {
                x++;
                y++;
            }
            furthest[k] = (ptrdiff_t)x;
            if (x >= one_count && y >= other_count) {
                result = (size_t)d;
                break;
            }
        }
    free(all);
    return result;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "simulator/prediction/noise.h"

#include "base/arena.h"
#include "base/numbers.h"

#include <stdlib.h>
#include <string.h>

static double percentile(const double *sorted, size_t count, double part) {
    double place = part * (double)(count - 1);
    size_t below = (size_t)place;
    size_t above = below + 1 < count ? below + 1 : below;
    return sorted[below] + (place - (double)below) * (sorted[above] - sorted[below]);
}

void noise_sum_up(struct noise *noise) {
    size_t count = noise->count;
    double *sorted = xmalloc(count * sizeof *sorted);
    memcpy(sorted, noise->times_s, count * sizeof *sorted);
    numbers_sort(sorted, count);
    noise->mean_s = 0;
    for (size_t i = 0; i < count; i++)
        noise->mean_s += sorted[i] / (double)count;
    noise->min_s = sorted[0];
    noise->max_s = sorted[count - 1];
    noise->median_s = percentile(sorted, count, 0.5);
    noise->low_s = percentile(sorted, count, 0.025);
    noise->high_s = percentile(sorted, count, 0.975);
    free(sorted);
}

void noise_dispose(struct noise *noise) {
    free(noise->times_s);
    *noise = (struct noise){0};
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * The predicted times of simulations with other draws (`run --distribution`,
 * runtime/skeleton/latency_noise.c) as a distribution. Percentiles are interpolated between the
 * order statistics (R. Hyndman, Y. Fan, Sample Quantiles in Statistical Packages, 1996, definition
 * 7). Nothing is told of the tail beyond the samples: with fewer than 40 of them the 95 % interval
 * lies within all that was seen.
 */
#pragma once

#include <stddef.h>

struct noise {
    unsigned long long seed;
    size_t count;
    double *times_s; /* in the order of the repetitions; malloc */
    double median_s, mean_s, min_s, max_s;
    double low_s, high_s; /* 2.5 and 97.5 percentile */
};

/* Sets all but seed, count and times. `count` is at least 1. */
void noise_sum_up(struct noise *noise);

void noise_dispose(struct noise *noise);

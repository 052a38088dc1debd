/* SPDX-License-Identifier: Apache-2.0
 *
 * By how much times differ that are measured again: one variance of their logarithms, pooled over
 * groups of repeated measurements. A run that something disturbed is not what the next one will be
 * like, so deviations count as at most three robust ones (Huber's pseudo-observations, as in
 * jitter.h).
 */
#pragma once

#include <stddef.h>

struct repeated_time {
    int group; /* equal for those that repeat each other; any order */
    double logarithm;
};

struct repeated_variance {
    double variance; /* of one time; 0: nothing is repeated */
    double degrees;  /* of freedom: times less groups */
    double of_mean;  /* the variance of a group's mean, on average over the repeated groups */
};

/* Sorts the items by their groups. */
struct repeated_variance repeated_times_variance(struct repeated_time *items, size_t count);

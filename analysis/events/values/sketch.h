/* SPDX-License-Identifier: Apache-2.0
 *
 * Quantiles of a stream in bounded memory: DDSketch (C. Masson, J. E. Rim, H. K. Lee, DDSketch: a
 * fast and fully-mergeable quantile sketch with relative-error guarantees, VLDB 2019). A quantile
 * is off by at most 1 % of itself, as long as positive (and negative) values span fewer than
 * 2,048 buckets, 17 orders of magnitude; beyond that the smallest magnitudes share a bucket.
 */
#pragma once

#include "base/vec.h"

struct sketch_store {
    int first; /* bucket of counts.items[0] */
    VEC(long long) counts;
};

/* Of zeroes: empty. */
struct sketch {
    struct sketch_store positive, negative;
    long long zeroes, count;
    double least, most;
};

void sketch_add(struct sketch *sketch, double value);
/* p from 0 to 1; there has to be a value. */
double sketch_quantile(const struct sketch *sketch, double p);
void sketch_dispose(struct sketch *sketch);

/* SPDX-License-Identifier: Apache-2.0
 *
 * Bucket i holds magnitudes in (gamma^(i-1), gamma^i]; its middle is 2 gamma^i / (gamma + 1).
 */
#include "analysis/events/values/sketch.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#define ACCURACY 0.01
#define MOST_BUCKETS 2048 /* 16 KiB a store; the paper's own choice */

static double log_gamma(void) {
    return log((1 + ACCURACY) / (1 - ACCURACY));
}

static int bucket_of(double magnitude) {
    return (int)ceil(log(magnitude) / log_gamma());
}

static double middle_of(int bucket) {
    double gamma = (1 + ACCURACY) / (1 - ACCURACY);
    return 2 * exp(bucket * log_gamma()) / (gamma + 1);
}

static void extend_up(struct sketch_store *store, int bucket) {
    while (store->first + (long)store->counts.count <= bucket)
        vec_push(&store->counts, 0);
}

static void extend_down(struct sketch_store *store, int bucket) {
    size_t more = (size_t)(store->first - bucket), old = store->counts.count;
    vec_reserve(&store->counts, old + more);
    memmove(store->counts.items + more, store->counts.items, old * sizeof *store->counts.items);
    memset(store->counts.items, 0, more * sizeof *store->counts.items);
    store->counts.count += more;
    store->first = bucket;
}

/* The lowest buckets become one, so that no more than MOST_BUCKETS stay. */
static void collapse(struct sketch_store *store) {
    size_t extra = store->counts.count - MOST_BUCKETS;
    for (size_t i = 0; i < extra; i++)
        store->counts.items[extra] += store->counts.items[i];
    memmove(store->counts.items, store->counts.items + extra,
            MOST_BUCKETS * sizeof *store->counts.items);
    store->counts.count = MOST_BUCKETS;
    store->first += (int)extra;
}

static void store_add(struct sketch_store *store, int bucket) {
    if (store->counts.count == 0)
        store->first = bucket;
    long last = store->first + (long)store->counts.count - 1;
    if (bucket < store->first && last - bucket >= MOST_BUCKETS)
        bucket = (int)(last - MOST_BUCKETS + 1);
    if (bucket < store->first)
        extend_down(store, bucket);
    extend_up(store, bucket);
    store->counts.items[bucket - store->first]++;
    if (store->counts.count > MOST_BUCKETS)
        collapse(store);
}

void sketch_add(struct sketch *sketch, double value) {
    sketch->least = sketch->count == 0 || value < sketch->least ? value : sketch->least;
    sketch->most = sketch->count == 0 || value > sketch->most ? value : sketch->most;
    sketch->count++;
    if (fabs(value) < DBL_MIN)
        sketch->zeroes++;
    else
        store_add(value > 0 ? &sketch->positive : &sketch->negative,
                  bucket_of(fmin(fabs(value), DBL_MAX)));
}

static double clamp(const struct sketch *sketch, double value) {
    return fmin(fmax(value, sketch->least), sketch->most);
}

double sketch_quantile(const struct sketch *sketch, double p) {
    double rank = p * (double)(sketch->count - 1), seen = 0;
    const struct sketch_store *negative = &sketch->negative, *positive = &sketch->positive;
    for (size_t i = negative->counts.count; i-- > 0;)
        if ((seen += (double)negative->counts.items[i]) > rank)
            return clamp(sketch, -middle_of(negative->first + (int)i));
    if ((seen += (double)sketch->zeroes) > rank)
        return 0;
    for (size_t i = 0; i < positive->counts.count; i++)
        if ((seen += (double)positive->counts.items[i]) > rank)
            return clamp(sketch, middle_of(positive->first + (int)i));
    return sketch->most;
}

void sketch_dispose(struct sketch *sketch) {
    vec_dispose(&sketch->positive.counts);
    vec_dispose(&sketch->negative.counts);
}

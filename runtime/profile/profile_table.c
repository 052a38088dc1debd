/* SPDX-License-Identifier: Apache-2.0
 *
 * The samples of one rank, by region and feature vector.
 *
 * A region may have 4,096 distinct vectors. After that, new ones are rounded on a logarithmic scale
 * (four steps per octave, then two, one, ... the more of them there are) and counted with the
 * vector that they round to, so that memory stays bounded; said once on stderr.
 */
#include "runtime/common/hashes.h"
#include "runtime/profile/profile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define EXACT_VECTORS 4096
#define VECTORS_PER_STEP 1024
#define FEATURES_MAX 256
#define LARGEST_FEATURE 1e100

static uint64_t hash_sample(const struct bsim__sample *sample) {
    double values[FEATURES_MAX + 1];
    values[0] = sample->region;
    memcpy(values + 1, sample->features, (size_t)sample->feature_count * sizeof(double));
    return bsim__hash_numbers(values, sample->feature_count + 1);
}

static bool is_same(const struct bsim__sample *sample, const double *values, int value_count) {
    if (sample->region != (int)values[0] || sample->feature_count != value_count - 1)
        return false;
    for (int i = 1; i < value_count; i++)
        if (sample->features[i - 1] != values[i])
            return false;
    return true;
}

static bool enlarge(struct bsim__samples *samples) {
    size_t capacity = samples->capacity > 0 ? samples->capacity * 2 : 256;
    struct bsim__sample **slots = calloc(capacity, sizeof slots[0]);
    if (slots == NULL)
        return false;
    for (struct bsim__sample *at = samples->first; at != NULL; at = at->next_in_order) {
        size_t slot = hash_sample(at) & (capacity - 1);
        while (slots[slot] != NULL)
            slot = (slot + 1) & (capacity - 1);
        slots[slot] = at;
    }
    free(samples->slots);
    samples->slots = slots;
    samples->capacity = capacity;
    return true;
}

/* The number of vectors of a region; NULL: out of memory. */
static int *vectors_of(struct bsim__samples *samples, int region) {
    if (region >= samples->region_capacity) {
        int capacity = region + region / 2 + 64;
        int *grown = realloc(samples->per_region, (size_t)capacity * sizeof grown[0]);
        if (grown == NULL)
            return NULL;
        memset(grown + samples->region_capacity, 0,
               (size_t)(capacity - samples->region_capacity) * sizeof grown[0]);
        samples->per_region = grown;
        samples->region_capacity = capacity;
    }
    return &samples->per_region[region];
}

static struct bsim__sample *add(struct bsim__samples *samples, size_t slot, const double *values,
                                int value_count) {
    size_t size = (size_t)(value_count - 1) * sizeof(double);
    struct bsim__sample *sample = calloc(1, sizeof *sample + size);
    if (sample == NULL)
        return NULL;
    sample->region = (int)values[0];
    sample->feature_count = value_count - 1;
    memcpy(sample->features, values + 1, size);
    if (samples->last != NULL)
        samples->last->next_in_order = sample;
    else
        samples->first = sample;
    samples->last = samples->slots[slot] = sample;
    samples->count++;
    return sample;
}

/* The slot with the sample, or the free one where it belongs. */
static size_t slot_of(const struct bsim__samples *samples, const double *values, int value_count) {
    size_t slot = bsim__hash_numbers(values, value_count) & (samples->capacity - 1);
    while (samples->slots[slot] != NULL && !is_same(samples->slots[slot], values, value_count))
        slot = (slot + 1) & (samples->capacity - 1);
    return slot;
}

static double rounded(double value, double steps_per_octave) {
    if (!(value > 0))
        return 0;
    return exp2(round(log2(value) * steps_per_octave) / steps_per_octave);
}

static void say_once(int region) {
    static bool said;
    if (!said)
        fprintf(stderr,
                "mpiskel: region %d has more than %d distinct feature vectors; further ones are "
                "rounded\n",
                region, EXACT_VECTORS);
    said = true;
}

/* Not a number counts as 0, as for the models; the readers of samples take nothing beyond 1e100. */
static double within_range(double value) {
    if (!(value > -LARGEST_FEATURE))
        return isnan(value) ? 0 : -LARGEST_FEATURE;
    return value < LARGEST_FEATURE ? value : LARGEST_FEATURE;
}

struct bsim__sample *bsim__sample_find(struct bsim__samples *samples, const double *given,
                                       int value_count) {
    double values[FEATURES_MAX + 1];
    if (value_count > FEATURES_MAX + 1)
        return NULL;
    for (int i = 0; i < value_count; i++)
        values[i] = within_range(given[i]);
    if (samples->count * 4 >= samples->capacity * 3 && !enlarge(samples))
        return NULL;
    int *vectors = vectors_of(samples, (int)values[0]);
    if (vectors == NULL)
        return NULL;
    size_t slot = slot_of(samples, values, value_count);
    if (samples->slots[slot] == NULL && *vectors >= EXACT_VECTORS) {
        say_once((int)values[0]);
        double steps = ldexp(4, -((*vectors - EXACT_VECTORS) / VECTORS_PER_STEP));
        for (int i = 1; i < value_count; i++)
            values[i] = rounded(values[i], steps);
        slot = slot_of(samples, values, value_count);
    }
    if (samples->slots[slot] != NULL)
        return samples->slots[slot];
    ++*vectors;
    return add(samples, slot, values, value_count);
}

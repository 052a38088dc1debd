/* SPDX-License-Identifier: Apache-2.0
 *
 * Learns from other simulations, per sequence of bursts (of one rank, ended by one call):
 *
 * - Whether they are the same in each simulation. Where a rank polls, or gets its tasks as they
 *   come, the burst with a number is another one each time; then the medians together are less than
 *   any simulation took, since long bursts are never the median. So they have to make up
 *   nearly all that the simulation took that was disturbed least.
 * - How much longer than usual one may be by itself: three robust deviations (1.4826 times the
 * median of the absolute ones) of all ranks' bursts that end in the same call. Where that is more
 *   than half of what is usual the bursts are others in each simulation, and stay as they are.
 *   Times near what can be measured scatter more.
 *
 * Medians are looked up when a burst ends, in what the simulations have left.
 */
#include "runtime/preload/usual_bursts.h"

#include "runtime/preload/burst_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define KNOWN_MIN 3      /* times that tell what is usual */
#define DEVIATIONS_MIN 8 /* that tell what is far from it */
#define FAR (3 * 1.4826)
#define FACTOR_MAX 1.5 /* for bursts that are the same in each simulation */
/* Of a sequence's time, what may go: interruptions of 15 us every 3 ms take 0.5 %, and a host that
 * others use a few percent. */
#define SHARE_MAX 0.05
#define SHORT_S 2e-6 /* below, a few looks at the processor's clock are more than what differs */
#define BINS 4096    /* steps of a code; beyond 5.6 times as long all are alike */

/* The lower one of two: disturbed bursts only get longer. */
static uint16_t median_of(const uint16_t *codes, unsigned count) {
    return count >= KNOWN_MIN ? codes[(count - 1) / 2] : BURST_UNKNOWN;
}

static uint64_t common_count(const struct burst_sequence *sequence) {
    uint64_t count = sequence->others[0].count;
    for (unsigned i = 1; i < sequence->other_count; i++)
        if (sequence->others[i].count < count)
            count = sequence->others[i].count;
    return count;
}

static bool is_the_same(const struct burst_sequence *sequence) {
    double usual_s = 0, sums_s[BURST_SIMULATIONS] = {0}, least_s = INFINITY;
    uint16_t codes[BURST_SIMULATIONS];
    uint64_t count = common_count(sequence);
    for (uint64_t k = 0; k < count; k++) {
        uint16_t median = median_of(codes, sequence_known(codes, sequence, k));
        usual_s += burst_seconds(median);
        for (unsigned i = 0; median != BURST_UNKNOWN && i < sequence->other_count; i++) {
            uint16_t code = sequence->others[i].codes[k];
            sums_s[i] += burst_seconds(code != BURST_UNKNOWN ? code : median);
        }
    }
    for (unsigned i = 0; i < sequence->other_count; i++)
        least_s = fmin(least_s, sums_s[i]);
    return usual_s >= (1 - SHARE_MAX) * least_s;
}

/* Deviations by their size, in steps of a code. */
struct burst_deviations {
    uint64_t bins[BINS], count;
};

static void add_deviations(struct burst_deviations *out, const struct burst_sequence *sequence) {
    uint16_t codes[BURST_SIMULATIONS];
    uint64_t count = sequence->is_the_same ? common_count(sequence) : 0;
    for (uint64_t k = 0; k < count; k++) {
        unsigned known = sequence_known(codes, sequence, k), middle = (known - 1) / 2;
        for (unsigned i = 0; known >= KNOWN_MIN && i < known; i++) {
            int steps = abs((int)codes[i] - (int)codes[middle]);
            if (i != middle) {
                out->bins[steps < BINS ? steps : BINS - 1]++;
                out->count++;
            }
        }
    }
}

static double limit_of(const struct burst_deviations *deviations) {
    uint64_t left = deviations->count / 2;
    unsigned steps = 0;
    if (deviations->count < DEVIATIONS_MIN)
        return INFINITY;
    for (; left >= deviations->bins[steps]; steps++)
        left -= deviations->bins[steps];
    double limit = exp(FAR * BURST_STEP * steps);
    return limit <= FACTOR_MAX ? limit : INFINITY;
}

static int compare_places(const void *left, const void *right) {
    const struct burst_sequence *const *a = left, *const *b = right;
    return ((*a)->place > (*b)->place) - ((*a)->place < (*b)->place);
}

/* Where a call has too few bursts, those of all calls tell. */
static void learn_limits(struct burst_sequence **sequences, size_t count,
                         struct burst_deviations *one, struct burst_deviations *all) {
    for (size_t i = 0; i < count; i++)
        add_deviations(all, sequences[i]);
    for (size_t begin = 0, end; begin < count; begin = end) {
        memset(one, 0, sizeof *one);
        for (end = begin; end < count && sequences[end]->place == sequences[begin]->place; end++)
            add_deviations(one, sequences[end]);
        double limit = limit_of(one->count >= DEVIATIONS_MIN ? one : all);
        for (size_t i = begin; i < end; i++)
            sequences[i]->limit = limit;
    }
}

/* Sorted by calls; none where too few simulations are known. */
const char *usual_bursts_learn(void) {
    size_t count = sequences_count();
    struct burst_sequence **sequences = malloc((count + 1) * sizeof(struct burst_sequence *));
    struct burst_deviations *deviations = calloc(2, sizeof *deviations);
    if (sequences == NULL || deviations == NULL) {
        free(sequences);
        free(deviations);
        return "out of memory";
    }
    for (size_t i = 0; i < count; i++) {
        sequences[i] = sequences_at(i);
        if (sequences[i]->other_count >= KNOWN_MIN)
            sequences[i]->is_the_same = is_the_same(sequences[i]);
    }
    qsort(sequences, count, sizeof *sequences, compare_places);
    learn_limits(sequences, count, &deviations[0], &deviations[1]);
    free(sequences);
    free(deviations);
    return NULL;
}

double usual_burst_s(const struct burst_sequence *sequence, uint64_t number) {
    uint16_t codes[BURST_SIMULATIONS];
    if (!sequence->is_the_same)
        return INFINITY;
    uint16_t median = median_of(codes, sequence_known(codes, sequence, number));
    return median != BURST_UNKNOWN ? burst_seconds(median) : INFINITY;
}

double usual_burst_most_s(const struct burst_sequence *sequence, double usual_s,
                          bool is_disturbed) {
    if (is_disturbed && sequence->limit < INFINITY)
        return usual_s;
    return usual_s < SHORT_S ? usual_s + SHORT_S : usual_s * sequence->limit;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Learns from other simulations, per sequence of bursts (of one rank, ended by one call):
 *
 * - Whether they are the same in each simulation. Where a rank polls, or gets its tasks as they
 *   come, the burst with a number is another one each time; then the medians together are less than
 *   any simulation took, since long bursts are never the median. So they have to make up
 *   nearly all that the simulation took that was disturbed least.
 * - How far they scatter about their medians: the median of the absolute deviations of all ranks'
 *   bursts that end in the same call. What is within half of the burst (three robust deviations of
 *   1.4826 times that) is what a machine does. More, up to a third, is so if deviations come in
 *   periods, as a host has them that others use for a while: if those of successive bursts of a
 *   rank go together. Else bursts are others in each simulation, and stay as they are.
 *   Times near what can be measured scatter in any case.
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
#define FACTOR_MAX 1.5     /* for bursts that are the same in each simulation, */
#define SCATTER_MAX 0.3    /* or that are so with others at times, of the logarithm, */
#define SUCCESSION_MIN 0.3 /* and correlated: bursts that are others each time are not */
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
    double squares, products; /* of deviations; of those of successive bursts */
};

/* Of one simulation; 0: not known. */
static double deviation_of(const struct burst_codes *codes, uint64_t number, uint16_t median) {
    int steps = (int)codes->codes[number] - (int)median;
    if (codes->codes[number] == BURST_UNKNOWN || median == BURST_UNKNOWN)
        return 0;
    return steps > BINS ? BINS : steps < -BINS ? -BINS : steps;
}

/* `before`: those of the burst before it, by simulation; then those of this one. */
static void add_succession(struct burst_deviations *out, double before[BURST_SIMULATIONS],
                           const struct burst_sequence *sequence, uint64_t number,
                           uint16_t median) {
    for (unsigned i = 0; i < sequence->other_count; i++) {
        double now = deviation_of(&sequence->others[i], number, median);
        out->squares += now * now;
        out->products += now * before[i];
        before[i] = now;
    }
}

static void add_sizes(struct burst_deviations *out, const uint16_t *codes, unsigned count) {
    unsigned middle = (count - 1) / 2;
    for (unsigned i = 0; count >= KNOWN_MIN && i < count; i++) {
        int steps = abs((int)codes[i] - (int)codes[middle]);
        if (i != middle) {
            out->bins[steps < BINS ? steps : BINS - 1]++;
            out->count++;
        }
    }
}

static void add_deviations(struct burst_deviations *out, const struct burst_sequence *sequence) {
    double before[BURST_SIMULATIONS] = {0};
    uint16_t codes[BURST_SIMULATIONS];
    uint64_t count = sequence->is_the_same ? common_count(sequence) : 0;
    for (uint64_t k = 0; k < count; k++) {
        unsigned known = sequence_known(codes, sequence, k);
        add_succession(out, before, sequence, k, median_of(codes, known));
        add_sizes(out, codes, known);
    }
}

static void merge(struct burst_deviations *out, const struct burst_deviations *other) {
    for (unsigned i = 0; i < BINS; i++)
        out->bins[i] += other->bins[i];
    out->count += other->count;
    out->squares += other->squares;
    out->products += other->products;
}

/* The median, of the logarithm; INFINITY: there are too few. */
static double scatter_of(const struct burst_deviations *deviations) {
    uint64_t left = deviations->count / 2;
    unsigned steps = 0;
    if (deviations->count < DEVIATIONS_MIN)
        return INFINITY;
    for (; left >= deviations->bins[steps]; steps++)
        left -= deviations->bins[steps];
    return BURST_STEP * steps;
}

static bool is_of_the_machine(const struct burst_deviations *deviations, double scatter) {
    bool go_together = deviations->products >= SUCCESSION_MIN * deviations->squares;
    return exp(FAR * scatter) <= FACTOR_MAX || (scatter <= SCATTER_MAX && go_together);
}

static int compare_places(const void *left, const void *right) {
    const struct burst_sequence *const *a = left, *const *b = right;
    return ((*a)->place > (*b)->place) - ((*a)->place < (*b)->place);
}

/* Too few deviations tell nothing: the limit stays as it is, infinite. */
static void set_limit(struct burst_sequence *sequence, const struct burst_deviations *telling) {
    double scatter = scatter_of(telling);
    sequence->limit = exp(FAR * scatter);
    sequence->scatters_by_machine = is_of_the_machine(telling, scatter);
}

/* Where a call has too few bursts, those of all calls tell. */
static void learn_limits(struct burst_sequence **sequences, size_t count,
                         struct burst_deviations *one, struct burst_deviations *all) {
    for (size_t begin = 0, end; begin < count; begin = end) {
        memset(one, 0, sizeof *one);
        for (end = begin; end < count && sequences[end]->place == sequences[begin]->place; end++)
            add_deviations(one, sequences[end]);
        merge(all, one);
        for (size_t i = begin; i < end; i++)
            set_limit(sequences[i], one);
    }
    for (size_t i = 0; i < count; i++)
        if (!(sequences[i]->limit < INFINITY))
            set_limit(sequences[i], all);
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
    double median_s = burst_seconds(median_of(codes, sequence_known(codes, sequence, number)));
    bool is_usual = sequence->scatters_by_machine || median_s < SHORT_S;
    return median_s > 0 && is_usual ? median_s : INFINITY;
}

bool usual_burst_is_far(const struct burst_sequence *sequence, double usual_s, double seconds) {
    return seconds > (usual_s < SHORT_S ? usual_s + SHORT_S : usual_s * sequence->limit);
}

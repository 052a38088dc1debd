/* SPDX-License-Identifier: Apache-2.0 */
#include "simulator/noise/detours.h"

#include "base/numbers.h"

#include <math.h>
#include <string.h>

#define NEIGHBOURS 1024
#define BESIDE 15         /* on either side */
#define ORDINARY 0.8      /* the part of quanta that are as long as they usually are */
#define TIMES_ORDINARY 4  /* of what that part varies by: a detour */
#define FACTOR_OF_KIND 4  /* of costs; eight kinds reach from 1 us to 65 ms, and beyond */
#define INTERVALS_LEAST 8 /* of which a variation can be told; fewer count as independent */

static int kind_of(double cost_s) {
    int kind = (int)floor(log(cost_s / DETOUR_LEAST_S) / log(FACTOR_OF_KIND));
    return kind < INTERRUPTION_KINDS_MAX ? kind : INTERRUPTION_KINDS_MAX - 1;
}

/* What a quantum takes there, and by how much a detour is longer, at least. */
struct detours_usual {
    double quantum_s, least_s;
};

static struct detours_usual usual_of(const double *quanta_s, size_t count) {
    double sorted[NEIGHBOURS];
    memcpy(sorted, quanta_s, count * sizeof *sorted);
    numbers_sort(sorted, count);
    double quantum_s = sorted[count / 2];
    double varies_s = sorted[(size_t)(ORDINARY * (double)(count - 1))] - quantum_s;
    return (struct detours_usual){quantum_s, fmax(DETOUR_LEAST_S, TIMES_ORDINARY * varies_s)};
}

static double median_s(const double *quanta_s, size_t count) {
    double sorted[BESIDE];
    memcpy(sorted, quanta_s, count * sizeof *sorted);
    return numbers_median(sorted, count);
}

/* By how much the quantum is longer than those just before and those just behind it: where all
 * become longer, none is a detour. */
static double excess_s(const double *quanta_s, size_t count, size_t i) {
    double beside_s = 0;
    if (i >= BESIDE)
        beside_s = median_s(quanta_s + i - BESIDE, BESIDE);
    if (i + BESIDE < count)
        beside_s = fmax(beside_s, median_s(quanta_s + i + 1, BESIDE));
    return quanta_s[i] - beside_s;
}

struct detours_block {
    struct detours *out;
    const double *quanta_s;
    size_t count;
    double now_s, last_s[INTERRUPTION_KINDS_MAX]; /* of each kind; negative: none yet */
};

static void look_at(struct detours_block *block, const struct detours_usual *usual, size_t i) {
    if (block->quanta_s[i] - usual->quantum_s < usual->least_s)
        return;
    double cost_s = excess_s(block->quanta_s, block->count, i);
    if (cost_s < usual->least_s)
        return;
    double *last_s = &block->last_s[kind_of(cost_s)];
    vec_push(&block->out->items,
             (struct detour){cost_s, *last_s >= 0 ? block->now_s - *last_s : -1});
    *last_s = block->now_s;
}

void detours_add(struct detours *out, const double *quanta_s, size_t count) {
    struct detours_block block = {.out = out, .quanta_s = quanta_s, .count = count};
    for (int i = 0; i < INTERRUPTION_KINDS_MAX; i++)
        block.last_s[i] = -1;
    for (size_t first = 0; first < count; first += NEIGHBOURS) {
        size_t end = first + NEIGHBOURS < count ? first + NEIGHBOURS : count;
        struct detours_usual usual = usual_of(quanta_s + first, end - first);
        for (size_t i = first; i < end; block.now_s += quanta_s[i++])
            look_at(&block, &usual, i);
    }
    out->measured_s += block.now_s;
}

void detours_merge(struct detours *out, const struct detours *other) {
    for (size_t i = 0; i < other->items.count; i++)
        vec_push(&out->items, other->items.items[i]);
    out->measured_s += other->measured_s;
    out->waited_s += other->waited_s;
}

void detours_dispose(struct detours *detours) {
    vec_dispose(&detours->items);
}

/* Sums over the detours of a kind. */
struct detours_sums {
    size_t count, intervals;
    double cost_s, interval_s, squares;
};

static double variation_of(const struct detours_sums *sums) {
    if (sums->intervals < INTERVALS_LEAST)
        return 1;
    double mean_s = sums->interval_s / (double)sums->intervals;
    double variance = sums->squares / (double)sums->intervals - mean_s * mean_s;
    return fmin(sqrt(fmax(variance, 0)) / mean_s, 1);
}

static void add_kind(struct interruptions *out, const struct detours_sums *sums,
                     double measured_s) {
    out->kinds[out->count++] =
        (struct interruption_kind){.interval_s = measured_s / (double)sums->count,
                                   .cost_s = sums->cost_s / (double)sums->count,
                                   .variation = variation_of(sums)};
}

void detours_sum_up(struct interruptions *out, size_t *counts, const struct detours *detours) {
    struct detours_sums sums[INTERRUPTION_KINDS_MAX] = {0};
    double taken_s = 0;
    for (size_t i = 0; i < detours->items.count; i++) {
        const struct detour *detour = &detours->items.items[i];
        struct detours_sums *of = &sums[kind_of(detour->cost_s)];
        of->count++;
        of->cost_s += detour->cost_s;
        taken_s += detour->cost_s;
        if (detour->since_s < 0)
            continue;
        of->intervals++;
        of->interval_s += detour->since_s;
        of->squares += detour->since_s * detour->since_s;
    }
    *out = (struct interruptions){0};
    for (int i = 0; i < INTERRUPTION_KINDS_MAX; i++)
        if (sums[i].count > 0) {
            counts[out->count] = sums[i].count;
            add_kind(out, &sums[i], detours->measured_s);
        }
    if (detours->measured_s > 0)
        out->held = fmax(taken_s - detours->waited_s, 0) / detours->measured_s;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * See value_agreement.h. Samples are compared with each other; of a value with very many the first
 * ones have to do.
 */
#include "model/values/value_agreement.h"

#include "model/samples/points.h"

#include "base/vec.h"

#include <math.h>
#include <stdlib.h>

#define SAMPLES_MAX 4096
#define ROUNDING 1e-9 /* of sums over other numbers of ranks */
#define SCATTER 0.1   /* of an amount; no small count differs by so little */

bool same_numbers(const struct sample *left, const struct sample *right) {
    bool same = left->count == right->count && left->seconds == right->seconds &&
                left->repeat_count == right->repeat_count;
    for (size_t i = 0; i < left->repeat_count && same; i++)
        same = left->sequence[i].number == right->sequence[i].number &&
               left->sequence[i].times == right->sequence[i].times;
    return same;
}

static bool all_zero(const struct sample *sample) {
    return sample->seconds == 0 && sample->squares == 0;
}

bool value_is_constant(const struct sample *sample) {
    return sample->repeat_count == 1 && sample->sequence[0].times == sample->count;
}

static bool is_near(double left, double right, double tolerance) {
    return fabs(left - right) <= tolerance * fmax(fabs(left), fabs(right));
}

static double known_count(const struct sample *sample) {
    double known = 0;
    for (size_t i = 0; i < sample->repeat_count; i++)
        known += sample->sequence[i].times;
    return known;
}

/* As far as both are known. */
static bool begin_alike(const struct sample *left, const struct sample *right, double tolerance) {
    size_t l = 0, r = 0;
    double l_used = 0, r_used = 0;
    while (l < left->repeat_count && r < right->repeat_count) {
        const struct repeat *a = &left->sequence[l], *b = &right->sequence[r];
        double times = fmin(a->times - l_used, b->times - r_used);
        if (!is_near(a->number, b->number, tolerance))
            return false;
        l_used += times;
        r_used += times;
        if (l_used >= a->times)
            l++, l_used = 0;
        if (r_used >= b->times)
            r++, r_used = 0;
    }
    return true;
}

bool value_agrees(const struct sample *left, const struct sample *right, bool may_go_on) {
    bool are_known = known_count(left) == left->count && known_count(right) == right->count;
    bool are_as_long =
        left->count == right->count && is_near(left->seconds, right->seconds, ROUNDING);
    may_go_on = may_go_on || (value_is_constant(left) && value_is_constant(right));
    return begin_alike(left, right, ROUNDING) && (are_as_long || (are_known && may_go_on));
}

bool value_nearly_agrees(const struct sample *left, const struct sample *right) {
    return left->count == right->count && begin_alike(left, right, SCATTER);
}

static bool same_features(const struct sample *left, const struct sample *right) {
    return left->region == right->region &&
           features_compare(left->features, right->features, left->feature_count) == 0;
}

enum value_agreement value_agreement(const struct sample *samples, size_t count) {
    bool same = false, different = false;
    count = count < SAMPLES_MAX ? count : SAMPLES_MAX;
    for (size_t i = 0; i < count; i++)
        for (size_t k = i + 1; k < count && same_features(&samples[i], &samples[k]); k++) {
            if (samples[i].run != samples[k].run || samples[i].rank == samples[k].rank)
                continue;
            bool equal = same_numbers(&samples[i], &samples[k]);
            same = same || (equal && !all_zero(&samples[i]));
            different = different || !equal;
        }
    if (same && different)
        return VALUE_AGREEMENT_SOME;
    return same ? VALUE_AGREEMENT_ALL : different ? VALUE_AGREEMENT_NONE : VALUE_AGREEMENT_UNKNOWN;
}

/* ---- How much they differ ---- */

/* Of samples from this one on, of which `left` are left: as many as are of its run and have its
 * features. */
static size_t value_agreement_group(const struct sample *first, size_t left) {
    size_t count = 0;
    while (count < left && first[count].run == first->run &&
           features_compare(first[count].features, first->features, first->feature_count) == 0)
        count++;
    return count;
}

struct value_agreement_spread {
    double off, total;
};

static void add_spread(struct value_agreement_spread *out, const struct sample *ranks,
                       size_t count) {
    double sum = 0, executions = 0;
    for (size_t k = 0; k < count; k++) {
        sum += ranks[k].seconds;
        executions += ranks[k].timed;
    }
    for (size_t k = 0; k < count && executions > 0; k++)
        out->off += fabs(ranks[k].seconds - ranks[k].timed * sum / executions);
    out->total += fabs(sum);
}

double value_agreement_spread(const struct samples *all, const struct sample *samples,
                              size_t count) {
    int run_count = all->run_count;
    struct value_agreement_spread *spreads = xmalloc(((size_t)run_count + 1) * sizeof *spreads);
    double largest = 0;
    for (int run = 0; run < run_count; run++)
        spreads[run] = (struct value_agreement_spread){0, 0};
    for (size_t i = 0, ranks; i < count; i += ranks) {
        ranks = value_agreement_group(&samples[i], count - i);
        add_spread(&spreads[samples[i].run], &samples[i], ranks);
    }
    for (int run = 0; run < run_count; run++)
        if (spreads[run].total > 0)
            largest = fmax(largest, spreads[run].off / spreads[run].total);
    free(spreads);
    return largest;
}

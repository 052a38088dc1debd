/* SPDX-License-Identifier: Apache-2.0
 *
 * See value_agreement.h.
 */
#include "model/values/value_agreement.h"

#include "model/samples/points.h"

#include "base/vec.h"

#include <math.h>
#include <stdlib.h>

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

/* SPDX-License-Identifier: Apache-2.0
 *
 * See value_curves.h. Two curves are compared at places of the second that both come to: ratios of
 * iterations there are about the same, or the curves are others.
 */
#include "model/values/value_curves.h"

#include "model/samples/points.h"

#include <math.h>
#include <stdlib.h>

#define LENGTH_MAX 65536 /* numbers of a curve */
#define LENGTH_MIN 8     /* few steps tell little of how long they are: the last is cut short */
#define PLACES 64        /* on a curve, where it is compared */
#define PLACES_MIN 3
#define SHAPE_ERROR 0.1 /* of the ratio of steps along two curves */

static bool is_rising(const struct value_curve *curve) {
    for (int j = 0; j < curve->length; j++)
        if (!(curve->at[j + 1] > curve->at[j] && curve->at[j + 1] < INFINITY))
            return false;
    return true;
}

static bool make_curve(struct value_curve *out, struct arena *arena, const struct value_seen *seen,
                       bool is_clock) {
    double length = value_seen_executions(seen), sum = 0;
    if (!(length >= LENGTH_MIN && length <= LENGTH_MAX))
        return false;
    *out = (struct value_curve){.of = seen,
                                .at = ARENA_ARRAY(arena, double, (size_t)length + 1),
                                .length = (int)length,
                                .row = -1};
    int j = 1;
    for (size_t i = 0; i < seen->repeat_count; i++)
        for (double times = seen->repeats[i].times; times >= 1 && j <= out->length; times--) {
            sum += seen->repeats[i].number;
            out->at[j++] = is_clock ? seen->repeats[i].number : sum;
        }
    out->at[0] = is_clock ? 2 * out->at[1] - out->at[2] : 0;
    return is_rising(out);
}

bool value_curves_make(struct value_curves *out, struct arena *arena, const value_seen_list *all,
                       bool is_clock) {
    *out = (struct value_curves){.is_clock = is_clock};
    for (size_t i = 0; i < all->count; i++)
        if (out->count == VALUE_CURVES_MAX ||
            !make_curve(&out->items[out->count++], arena, &all->items[i], is_clock))
            return false;
    return out->count > 0;
}

/* The last number counts as little as it can: the step that leads to it may be cut short. */
static int end_of(const struct value_curve *curve) {
    return curve->length - 1;
}

/* After how many iterations the curve is there, which is within it. */
static double iterations_to(const struct value_curve *curve, double where) {
    int low = 0, high = end_of(curve);
    while (high - low > 1) {
        int middle = low + (high - low) / 2;
        if (curve->at[middle] <= where)
            low = middle;
        else
            high = middle;
    }
    return low + (where - curve->at[low]) / (curve->at[high] - curve->at[low]);
}

static int compare_numbers(const void *left, const void *right) {
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

double value_curve_ratio(const struct value_curve *curve, const struct value_curve *reference) {
    double ratios[PLACES], off = 0;
    int count = 0, end = end_of(curve);
    for (int k = 1; k <= PLACES; k++) {
        int j = (int)((double)end * k / PLACES);
        double where = j > 0 ? curve->at[j] : -INFINITY;
        if (where > reference->at[0] && where <= reference->at[end_of(reference)] &&
            j != (int)((double)end * (k - 1) / PLACES))
            ratios[count++] = iterations_to(reference, where) / j;
    }
    if (count < PLACES_MIN)
        return NAN;
    qsort(ratios, (size_t)count, sizeof *ratios, compare_numbers);
    double middle = ratios[count / 2];
    for (int k = 0; k < count; k++)
        off += fabs(ratios[k] / middle - 1);
    return off <= SHAPE_ERROR * count ? middle : NAN;
}

const struct value_curve *value_curves_reference(const struct value_curves *curves,
                                                 const struct value_curve *curve) {
    const struct value_curve *best = curve;
    for (int i = 0; i < curves->count; i++) {
        const struct value_curve *other = &curves->items[i];
        if (features_compare(other->of->vector, curve->of->vector, curves->alike) == 0 &&
            other->at[end_of(other)] > best->at[end_of(best)])
            best = other;
    }
    return best;
}

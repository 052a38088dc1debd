/* SPDX-License-Identifier: Apache-2.0
 *
 * Deviations from the means of groups; see repeated_times.h.
 */
#include "model/latency/repeated_times.h"

#include "base/numbers.h"
#include "base/vec.h"

#include <math.h>
#include <stdlib.h>

#define OUTLIER 3
#define NORMAL_BY_MEDIAN 1.4826 /* standard deviation over median of absolute values */

static int by_group(const void *left, const void *right) {
    const struct repeated_time *l = left, *r = right;
    if (l->group != r->group)
        return l->group < r->group ? -1 : 1;
    return (l->logarithm > r->logarithm) - (l->logarithm < r->logarithm);
}

typedef VEC(double) number_list;

/* Of one group, as far as one time would deviate. */
static void add_deviations(number_list *out, const struct repeated_time *items, size_t count) {
    double mean = 0;
    for (size_t i = 0; i < count; i++)
        mean += items[i].logarithm / (double)count;
    for (size_t i = 0; i < count; i++)
        vec_push(out, fabs(items[i].logarithm - mean) * sqrt((double)count / ((double)count - 1)));
}

static double clamped_mean_square(number_list *deviations) {
    double squares = 0;
    double most = OUTLIER * NORMAL_BY_MEDIAN * numbers_median(deviations->items, deviations->count);
    for (size_t i = 0; i < deviations->count; i++)
        squares += pow(fmin(deviations->items[i], most), 2);
    return squares / (double)deviations->count;
}

struct repeated_variance repeated_times_variance(struct repeated_time *items, size_t count) {
    struct repeated_variance out = {0};
    number_list deviations = {0};
    double groups = 0, parts = 0;
    if (count > 0)
        qsort(items, count, sizeof *items, by_group);
    for (size_t first = 0, end; first < count; first = end) {
        for (end = first + 1; end < count && items[end].group == items[first].group;)
            end++;
        if (end - first < 2)
            continue;
        add_deviations(&deviations, &items[first], end - first);
        parts += 1 / (double)(end - first);
        groups++;
    }
    if (groups > 0) {
        out.degrees = (double)deviations.count - groups;
        out.variance = clamped_mean_square(&deviations);
        out.of_mean = out.variance * parts / groups;
    }
    vec_dispose(&deviations);
    return out;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * A mean of ratios without what is far from their median, or the ratio of totals; see centre.h.
 */
#include "model/latency/centre.h"

#include "base/numbers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CHANGE_MAX 0.1
#define FAR 3.0           /* robust standard deviations */
#define FAR_MIN 0.1       /* what is nearer is never far */
#define FAR_RATIO_MAX 2.0 /* what is further counts as if it were just so far */
#define SYSTEMATIC_CONFIGURATIONS 3
#define SHORTEST_S 1e-9
/* Latencies with the same prediction differ by so much, as a part of their median: the features do
 * not tell how long the region takes. */
#define UNTOLD 0.5
/* Half of the time is in points, and in configurations, that are off by more: what was fitted are
 * not the means. */
#define AMISS 1.25
#define AMISS_POINTS 10

/* Rows that count, and measured over predicted latency of each. */
struct ratios {
    size_t *rows;
    double *values, *distance, *sorted;
    size_t count;
    double middle, spread;  /* of the values: median, and robust standard deviation */
    double least_s, most_s; /* predicted */
};

static void ratios_init(struct ratios *out, const struct design *design,
                        const struct candidate *candidate, const double *coefficients,
                        const bool *left_out) {
    *out = (struct ratios){.rows = xmalloc((design->rows + 1) * sizeof *out->rows),
                           .values = xmalloc((design->rows + 1) * sizeof *out->values),
                           .distance = xmalloc((design->rows + 1) * sizeof *out->distance),
                           .sorted = xmalloc((design->rows + 1) * sizeof *out->sorted),
                           .least_s = INFINITY};
    for (size_t i = 0; i < design->rows; i++) {
        const struct point *point = &design->points->items[i];
        if (left_out != NULL && left_out[design->fold[i]])
            continue;
        double latency_s = design_formula_s(design, candidate, coefficients, point->features);
        out->least_s = fmin(out->least_s, latency_s);
        out->most_s = fmax(out->most_s, latency_s);
        out->values[out->count] = point->latency_s / fmax(latency_s, SHORTEST_S);
        out->rows[out->count++] = i;
    }
}

static void ratios_dispose(struct ratios *ratios) {
    free(ratios->rows);
    free(ratios->values);
    free(ratios->distance);
    free(ratios->sorted);
}

static double median(const double *values, double *sorted, size_t count) {
    memcpy(sorted, values, count * sizeof *sorted);
    numbers_sort(sorted, count);
    return sorted[count / 2];
}

/* Of each configuration some points are far: that is no disturbance, but how the region behaves. */
static bool is_systematic(const struct design *design, const struct ratios *ratios, double limit) {
    size_t folds = (size_t)design->fold_count, configurations = 0;
    size_t *points = xmalloc(2 * folds * sizeof *points), *far = points + folds;
    bool systematic = true;
    memset(points, 0, 2 * folds * sizeof *points);
    for (size_t i = 0; i < ratios->count; i++) {
        points[design->fold[ratios->rows[i]]]++;
        far[design->fold[ratios->rows[i]]] += ratios->distance[i] > limit;
    }
    for (size_t k = 0; k < folds; k++) {
        configurations += points[k] > 0;
        systematic = systematic && (points[k] == 0 || (points[k] > 1 && far[k] > 0));
    }
    free(points);
    return systematic && configurations >= SYSTEMATIC_CONFIGURATIONS;
}

static void measure_spread(struct ratios *ratios) {
    ratios->middle = median(ratios->values, ratios->sorted, ratios->count);
    for (size_t i = 0; i < ratios->count; i++)
        ratios->distance[i] = fabs(ratios->values[i] - ratios->middle);
    ratios->spread = 1.4826 * median(ratios->distance, ratios->sorted, ratios->count);
}

/* The weighted mean without those that are far from the median. */
static double robust_mean(const struct design *design, const struct ratios *ratios) {
    double sum = 0, weight = 0;
    double limit = fmax(FAR * ratios->spread, FAR_MIN);
    bool systematic = is_systematic(design, ratios, limit);
    for (size_t i = 0; i < ratios->count; i++) {
        if (ratios->distance[i] > limit && !systematic)
            continue;
        sum += design->plain_weight[ratios->rows[i]] * fmin(ratios->values[i], FAR_RATIO_MAX);
        weight += design->plain_weight[ratios->rows[i]];
    }
    return weight > 0 ? sum / weight : 1;
}

static bool is_untold(const struct ratios *ratios) {
    return ratios->count > 2 && ratios->least_s == ratios->most_s &&
           ratios->spread > UNTOLD * ratios->middle;
}

/* The time of all executions over what is predicted for all of them. */
static double ratio_of_totals(const struct design *design, const struct ratios *ratios) {
    double measured_s = 0, predicted_s = 0;
    for (size_t i = 0; i < ratios->count; i++) {
        const struct point *point = &design->points->items[ratios->rows[i]];
        if (!(ratios->values[i] > 0))
            continue;
        measured_s += point->total_s;
        predicted_s += point->total_s / ratios->values[i];
    }
    return predicted_s > 0 ? measured_s / predicted_s : 1;
}

/* The time of some executions, and over what is predicted for them. */
struct total {
    double measured_s, predicted_s;
};

static int compare_totals(const void *left, const void *right) {
    const struct total *a = left, *b = right;
    double difference = a->measured_s * b->predicted_s - b->measured_s * a->predicted_s;
    return (difference > 0) - (difference < 0);
}

/* The median of the ratios, weighted by time; there is one at least. Sorts the totals. */
static double middle_ratio(struct total *totals, size_t count) {
    double all_s = 0, until_s = 0;
    size_t i = 0;
    qsort(totals, count, sizeof *totals, compare_totals);
    for (size_t k = 0; k < count; k++)
        all_s += totals[k].measured_s;
    while (i + 1 < count && (until_s += totals[i].measured_s) < all_s / 2)
        i++;
    return totals[i].measured_s / totals[i].predicted_s;
}

/* Of configurations; 1: there are too few. */
static double ratio_of_configurations(const struct design *design, const struct ratios *ratios) {
    size_t folds = (size_t)design->fold_count, count = 0;
    struct total *totals = xmalloc(folds * sizeof *totals);
    memset(totals, 0, folds * sizeof *totals);
    for (size_t i = 0; i < ratios->count; i++) {
        const struct point *point = &design->points->items[ratios->rows[i]];
        struct total *total = &totals[design->fold[ratios->rows[i]]];
        if (!(ratios->values[i] > 0))
            continue;
        total->measured_s += point->total_s;
        total->predicted_s += point->total_s / ratios->values[i];
    }
    for (size_t k = 0; k < folds; k++)
        if (totals[k].predicted_s > 0)
            totals[count++] = totals[k];
    double ratio = count >= SYSTEMATIC_CONFIGURATIONS ? middle_ratio(totals, count) : 1;
    free(totals);
    return ratio;
}

/* Are points with half of the time amiss by that factor's side, and not just a few of them that
 * were disturbed? (The effective number of weighted points: L. Kish, Survey Sampling, 1965.) */
static bool are_amiss(const struct design *design, const struct ratios *ratios, double near,
                      double factor) {
    double all_s = 0, amiss_s = 0, squares = 0;
    for (size_t i = 0; i < ratios->count; i++) {
        double measured_s = design->points->items[ratios->rows[i]].total_s;
        double off = factor > near ? ratios->values[i] / near : near / ratios->values[i];
        all_s += measured_s;
        if (!(off > AMISS))
            continue;
        amiss_s += measured_s;
        squares += measured_s * measured_s;
    }
    return amiss_s > all_s / 2 && amiss_s * amiss_s >= AMISS_POINTS * squares;
}

static double factor_of(const struct design *design, const struct ratios *ratios) {
    if (is_untold(ratios))
        return ratio_of_totals(design, ratios);
    double near = fmin(fmax(robust_mean(design, ratios), 1 - CHANGE_MAX), 1 + CHANGE_MAX);
    double factor = ratio_of_configurations(design, ratios);
    bool is_far = fmax(factor / near, near / factor) > AMISS;
    return is_far && are_amiss(design, ratios, near, factor) ? factor : near;
}

double centre_factor(const struct design *design, const struct candidate *candidate,
                     const double *coefficients, const bool *left_out) {
    struct ratios ratios;
    ratios_init(&ratios, design, candidate, coefficients, left_out);
    double factor = 1;
    if (ratios.count > 0) {
        measure_spread(&ratios);
        factor = factor_of(design, &ratios);
    }
    ratios_dispose(&ratios);
    return factor;
}

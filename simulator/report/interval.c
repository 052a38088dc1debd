/* SPDX-License-Identifier: Apache-2.0
 *
 * Sums of squares; see interval.h.
 */
#include "simulator/report/interval.h"

#include "model/eval/eval_run_factor.h"
#include "model/eval/eval_value.h"

#include <math.h>
#include <stddef.h>

#define NORMAL_QUANTILE 1.959964
#define MEAN_TO_STANDARD 1.2533 /* sqrt(pi / 2), of a normal distribution */
#define DEVIATION_COUNTED 2
#define DEVIATION_MAX 5 /* a factor of 18,000: what is worse would only make infinities */

double deviation_part(double deviation) {
    return expm1(NORMAL_QUANTILE * deviation);
}

/* By which the numbers of the run leave the trained range. */
static double run_numbers_factor(const struct region_stats *seen,
                                 const struct bsim_region_model *fitted) {
    const struct bsim_scale *scale = bsim_region_scale(fitted);
    double least = 1, most = 1;
    if (scale == NULL || seen->run_number_count != (size_t)bsim_scale_count(scale))
        return 1;
    bsim_scale_factor(&least, scale, seen->run_numbers_min);
    bsim_scale_factor(&most, scale, seen->run_numbers_max);
    return fmax(least, most);
}

struct region_error region_error_of(const struct region_stats *seen,
                                    const struct bsim_region_model *fitted) {
    struct region_error out = {.deviation = 1, .factor = 1};
    if (fitted == NULL)
        return out;
    out.factor = fmax(run_numbers_factor(seen, fitted),
                      fmax(bsim_region_factor(fitted, seen->features_min),
                           bsim_region_factor(fitted, seen->features_max)));
    const struct bsim_spread *spread = bsim_region_spread(fitted);
    out.known = spread != NULL;
    if (!out.known)
        return out;
    out.deviation = fmin(bsim_spread_deviation(spread, out.factor), DEVIATION_MAX);
    out.run = spread->run;
    out.execution = fmin(spread->execution, BSIM_JITTER_MOST);
    return out;
}

/* Squares of what the time may be above and below. */
struct squares {
    double above, below;
};

static void add_square(struct squares *sum, double seconds, double deviation) {
    double above = seconds * deviation_part(deviation);
    double below = seconds * -deviation_part(-deviation);
    sum->above += above * above;
    sum->below += below * below;
}

/* `seconds`: by which the longest of all ranks' executions is above the mean. */
static void add_jitter(struct squares *sum, double seconds) {
    sum->above += pow(NORMAL_QUANTILE * seconds, 2);
    sum->below += seconds * seconds;
}

/* By bisection. */
static double expected_largest(size_t count) {
    double ranks = (double)count, above = 0.625 / (ranks + 0.25), low = 0, high = 40;
    for (int i = 0; i < 60 && count > 1; i++) {
        double middle = (low + high) / 2;
        if (erfc(middle * M_SQRT1_2) / 2 > above)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static void note_unknown(struct interval *out, const struct region *region, double share,
                         double *largest) {
    out->unknown_share += share;
    if (out->unknown != NULL && share <= *largest)
        return;
    out->unknown = region;
    *largest = share;
}

static double deviation_of_loop(double error, double factor) {
    return error < 0 ? 1 : MEAN_TO_STANDARD * error * sqrt(1 + pow(log(factor), 2));
}

static void add_loops(struct squares *sum, struct interval *out, const struct run_stats *stats,
                      const struct regions *regions, const struct bsim_model *model) {
    double longest_s = 0;
    for (size_t i = 0; i < stats->doubtful_loop_count; i++) {
        const struct doubtful_loop *loop = &stats->doubtful_loops[i];
        const struct bsim_value_model *value =
            model != NULL ? bsim_model_value(model, (int)loop->index) : NULL;
        double error = value != NULL ? bsim_value_error(value) : -1;
        double seconds = fmin(loop->seconds, stats->makespan_s);
        add_square(sum, seconds, fmin(deviation_of_loop(error, loop->factor), DEVIATION_COUNTED));
        if (seconds <= longest_s)
            continue;
        longest_s = seconds;
        out->loop = &regions->items[loop->index];
        out->loop_share = seconds / stats->makespan_s;
        out->loop_error = error;
    }
}

void interval_make(struct interval *out, const struct run_stats *stats,
                   const struct regions *regions, const struct bsim_model *model) {
    struct squares squares = {0};
    double sum_s = run_stats_region_seconds(stats), largest = 0, run = 0, jitter_s = 0;
    *out = (struct interval){.factor = 1};
    for (size_t i = 0; i < stats->region_count; i++) {
        const struct region_stats *seen = &stats->regions[i];
        const struct bsim_region_model *fitted =
            model != NULL ? bsim_model_region(model, (int)seen->index) : NULL;
        struct region_error error = region_error_of(seen, fitted);
        double share = sum_s > 0 ? seen->seconds / sum_s : 0;
        if (!error.known && share > 0)
            note_unknown(out, &regions->items[seen->index], share, &largest);
        run = fmax(run, error.run);
        out->factor = fmax(out->factor, error.factor);
        jitter_s += share * stats->makespan_s * error.execution;
        add_square(&squares, fmax(share * stats->makespan_s, seen->most_seconds),
                   fmin(error.deviation, DEVIATION_COUNTED));
    }
    if (sum_s > 0)
        add_square(&squares, stats->makespan_s, run);
    add_loops(&squares, out, stats, regions, model);
    add_jitter(&squares, jitter_s * expected_largest(stats->ranks));
    unvaried_find(&out->unvaried, stats, regions, model);
    if (out->unvaried.weight <= INTERVAL_UNKNOWN_MAX)
        out->unvaried = (struct unvaried){0};
    out->known = out->unknown_share <= INTERVAL_UNKNOWN_MAX && out->unvaried.region == NULL;
    out->high_s = stats->makespan_s + sqrt(squares.above);
    out->low_s = fmax(stats->makespan_s - sqrt(squares.below), 0);
}

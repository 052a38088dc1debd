/* SPDX-License-Identifier: Apache-2.0 */
#include "simulator/prediction/interval.h"

#include "model/eval/eval_run_factor.h"
#include "model/eval/eval_value.h"
#include "model/eval/normal_scores.h"

#include <math.h>
#include <stddef.h>

#define NORMAL_QUANTILE 1.959964
#define MEAN_TO_STANDARD 1.2533 /* sqrt(pi / 2), of a normal distribution */
/* Where hardly anything is explained the factor says no more. */
#define EXPLAINED_LEAST 1e-3
#define DEVIATION_COUNTED 2
#define DEVIATION_MAX 5 /* a factor of 18,000: what is worse would only make infinities */

/* The deviation of the median of three runs, which is what `validate` compares with, over that of
 * one (H. David, H. Nagaraja, Order Statistics, 2003: the variance is 0.449 of a normal one's). */
#define TYPICAL_RUN 0.67

/* Of what ranks wait for each other: a spread of two ranks in three configurations, which is what
 * users profile, is known to within 40 %, and less on other machines. */
#define WAIT_UNSURE 0.5

double deviation_part(double deviation) {
    return expm1(NORMAL_QUANTILE * deviation);
}

/* ---- One region ---- */

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

/* Of features that were varied; what others cost is no question of distance (unvaried.h). Below the
 * range the largest number counts: the time is in large ones. */
static double features_factor(const struct region_stats *seen,
                              const struct bsim_region_model *fitted) {
    double factor = 1;
    for (int j = 0; j < (int)seen->feature_count; j++) {
        double min = fmax(bsim_region_feature_min(fitted, j), 1);
        double max = fmax(bsim_region_feature_max(fitted, j), 1);
        if (!(bsim_region_feature_min(fitted, j) < bsim_region_feature_max(fitted, j)))
            continue;
        double largest = fmax(seen->features_max[j], 1);
        factor = fmax(factor, fmax(largest / max, min / largest));
    }
    return factor;
}

struct region_error region_error_of(const struct region_stats *seen,
                                    const struct bsim_region_model *fitted, bool is_synthesised) {
    struct region_error out = {.deviation = 1, .factor = 1};
    if (fitted == NULL)
        return out;
    out.factor = fmax(run_numbers_factor(seen, fitted), features_factor(seen, fitted));
    const struct bsim_spread *spread = bsim_region_spread(fitted);
    out.known = spread != NULL;
    if (!out.known)
        return out;
    double unseen = seen->seconds > 0 ? fmin(seen->unseen_seconds / seen->seconds, 1) : 0;
    out.deviation = fmin(bsim_spread_deviation(spread, out.factor, unseen), DEVIATION_MAX);
    out.run = spread->run;
    out.execution = fmin(spread->execution, BSIM_JITTER_MOST);
    out.rank = bsim_spread_ranks(spread, is_synthesised);
    return out;
}

/* ---- Parts ---- */

/* Squares of what the time may be above and below, part by part. */
struct squares {
    double above[INTERVAL_PARTS], below[INTERVAL_PARTS];
};

static void add_seconds(struct squares *sum, enum interval_part part, double above_s,
                        double below_s) {
    sum->above[part] += above_s * above_s;
    sum->below[part] += below_s * below_s;
}

static void add_square(struct squares *sum, enum interval_part part, double seconds,
                       double deviation) {
    add_seconds(sum, part, seconds * deviation_part(deviation),
                seconds * -deviation_part(-deviation));
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
        add_square(sum, INTERVAL_LOOPS, seconds,
                   fmin(deviation_of_loop(error, loop->factor), DEVIATION_COUNTED));
        if (seconds <= longest_s)
            continue;
        longest_s = seconds;
        out->loop = &regions->items[loop->index];
        out->loop_share = seconds / stats->makespan_s;
        out->loop_error = error;
    }
}

static double mean_mpi_s(const struct run_stats *stats) {
    double sum_s = 0;
    for (size_t i = 0; i < stats->ranks; i++)
        sum_s += stats->per_rank[i].mpi_s;
    return stats->ranks > 0 ? sum_s / (double)stats->ranks : 0;
}

/* But loops, which add_loops has. */
static void add_values(struct squares *sum, const struct run_stats *stats,
                       const struct bsim_model *model) {
    for (size_t i = 0; i < stats->untold_count && model != NULL; i++) {
        const struct bsim_value_model *value =
            bsim_model_value(model, (int)stats->untold_values[i].index);
        if (value != NULL && bsim_value_kind(value) != BSIM_VALUE_KIND_TRIPS)
            add_square(sum, INTERVAL_VALUES, mean_mpi_s(stats),
                       fmin(MEAN_TO_STANDARD * bsim_value_untold(value), DEVIATION_COUNTED));
    }
}

/* What the slowest rank is above the mean, if ranks meet after each execution. */
struct waits {
    double executions_s, undrawn_s, ranks_s; /* undrawn: of executions, and not in the prediction */
};

static void add_waits(struct waits *sum, const struct run_stats *stats,
                      const struct region_stats *seen, const struct region_error *error,
                      double seconds) {
    bool is_drawn = seen->executions > BSIM_JITTER_FROM * (double)stats->ranks;
    *(is_drawn ? &sum->executions_s : &sum->undrawn_s) += seconds * error->execution;
    sum->ranks_s += seconds * error->rank;
}

static void add_unsure_waits(struct squares *squares, const struct waits *waits,
                             const struct run_stats *stats) {
    double slowest = bsim_largest_score((double)stats->ranks), most_s = mean_mpi_s(stats);
    double unsure = NORMAL_QUANTILE * WAIT_UNSURE * slowest;
    double executions_s = fmin(unsure * waits->executions_s, most_s);
    double ranks_s = fmin(unsure * waits->ranks_s, most_s);
    add_seconds(squares, INTERVAL_EXECUTIONS, executions_s, executions_s);
    add_seconds(squares, INTERVAL_EXECUTIONS, NORMAL_QUANTILE * slowest * waits->undrawn_s, 0);
    add_seconds(squares, INTERVAL_RANKS, ranks_s, ranks_s);
}

/* T' */
static double computing_s(const struct run_stats *stats, const struct interval_basis *basis) {
    double most_s = fmin(stats->makespan_s, run_stats_region_seconds(stats));
    bool is_known = basis != NULL && basis->ideal_share > 0;
    return is_known ? fmin(most_s, basis->ideal_share * stats->makespan_s) : most_s;
}

static void add_network(struct squares *squares, const struct run_stats *stats,
                        const struct interval_basis *basis) {
    if (basis == NULL || !(basis->network_error > 0))
        return;
    double seconds = basis->ideal_share > 0 ? fmax(1 - basis->ideal_share, 0) * stats->makespan_s
                                            : fmin(mean_mpi_s(stats), stats->makespan_s);
    add_square(squares, INTERVAL_NETWORK, seconds, fmin(basis->network_error, DEVIATION_COUNTED));
}

static void add_regions(struct squares *squares, struct interval *out,
                        const struct run_stats *stats, const struct regions *regions,
                        const struct bsim_model *model, double all_s) {
    double sum_s = run_stats_region_seconds(stats), largest = 0, run = 0;
    double widest_s = 0;
    struct waits waits = {0};
    for (size_t i = 0; i < stats->region_count; i++) {
        const struct region_stats *seen = &stats->regions[i];
        const struct bsim_region_model *fitted =
            model != NULL ? bsim_model_region(model, (int)seen->index) : NULL;
        struct region_error error = region_error_of(seen, fitted, regions->is_synthesised);
        double share = sum_s > 0 ? seen->seconds / sum_s : 0;
        if (!error.known && share > 0)
            note_unknown(out, &regions->items[seen->index], share, &largest);
        run = fmax(run, error.run);
        out->factor = fmax(out->factor, error.factor);
        double seconds = fmax(share * all_s, seen->most_seconds);
        double deviation = fmin(error.deviation, DEVIATION_COUNTED);
        add_square(squares, INTERVAL_MODELS, seconds, deviation);
        if (seconds * deviation_part(deviation) > widest_s) {
            widest_s = seconds * deviation_part(deviation);
            out->widest = &regions->items[seen->index];
        }
        if (seen->others_max > 0)
            add_seconds(squares, INTERVAL_ALIKE, seconds * (seen->others_max - 1),
                        seconds * (1 - seen->others_min));
        add_waits(&waits, stats, seen, &error, share * all_s);
    }
    add_unsure_waits(squares, &waits, stats);
    if (regions->counted != NULL)
        add_square(squares, INTERVAL_OTHERS, fmax(2 * mean_mpi_s(stats) - stats->makespan_s, 0),
                   INTERVAL_FLOOR);
    if (sum_s > 0) {
        add_square(squares, INTERVAL_RUNS, all_s, TYPICAL_RUN * run);
        add_square(squares, INTERVAL_OTHERS, stats->makespan_s,
                   regions->counted != NULL ? INTERVAL_FLOOR_COUNTED : INTERVAL_FLOOR);
    }
}

static void add_unvaried(struct squares *squares, struct interval *out,
                         const struct run_stats *stats, const struct regions *regions,
                         const struct bsim_model *model) {
    unvaried_find(&out->unvaried, stats, regions, model);
    double weight = out->unvaried.weight;
    double seconds = UNVARIED_UNSURE * weight * stats->makespan_s;
    out->known &= weight <= INTERVAL_UNVARIED_MAX;
    if (weight <= INTERVAL_UNVARIED_MAX)
        add_seconds(squares, INTERVAL_UNVARIED, seconds, fmin(seconds, stats->makespan_s));
    if (weight <= INTERVAL_UNKNOWN_MAX)
        out->unvaried = (struct unvaried){0};
}

void interval_make(struct interval *out, const struct run_stats *stats,
                   const struct regions *regions, const struct bsim_model *model,
                   const struct interval_basis *basis) {
    struct squares squares = {0};
    double above = 0, below = 0;
    *out = (struct interval){.known = true, .factor = 1};
    add_regions(&squares, out, stats, regions, model, computing_s(stats, basis));
    add_network(&squares, stats, basis);
    add_loops(&squares, out, stats, regions, model);
    add_values(&squares, stats, model);
    add_unvaried(&squares, out, stats, regions, model);
    for (int i = 0; i < INTERVAL_PARTS; i++) {
        out->parts_s[i] = sqrt(squares.above[i]);
        above += squares.above[i];
        below += squares.below[i];
    }
    out->known &= out->unknown_share <= INTERVAL_UNKNOWN_MAX;
    out->high_s = stats->makespan_s + sqrt(above);
    out->low_s = fmax(stats->makespan_s - sqrt(below), 0);
}

void interval_widen(struct interval *interval, const struct unexplained *unexplained) {
    if (unexplained_matters(unexplained))
        interval->high_s /= fmax(1 - unexplained->share, EXPLAINED_LEAST);
}

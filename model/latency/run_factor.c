/* SPDX-License-Identifier: Apache-2.0
 *
 * See run_factor.h. Latencies are compared by their logarithms; a point weighs the square root of
 * its time.
 */
#include "model/latency/run_factor.h"

#include "model/solve/nnls.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SHORTEST_S 1e-6 /* below, the clock differs from itself */
#define LEAST_ERROR 0.2 /* of latencies, without a factor */
#define NUMBERS_MAX 8   /* of the run that are tried */
#define DIFFERENT 3     /* numbers that a power needs */
#define ROWS_MAX 512    /* every n-th if there are more */
#define STEEPEST 4.0    /* power of a feature */
#define ROUNDING 1e-9   /* part of an error */

/* How much of the error may be left, and how many configurations that takes; fewer if the time is
 * proportional to the number or to its inverse. What is left has to be small, too, since it is
 * believed far beyond the training, or a small part. */
#define MOST_LEFT 0.1
#define MOST_LEFT_PART 0.25
#define ONE_LEAVES 0.5
#define ONE_NEEDS 4
#define PROPORTIONAL_NEEDS 3
#define TWO_LEAVE 0.35
#define TWO_NEED 6
#define TWO_AGAINST_ONE 0.7
#define LITTLE_LEFT 0.05
#define FEATURE_AGAINST_PLAIN 0.5
/* An offset is one more number to fit. */
#define OFFSET_NEEDS 5
#define OFFSET_LEAVES 0.5
#define OFFSET_REFINED 20  /* halvings: to a part in 10,000 */
#define EXPONENT_STEP 0.25 /* half of what lies between those of the set */
#define EXPONENT_REFINED 1e-3

const double run_scale_exponents[RUN_SCALE_EXPONENTS] = {1, -1, 2, -2, 0.5, -0.5, 1.5, -1.5, 3, -3};
#define PROPORTIONAL_COUNT 2

/* Few numbers of ranks are followed to many. */
#define STEEPEST_OF_RANKS 1.0

/* A point: a configuration at certain features. */
struct run_factor_row {
    int run, configuration;
    const double *features;
    double log_s, weight;
    double rest; /* of log_s without the candidate */
    double x;    /* logarithm of the feature that is looked at */
};

/* Sums for a weighted line through logarithms. */
struct run_factor_sums {
    double w, x, y, xx, xy;
};

struct run_factor_problem {
    struct run_factor_row rows[ROWS_MAX];
    struct run_factor_sums of_configuration[ROWS_MAX];
    size_t count;
    int configuration_count;
    const struct points *points;
    const struct region *region;
    const struct run_context *context;
    double weight; /* of all rows */
};

/* ---- Rows ---- */

static int configuration_of(const struct run_factor_problem *problem, int run) {
    for (size_t i = 0; i < problem->count; i++)
        if (run_context_compare(problem->context, problem->rows[i].run, run) == 0)
            return problem->rows[i].configuration;
    return problem->configuration_count;
}

static void add_row(struct run_factor_problem *out, const struct point *point) {
    int configuration = configuration_of(out, point->run);
    out->configuration_count += configuration == out->configuration_count;
    out->rows[out->count++] = (struct run_factor_row){.run = point->run,
                                                      .configuration = configuration,
                                                      .features = point->features,
                                                      .log_s = log(point->latency_s),
                                                      .weight = sqrt(point->total_s)};
    out->weight += sqrt(point->total_s);
}

static void problem_make(struct run_factor_problem *out, const struct points *points,
                         const struct region *region, const struct run_context *context) {
    size_t step = points->count / ROWS_MAX + 1;
    *out = (struct run_factor_problem){.points = points, .region = region, .context = context};
    for (size_t i = 0; i < points->count; i += step)
        if (points->items[i].latency_s > SHORTEST_S)
            add_row(out, &points->items[i]);
}

/* ---- What others tell of a configuration that is left out ---- */

static void add_to_sums(struct run_factor_sums *sums, const struct run_factor_row *row) {
    sums->w += row->weight;
    sums->x += row->weight * row->x;
    sums->y += row->weight * row->rest;
    sums->xx += row->weight * row->x * row->x;
    sums->xy += row->weight * row->x * row->rest;
}

static struct run_factor_sums sums_without(const struct run_factor_sums *all,
                                           const struct run_factor_sums *part) {
    return (struct run_factor_sums){all->w - part->w, all->x - part->x, all->y - part->y,
                                    all->xx - part->xx, all->xy - part->xy};
}

/* At x of the line; of a constant where x does not vary. */
static double on_line(const struct run_factor_sums *sums, double x) {
    double spread = sums->xx - sums->x * sums->x / sums->w;
    double slope = spread > 1e-9 * sums->w ? (sums->xy - sums->x * sums->y / sums->w) / spread : 0;
    slope = fmin(fmax(slope, 0), STEEPEST);
    return (sums->y + slope * (x * sums->w - sums->x)) / sums->w;
}

/* By a power of the feature, or (-1) a constant. */
static double error_of_power(struct run_factor_problem *problem, int feature) {
    struct run_factor_sums all = {0};
    double error = 0;
    memset(problem->of_configuration, 0, sizeof problem->of_configuration);
    for (size_t i = 0; i < problem->count; i++) {
        struct run_factor_row *row = &problem->rows[i];
        row->x = feature >= 0 ? log(fmax(row->features[feature], 1)) : 0;
        add_to_sums(&all, row);
        add_to_sums(&problem->of_configuration[row->configuration], row);
    }
    for (size_t i = 0; i < problem->count; i++) {
        const struct run_factor_row *row = &problem->rows[i];
        struct run_factor_sums others =
            sums_without(&all, &problem->of_configuration[row->configuration]);
        if (!(others.w > 1e-9 * all.w))
            return INFINITY;
        error += row->weight * fabs(on_line(&others, row->x) - row->rest);
    }
    return all.w > 0 ? error / all.w : INFINITY;
}

double run_scale_log(const struct run_scale *scale, int run) {
    double sum = 0;
    for (int k = 0; k < scale->count; k++)
        sum += scale->exponents[k] * log(scale->context->numbers[run][scale->numbers[k]]);
    return scale->offset > 0 ? log(scale->offset + exp(sum)) : sum;
}

static double error_of(struct run_factor_problem *problem, struct run_scale *scale) {
    for (size_t i = 0; i < problem->count; i++)
        problem->rows[i].rest = problem->rows[i].log_s - run_scale_log(scale, problem->rows[i].run);
    double least = INFINITY;
    for (int feature = -1; feature < problem->region->feature_count; feature++) {
        double error = error_of_power(problem, feature);
        if (error < least)
            scale->feature = feature;
        least = fmin(least, error);
    }
    return least;
}

/* ---- Candidates ---- */

/* No row before has the number. */
static bool is_new(const struct run_factor_problem *problem, size_t at, int number) {
    for (size_t i = 0; i < at; i++)
        if (problem->context->numbers[problem->rows[i].run][number] ==
            problem->context->numbers[problem->rows[at].run][number])
            return false;
    return true;
}

/* All positive, and enough of them different. */
static bool is_usable(const struct run_factor_problem *problem, int number) {
    int different = 0;
    for (size_t i = 0; i < problem->points->count; i++)
        if (!(problem->context->numbers[problem->points->items[i].run][number] > 0))
            return false;
    for (size_t i = 0; i < problem->count && different < DIFFERENT; i++)
        different += is_new(problem, i, number);
    return different >= DIFFERENT;
}

static bool is_known(const struct run_factor_problem *problem, int number) {
    const struct run_context *context = problem->context;
    return number < context->plain_count || context->known_before[number][problem->region->index];
}

/* Of the numbers from `begin` to before `end`. */
static int usable_numbers(int *out, const struct run_factor_problem *problem, int begin, int end) {
    int count = 0;
    for (int k = begin; k < end && count < NUMBERS_MAX; k++)
        if (is_known(problem, k) && is_usable(problem, k))
            out[count++] = k;
    return count;
}

bool run_scale_is_too_steep(const struct run_scale *scale) {
    for (int k = 0; k < scale->count; k++)
        if (scale->context->ranks_vary && scale->numbers[k] == 0 &&
            fabs(scale->exponents[k]) > STEEPEST_OF_RANKS)
            return true;
    return false;
}

/* Of two that differ by rounding alone the later number: features mostly tell the first argument, a
 * program's size, already. */
static bool is_better(const struct run_scale *scale, const struct run_scale *best) {
    bool is_alike = best->error < INFINITY &&
                    fabs(scale->error - best->error) <= ROUNDING * best->error &&
                    scale->numbers[0] != best->numbers[0];
    return is_alike ? scale->numbers[0] > best->numbers[0] : scale->error < best->error;
}

static void try_scale(struct run_scale *best, struct run_factor_problem *problem,
                      struct run_scale scale) {
    if (run_scale_is_too_steep(&scale))
        return;
    scale.error = error_of(problem, &scale);
    if (is_better(&scale, best))
        *best = scale;
}

static void try_offset(struct run_scale *best, struct run_factor_problem *problem,
                       struct run_scale scale, double offset) {
    scale.offset = offset;
    try_scale(best, problem, scale);
}

/* Of the number's power, over the rows. */
static double mean_power(const struct run_factor_problem *problem, const struct run_scale *scale) {
    double sum = 0;
    for (size_t i = 0; i < problem->count; i++)
        sum += exp(run_scale_log(scale, problem->rows[i].run));
    return sum / (double)problem->count;
}

/* From a sixteenth of the mean to four times of it, then between neighbours. */
static void try_offsets(struct run_scale *out, struct run_factor_problem *problem,
                        const int *numbers, int count) {
    struct run_scale best = {.error = INFINITY};
    for (int a = 0; a < count; a++) {
        struct run_scale scale = {
            .context = problem->context, .count = 1, .numbers = {numbers[a]}, .exponents = {1}};
        double mean = mean_power(problem, &scale);
        for (int k = -4; k <= 2; k++)
            try_offset(&best, problem, scale, ldexp(mean, k));
    }
    for (double step = 2; best.count > 0 && step > 1 + ldexp(1, -OFFSET_REFINED);
         step = sqrt(step)) {
        struct run_scale middle = best;
        try_offset(&best, problem, middle, middle.offset / step);
        try_offset(&best, problem, middle, middle.offset * step);
    }
    if (best.error <= OFFSET_LEAVES * out->error)
        *out = best;
}

static void try_one(struct run_scale *best, struct run_factor_problem *problem, const int *numbers,
                    int count) {
    int exponent_count =
        problem->configuration_count < ONE_NEEDS ? PROPORTIONAL_COUNT : RUN_SCALE_EXPONENTS;
    for (int a = 0; a < count; a++)
        for (int i = 0; i < exponent_count; i++)
            try_scale(best, problem,
                      (struct run_scale){.context = problem->context,
                                         .count = 1,
                                         .numbers = {numbers[a]},
                                         .exponents = {run_scale_exponents[i]}});
}

/* Of times without noise the power itself, where those of the set leave more than a little: what
 * ranks divide is followed by a whole power farther than by a fitted one. */
static void fit_exponent(struct run_scale *out, struct run_factor_problem *problem) {
    struct run_scale best = *out;
    if (out->count == 0 || out->error <= LITTLE_LEFT)
        return;
    for (double step = EXPONENT_STEP; step > EXPONENT_REFINED; step /= 2)
        for (int sign = -1; sign <= 1; sign += 2) {
            struct run_scale scale = best;
            scale.exponents[0] += sign * step;
            try_scale(&best, problem, scale);
        }
    best.is_fitted = true;
    if (best.error <= OFFSET_LEAVES * out->error)
        *out = best;
}

static void try_two(struct run_scale *best, struct run_factor_problem *problem, const int *numbers,
                    int count) {
    for (int a = 0; a < count; a++)
        for (int b = a + 1; b < count; b++)
            for (int i = 0; i < RUN_SCALE_EXPONENTS * RUN_SCALE_EXPONENTS; i++)
                try_scale(best, problem,
                          (struct run_scale){
                              .context = problem->context,
                              .count = 2,
                              .numbers = {numbers[a], numbers[b]},
                              .exponents = {run_scale_exponents[i / RUN_SCALE_EXPONENTS],
                                            run_scale_exponents[i % RUN_SCALE_EXPONENTS]}});
}

/* Powers of two numbers, or an offset, can follow much: of times without noise a right factor
 * leaves little. */
static bool follows_much(const struct run_scale *scale) {
    return scale->offset > 0 ||
           (scale->count > 1 && (fabs(scale->exponents[0]) != 1 || fabs(scale->exponents[1]) != 1));
}

static bool is_enough(const struct run_scale *scale, const struct run_factor_problem *problem,
                      double part_left) {
    double most = problem->points->are_exact && follows_much(scale)
                      ? LITTLE_LEFT
                      : fmax(MOST_LEFT, MOST_LEFT_PART * scale->without);
    return scale->error <= part_left * scale->without && scale->error <= most;
}

static bool choose_plain(struct run_scale *out, struct run_factor_problem *problem,
                         double without) {
    int numbers[NUMBERS_MAX];
    struct run_scale one = {.error = INFINITY}, two = {.error = INFINITY};
    int count = usable_numbers(numbers, problem, 0, problem->context->plain_count);
    try_one(&one, problem, numbers, count);
    if (problem->points->are_exact && problem->configuration_count >= ONE_NEEDS)
        fit_exponent(&one, problem);
    if (problem->configuration_count >= OFFSET_NEEDS)
        try_offsets(&one, problem, numbers, count);
    if (problem->configuration_count >= TWO_NEED && one.error > LEAST_ERROR / 2)
        try_two(&two, problem, numbers, count);
    bool is_two = two.error <= TWO_LEAVE * without && two.error <= TWO_AGAINST_ONE * one.error;
    *out = is_two ? two : one;
    out->without = without;
    return is_enough(out, problem, is_two ? TWO_LEAVE : ONE_LEAVES);
}

/* By one alone: they are sizes of what a rank has, in which ranks and arguments have come together
 * already. */
static bool choose_feature(struct run_scale *out, struct run_factor_problem *problem,
                           double without) {
    int numbers[NUMBERS_MAX];
    const struct run_context *context = problem->context;
    int count = usable_numbers(numbers, problem, context->plain_count, context->count);
    *out = (struct run_scale){.error = INFINITY};
    try_one(out, problem, numbers, count);
    out->without = without;
    return is_enough(out, problem, ONE_LEAVES);
}

static bool choose(struct run_scale *out, struct run_factor_problem *problem) {
    struct run_scale none = {0};
    if (problem->configuration_count < PROPORTIONAL_NEEDS)
        return false;
    double without = error_of(problem, &none);
    if (without < LEAST_ERROR)
        return false;
    struct run_scale feature;
    bool found = choose_plain(out, problem, without);
    if (found && out->error <= LITTLE_LEFT)
        return true;
    if (choose_feature(&feature, problem, without) &&
        (!found || feature.error <= FEATURE_AGAINST_PLAIN * out->error)) {
        *out = feature;
        found = true;
    }
    return found;
}

/* The factor becomes 1 in the geometric mean. */
static void normalise(struct run_scale *scale, const struct run_factor_problem *problem) {
    double sum = 0;
    for (int k = 0; k < scale->count; k++) {
        scale->least[k] = INFINITY;
        scale->most[k] = 0;
    }
    for (size_t i = 0; i < problem->count; i++) {
        const struct run_factor_row *row = &problem->rows[i];
        sum += row->weight * run_scale_log(scale, row->run);
        for (int k = 0; k < scale->count; k++) {
            double number = scale->context->numbers[row->run][scale->numbers[k]];
            scale->least[k] = fmin(scale->least[k], number);
            scale->most[k] = fmax(scale->most[k], number);
        }
    }
    scale->coefficient = exp(-sum / problem->weight);
}

bool run_scale_find(struct run_scale *out, struct arena *arena, const struct points *points,
                    const struct region *region, const struct run_context *context) {
    if (context->count == 0)
        return false;
    struct run_factor_problem *problem = xmalloc(sizeof *problem);
    problem_make(problem, points, region, context);
    bool found = choose(out, problem);
    if (found)
        normalise(out, problem);
    free(problem);
    if (found)
        run_scale_find_others(out, arena, points);
    return found;
}

/* ---- What comes of it ---- */

double run_scale_factor(const struct run_scale *scale, int run) {
    return scale->coefficient * exp(run_scale_log(scale, run));
}

struct points run_scale_divide(struct arena *arena, const struct points *points,
                               const struct run_scale *scale) {
    struct points divided = *points;
    divided.items = ARENA_ARRAY(arena, struct point, points->count);
    for (size_t i = 0; i < points->count; i++) {
        divided.items[i] = points->items[i];
        divided.items[i].latency_s /= run_scale_factor(scale, points->items[i].run);
    }
    return divided;
}

/* Of logarithms, by least squares on a constant, the feature and the number. */
static double exponent_off(const struct run_scale *scale, const struct points *points,
                           const bool *left_out) {
    double x[3] = {0};
    double *a = xmalloc((3 * points->count + 1) * sizeof *a);
    double *b = xmalloc((points->count + 1) * sizeof *b);
    struct least_squares problem = {.a = a, .b = b, .columns = 3, .stride = 3};
    for (size_t i = 0; i < points->count; i++) {
        const struct point *point = &points->items[i];
        double root = sqrt(sqrt(point->total_s)), *row = a + 3 * problem.rows;
        if (left_out[i] || !(point->latency_s > SHORTEST_S))
            continue;
        row[0] = root;
        row[1] = scale->feature < 0 ? 0 : root * log(fmax(point->features[scale->feature], 1));
        row[2] = root * log(scale->context->numbers[point->run][scale->numbers[0]]);
        b[problem.rows++] = root * log(point->latency_s);
    }
    least_squares_solve(x, &problem);
    free(a);
    free(b);
    return x[2];
}

bool run_scale_refit(struct run_scale *out, const struct run_scale *scale,
                     const struct points *divided, const bool *left_out) {
    *out = (struct run_scale){
        .context = scale->context, .count = 1, .numbers = {scale->numbers[0]}, .coefficient = 1};
    if (scale->is_fitted)
        out->exponents[0] = exponent_off(scale, divided, left_out);
    return scale->is_fitted;
}

void run_scale_apply(const struct run_scale *scale, struct sample *samples, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (samples[i].timed > 0)
            samples[i].ratio = sample_ratio(&samples[i]) * run_scale_factor(scale, samples[i].run);
}

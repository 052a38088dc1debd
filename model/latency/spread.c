/* SPDX-License-Identifier: Apache-2.0
 *
 * Left-out configurations, and sums of squares over runs, ranks and executions; see spread.h.
 */
#include "model/latency/spread.h"

#include "base/vec.h"
#include "model/latency/jitter.h"
#include "model/latency/rank_spread.h"
#include "model/latency/repeated_times.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NORMAL_QUANTILE 1.959964
#define LATENCY_FLOOR_S 1e-9   /* what is below cannot be measured */
#define LOG_ERROR_MAX log(100) /* a model that says 0 is not infinitely wrong */
#define MEAN_TO_DEVIATION                                                                          \
    1.2533                        /* of a normal distribution: of absolute values to the deviation \
                                   */
#define BEYOND_MEASURED log(1.25) /* left-out configurations have to be so far out */
#define BEYOND_UNMEASURED 0.5     /* time may grow by a power that is off by 1 (two deviations) */

/* ---- Student's distribution ---- */

/* Its 97.5 % quantile over the normal one's: the first ten from a table, then the expansion of
 * Cornish and Fisher (Abramowitz and Stegun, Handbook of Mathematical Functions, 26.7.5). */
static double student_factor(double degrees) {
    static const double quantiles[] = {12.7062, 4.3027, 3.1824, 2.7764, 2.5706,
                                       2.4469,  2.3646, 2.3060, 2.2622, 2.2281};
    int whole = degrees < 1 ? 1 : degrees > 1e6 ? 1000000 : (int)degrees;
    if (whole <= 10)
        return quantiles[whole - 1] / NORMAL_QUANTILE;
    double z = NORMAL_QUANTILE, n = whole;
    double quantile =
        z + (pow(z, 3) + z) / (4 * n) + (5 * pow(z, 5) + 16 * pow(z, 3) + 3 * z) / (96 * n * n);
    return quantile / z;
}

/* ---- All regions of a run ---- */

static double *zeroes(int count) {
    double *numbers = xmalloc(((size_t)count + 1) * sizeof *numbers);
    for (int i = 0; i < count; i++)
        numbers[i] = 0;
    return numbers;
}

void run_errors_init(struct run_errors *out, const struct samples *samples,
                     const struct works *works) {
    int count = samples->run_count;
    *out = (struct run_errors){.run_count = count,
                               .configuration = xmalloc(((size_t)count + 1) * sizeof(int)),
                               .measured_s = zeroes(count),
                               .predicted_s = zeroes(count),
                               .distance_s = zeroes(count),
                               .squares = zeroes(count)};
    for (int i = 0; i < count; i++) {
        int same = samples->runs == NULL ? i : 0;
        while (same < i && !works_repeat(NULL, works, same, i))
            same++;
        out->configuration[i] = same;
    }
}

void run_errors_dispose(struct run_errors *errors) {
    free(errors->configuration);
    free(errors->measured_s);
    free(errors->predicted_s);
    free(errors->distance_s);
    free(errors->squares);
}

static void run_errors_add(struct run_errors *errors, const struct point *point, double predicted_s,
                           double distance_s) {
    int configuration = errors->configuration[point->run];
    errors->measured_s[configuration] += point->total_s;
    errors->predicted_s[configuration] += predicted_s;
    errors->distance_s[configuration] += distance_s;
}

/* The mean square of what whole configurations are off by, beyond what regions explain by
 * themselves; *count: of configurations. */
static double common_square(double *count, const struct run_errors *errors) {
    double squares = 0, weights = 0;
    *count = 0;
    for (int i = 0; i < errors->run_count; i++) {
        double measured_s = errors->measured_s[i];
        if (!(measured_s > 0) || !(errors->predicted_s[i] > 0))
            continue;
        double error = log(measured_s / errors->predicted_s[i]);
        double distance = errors->distance_s[i] / measured_s, weight = sqrt(measured_s);
        double own = errors->squares[i] / (measured_s * measured_s);
        squares += weight * (error * error / (1 + distance * distance) - own);
        weights += weight;
        ++*count;
    }
    return weights > 0 ? squares / weights : 0;
}

/* ---- Configurations left out ---- */

struct test {
    double square;   /* of the logarithm of measured / predicted, less what measuring is off by */
    double distance; /* logarithm of the factor out of the others' range */
    double weight;
};

typedef VEC(struct test) test_list;

struct spread_range {
    double min, max;
};

static double latency_s(const struct point *point) {
    return fmax(point->latency_s, LATENCY_FLOOR_S);
}

static int number_count(const struct spread_question *question) {
    return question->feature_count + (question->scale != NULL ? question->scale->count : 0);
}

/* Features, then numbers of the run. Below and above 1 features are counts that are hardly there: 0
 * to 1 is no factor at all. */
static double number_of(const struct spread_question *question, const struct point *point, int j) {
    const struct run_scale *scale = question->scale;
    return j < question->feature_count
               ? fmax(point->features[j], 1)
               : scale->context->numbers[point->run][scale->numbers[j - question->feature_count]];
}

static void make_ranges(struct spread_range *out, const struct spread_question *question,
                        const bool *left_out) {
    int count = number_count(question);
    for (int j = 0; j < count; j++)
        out[j] = (struct spread_range){INFINITY, 0};
    for (size_t i = 0; i < question->points->count; i++) {
        if (left_out[question->configuration[i]])
            continue;
        for (int j = 0; j < count; j++) {
            double number = number_of(question, &question->points->items[i], j);
            out[j].min = fmin(out[j].min, number);
            out[j].max = fmax(out[j].max, number);
        }
    }
}

static double distance_of(const struct spread_question *question, const struct point *point,
                          const struct spread_range *ranges) {
    double distance = 0;
    for (int j = 0; j < number_count(question); j++) {
        double number = number_of(question, point, j);
        distance = fmax(distance, log(number / ranges[j].max));
        distance = fmax(distance, log(ranges[j].min / number));
    }
    return distance;
}

/* Of one run, among the points that are left out. */
struct left_out_run {
    double measured_s, predicted_s, distance_s;
};

static int run_number_count(const struct points *points) {
    int most = -1;
    for (size_t i = 0; i < points->count; i++)
        most = points->items[i].run > most ? points->items[i].run : most;
    return most + 1;
}

static void push_test(test_list *out, const struct left_out_run *run, double measuring) {
    if (!(run->measured_s > 0))
        return;
    double error = run->predicted_s > 0 ? log(run->measured_s / run->predicted_s) : LOG_ERROR_MAX;
    struct test test = {.square = pow(fmin(fabs(error), LOG_ERROR_MAX), 2) - measuring,
                        .distance = run->distance_s / run->measured_s,
                        .weight = sqrt(run->measured_s)};
    vec_push(out, test);
}

/* The configurations that are left out, and a test for each of their runs: of runs with the same
 * features that take different times no features tell, and one error does not make up for the
 * other. `measuring`: the variance of a configuration's own time. */
static void run_test(test_list *out, const struct spread_question *question, const bool *left_out,
                     double measuring, struct run_errors *errors) {
    const struct points *points = question->points;
    int run_count = run_number_count(points);
    struct spread_range *ranges = xmalloc(((size_t)number_count(question) + 1) * sizeof *ranges);
    double *predicted_s = xmalloc((points->count + 1) * sizeof *predicted_s);
    struct left_out_run *runs = xmalloc(((size_t)run_count + 1) * sizeof *runs);
    for (int i = 0; i < run_count; i++)
        runs[i] = (struct left_out_run){0};
    make_ranges(ranges, question, left_out);
    question->refit(predicted_s, left_out, question->context);
    for (size_t i = 0; i < points->count; i++) {
        const struct point *point = &points->items[i];
        struct left_out_run *run = &runs[point->run];
        if (!left_out[question->configuration[i]])
            continue;
        double all_s = point->total_s * predicted_s[i] / latency_s(point);
        double out_s = point->total_s * distance_of(question, point, ranges);
        run->measured_s += point->total_s;
        run->predicted_s += all_s;
        run->distance_s += out_s;
        if (errors != NULL)
            run_errors_add(errors, point, all_s, out_s);
    }
    for (int i = 0; i < run_count; i++)
        push_test(out, &runs[i], measuring);
    free(ranges);
    free(predicted_s);
    free(runs);
}

struct spread_size {
    int configuration;
    double latency_s; /* mean over its points, by time */
};

static int compare_sizes(const void *left, const void *right) {
    const struct spread_size *l = left, *r = right;
    if (l->latency_s != r->latency_s)
        return l->latency_s < r->latency_s ? -1 : 1;
    return l->configuration - r->configuration;
}

static void mark_upper_half(bool *out, const struct spread_question *question) {
    int count = question->configuration_count;
    struct spread_size *sizes = xmalloc((size_t)count * sizeof *sizes);
    double *time_s = xmalloc((size_t)count * sizeof *time_s);
    for (int k = 0; k < count; k++) {
        sizes[k] = (struct spread_size){.configuration = k};
        time_s[k] = 0;
    }
    for (size_t i = 0; i < question->points->count; i++) {
        const struct point *point = &question->points->items[i];
        int k = question->configuration[i];
        sizes[k].latency_s += point->latency_s * point->total_s;
        time_s[k] += point->total_s;
    }
    for (int k = 0; k < count; k++)
        sizes[k].latency_s /= fmax(time_s[k], LATENCY_FLOOR_S);
    qsort(sizes, (size_t)count, sizeof *sizes, compare_sizes);
    for (int k = 0; k < count; k++)
        out[sizes[k].configuration] = k >= (count + 1) / 2;
    free(sizes);
    free(time_s);
}

static void leave_each_out(test_list *out, const struct spread_question *question,
                           double measuring) {
    int count = question->configuration_count;
    bool *left_out = xmalloc((size_t)count * sizeof *left_out);
    for (int k = 0; k < count; k++) {
        for (int i = 0; i < count; i++)
            left_out[i] = i == k;
        run_test(out, question, left_out, measuring, question->runs);
    }
    free(left_out);
}

static void leave_half_out(test_list *out, const struct spread_question *question,
                           double measuring) {
    bool *left_out = xmalloc((size_t)question->configuration_count * sizeof *left_out);
    mark_upper_half(left_out, question);
    run_test(out, question, left_out, measuring, NULL);
    free(left_out);
}

/* What a mean over configurations is off by remains, however little is left of the errors. */
static double model_error(const test_list *tests, double measuring) {
    double squares = 0, weight = 0;
    for (size_t i = 0; i < tests->count; i++) {
        const struct test *test = &tests->items[i];
        squares += test->weight * test->square / (1 + test->distance * test->distance);
        weight += test->weight;
    }
    return weight > 0 ? sqrt(fmax(squares / weight, measuring / (double)tests->count)) : 0;
}

static double growth(const test_list *tests, double model) {
    double excess = 0, distances = 0;
    for (size_t i = 0; i < tests->count; i++) {
        const struct test *test = &tests->items[i];
        if (test->distance < BEYOND_MEASURED)
            continue;
        excess += test->weight * (test->square - model * model);
        distances += test->weight * test->distance * test->distance;
    }
    return distances > 0 ? fmax(sqrt(fmax(excess, 0) / distances), model)
                         : fmax(BEYOND_UNMEASURED, model);
}

/* Less what is known of where in the run its executions happened. */
static double sample_seconds(const struct sample *sample) {
    return sample->seconds / sample_ratio(sample);
}

/* The variance of the region's time in a configuration, over runs that repeat each other. */
static double measuring_variance(const struct spread_question *question,
                                 const struct sample *samples, size_t count) {
    const struct run_errors *runs = question->runs;
    VEC(struct repeated_time) times = {0};
    if (runs == NULL)
        return 0;
    double *seconds = zeroes(runs->run_count);
    for (size_t i = 0; i < count; i++)
        if (samples[i].timed > 0)
            seconds[samples[i].run] +=
                sample_seconds(&samples[i]) * samples[i].count / samples[i].timed;
    for (int i = 0; i < runs->run_count; i++)
        if (seconds[i] > 0)
            vec_push(&times, (struct repeated_time){.group = runs->configuration[i],
                                                    .logarithm = log(seconds[i])});
    double variance = repeated_times_variance(times.items, times.count).of_mean;
    vec_dispose(&times);
    free(seconds);
    return variance;
}

/* What the region's own error, the same in a whole configuration, contributes to each. */
static void add_squares(struct run_errors *runs, const struct spread_question *question,
                        double model) {
    double *seconds = zeroes(runs->run_count);
    for (size_t i = 0; i < question->points->count; i++) {
        const struct point *point = &question->points->items[i];
        seconds[runs->configuration[point->run]] += point->total_s;
    }
    for (int i = 0; i < runs->run_count; i++)
        runs->squares[i] += pow(seconds[i] * model, 2);
    free(seconds);
}

static bool errors_of_configurations(struct bsim_spread *out,
                                     const struct spread_question *question,
                                     const struct sample *samples, size_t sample_count) {
    test_list tests = {0};
    double measuring = measuring_variance(question, samples, sample_count);
    leave_each_out(&tests, question, measuring);
    double factor = student_factor((double)question->configuration_count - 1);
    bool known = tests.count > 1;
    double model = fmax(model_error(&tests, measuring), MEAN_TO_DEVIATION * question->least_error);
    if (question->runs != NULL)
        add_squares(question->runs, question, model);
    leave_half_out(&tests, question, 2 * measuring / question->configuration_count);
    out->model = factor * model;
    out->beyond = factor * growth(&tests, model);
    vec_dispose(&tests);
    return known;
}

/* ---- Runs of one configuration ---- */

/* The logarithms of what is measured, summed up around their mean. */
struct deviations {
    double sum, squares, count;
};

static void deviations_add(struct deviations *deviations, double value) {
    deviations->sum += value;
    deviations->squares += value * value;
    deviations->count++;
}

static double deviations_squared(const struct deviations *deviations) {
    if (deviations->count == 0)
        return 0;
    return fmax(deviations->squares - deviations->sum * deviations->sum / deviations->count, 0);
}

/* All samples have the same features: what one run says of another is what the model says. */
static bool errors_of_runs(struct bsim_spread *out, const struct sample *samples, size_t count) {
    struct deviations runs = {0};
    for (size_t first = 0, end; first < count; first = end) {
        double seconds = 0, timed = 0;
        for (end = first; end < count && samples[end].run == samples[first].run; end++) {
            seconds += sample_seconds(&samples[end]);
            timed += samples[end].timed;
        }
        if (timed > 0)
            deviations_add(&runs, log(fmax(seconds / timed, LATENCY_FLOOR_S)));
    }
    if (runs.count < 2)
        return false;
    out->model =
        student_factor(runs.count - 1) * sqrt(deviations_squared(&runs) / (runs.count - 1));
    out->beyond = fmax(BEYOND_UNMEASURED, out->model);
    return true;
}

/* ---- Executions ---- */

/* The sum of squares that contexts explain, where the model has a ratio for them (ratio.h); takes
 * what they do from the degrees of freedom. */
static double explained_squares(double *degrees, const struct sample *sample, double mean_s) {
    double squares = 0, contexts = 0;
    for (size_t i = 0; i < sample->context_count && sample->ratio > 0; i++) {
        const struct sample_context *context = &sample->contexts[i];
        squares += context->timed * pow(context->seconds / context->timed - mean_s, 2);
        contexts++;
    }
    *degrees = sample->timed - fmax(contexts, 1);
    return squares;
}

/* The square of the parameter of a log-normal distribution with this mean and these moments;
 * negative: too few executions. */
static double execution_squared(const struct sample *sample) {
    double mean_s = fmax(sample->seconds / sample->timed, LATENCY_FLOOR_S), degrees;
    double squares = sample->squares - sample->timed * mean_s * mean_s;
    double left = fmax(squares - explained_squares(&degrees, sample, mean_s), 0);
    return degrees >= 1 ? log1p(left / degrees / (mean_s * mean_s)) : -1;
}

/* None, if most of the time is in samples of a single execution. */
static double execution_spread(const struct sample *samples, size_t count) {
    double squares = 0, weight = 0, all_s = 0;
    for (size_t i = 0; i < count; i++) {
        all_s += fmax(samples[i].seconds, 0);
        if (samples[i].timed < 2 || samples[i].seconds <= 0)
            continue;
        double squared = execution_squared(&samples[i]);
        squares += squared >= 0 ? samples[i].seconds * squared : 0;
        weight += squared >= 0 ? samples[i].seconds : 0;
    }
    return weight > all_s / 2 ? sqrt(squares / weight) : 0;
}

bool spread_of_region(struct bsim_spread *out, const struct spread_question *question,
                      const struct sample *samples, size_t sample_count) {
    struct bsim_spread spread = {0};
    bool known = question->configuration_count > 1
                     ? errors_of_configurations(&spread, question, samples, sample_count)
                     : errors_of_runs(&spread, samples, sample_count);
    if (!known)
        return false;
    if (question->runs == NULL ||
        !jitter_of_region(&spread.execution, samples, sample_count, question->runs->configuration))
        spread.execution = execution_spread(samples, sample_count);
    spread.rank = rank_spread_of_region(
        samples, sample_count, question->runs != NULL ? question->runs->configuration : NULL,
        spread.execution);
    *out = spread;
    return true;
}

/* ---- Repeated runs ---- */

bool samples_have_repetitions(const struct samples *samples, const struct regions *regions) {
    struct works works;
    struct run_errors runs;
    bool found = false;
    works_init(&works, samples, regions);
    run_errors_init(&runs, samples, &works);
    for (int i = 0; i < runs.run_count; i++)
        found |= runs.configuration[i] != i;
    run_errors_dispose(&runs);
    works_dispose(&works);
    return found;
}

static struct repeated_variance variance_of_runs(const struct samples *samples,
                                                 const struct works *works) {
    struct repeated_variance none = {0};
    if (samples->runs == NULL)
        return none;
    VEC(struct repeated_time) times = {0};
    bool *done = xmalloc((size_t)samples->run_count + 1);
    memset(done, 0, (size_t)samples->run_count + 1);
    for (int i = 0; i < samples->run_count; i++) {
        for (int j = i; j < samples->run_count; j++) {
            double ratio;
            if (done[j] || !works_repeat(&ratio, works, j, i))
                continue;
            done[j] = true;
            vec_push(&times, (struct repeated_time){.group = i, .logarithm = log(ratio)});
        }
    }
    struct repeated_variance found = repeated_times_variance(times.items, times.count);
    vec_dispose(&times);
    free(done);
    return found;
}

double spread_of_runs(const struct samples *samples, const struct works *works,
                      const struct run_errors *errors) {
    struct repeated_variance runs = variance_of_runs(samples, works);
    double count, common = common_square(&count, errors) - runs.of_mean;
    double again = runs.degrees > 0 ? student_factor(runs.degrees) * sqrt(runs.variance) : 0;
    return hypot(again, count > 1 ? student_factor(count - 1) * sqrt(fmax(common, 0)) : 0);
}

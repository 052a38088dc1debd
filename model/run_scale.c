/* SPDX-License-Identifier: Apache-2.0
 *
 * See run_scale.h. Latencies are compared by their logarithms; a point weighs the square root of
 * its time.
 */
#include "model/run_scale.h"

#include "base/str.h"
#include "model/eval_scale.h"
#include "model/run_context.h"

#include <math.h>
#include <stdlib.h>

#define SHORTEST_S 1e-6   /* below, the clock differs from itself */
#define LEAST_ERROR 0.2   /* of latencies, by features alone */
#define COMPARED_PART 0.5 /* of the region's weight that has to be comparable */
#define NUMBERS_MAX 8     /* of the run that are tried */
#define DIFFERENT 3       /* numbers that a power needs */

/* How much of the error may be left, and how many configurations that takes. */
#define ONE_LEAVES 0.5
#define ONE_NEEDS 4
#define TWO_LEAVE 0.35
#define TWO_NEED 6
#define TWO_AGAINST_ONE 0.7

static const double exponents[] = {1, -1, 2, -2, 0.5, -0.5, 1.5, -1.5, 3, -3};
#define EXPONENT_COUNT ((int)(sizeof exponents / sizeof exponents[0]))

/* A point: a configuration at certain features. */
struct row {
    int group, run;
    double log_s, weight;
};

struct problem {
    struct row *rows;
    size_t count;
    const struct points *points;
    const struct run_context *context;
    double weight; /* of all points */
};

/* Powers of one or two numbers of the run. */
struct candidate {
    int count;
    int numbers[2];
    double exponents[2];
    double error;
};

static void problem_make(struct problem *out, struct arena *arena, const struct points *points,
                         int feature_count, const struct run_context *context) {
    *out = (struct problem){.rows = ARENA_ARRAY(arena, struct row, points->count),
                            .points = points,
                            .context = context};
    int group = 0;
    for (size_t i = 0; i < points->count; i++) {
        const struct point *point = &points->items[i];
        group += i > 0 && features_compare(point[-1].features, point->features, feature_count) != 0;
        double weight = sqrt(point->total_s);
        out->weight += weight;
        if (point->latency_s > SHORTEST_S)
            out->rows[out->count++] =
                (struct row){group, point->run, log(point->latency_s), weight};
    }
}

static double log_scale(const struct problem *problem, const struct candidate *candidate, int run) {
    double sum = 0;
    for (int k = 0; k < candidate->count; k++)
        sum += candidate->exponents[k] * log(problem->context->numbers[run][candidate->numbers[k]]);
    return sum;
}

/* What the other configurations with these features say of this one; false: there are none. */
static bool guess(double *out, const struct problem *problem, const struct candidate *candidate,
                  size_t begin, size_t end, const struct row *left_out) {
    double sum = 0, weight = 0;
    for (size_t i = begin; i < end; i++) {
        const struct row *row = &problem->rows[i];
        if (run_context_same(problem->context, row->run, left_out->run))
            continue;
        sum += row->weight * (row->log_s - log_scale(problem, candidate, row->run));
        weight += row->weight;
    }
    *out = weight > 0 ? sum / weight + log_scale(problem, candidate, left_out->run) : 0;
    return weight > 0;
}

static size_t end_of_group(const struct problem *problem, size_t begin) {
    size_t end = begin + 1;
    while (end < problem->count && problem->rows[end].group == problem->rows[begin].group)
        end++;
    return end;
}

/* The mean error of what is left out in turn; *out_weight (NULL: not asked for): of what could be
 * compared. */
static double error_of(double *out_weight, const struct problem *problem,
                       const struct candidate *candidate) {
    double error = 0, weight = 0, told;
    for (size_t begin = 0, end; begin < problem->count; begin = end) {
        end = end_of_group(problem, begin);
        for (size_t i = begin; i < end; i++) {
            const struct row *row = &problem->rows[i];
            if (!guess(&told, problem, candidate, begin, end, row))
                continue;
            error += row->weight * fabs(told - row->log_s);
            weight += row->weight;
        }
    }
    if (out_weight != NULL)
        *out_weight = weight;
    return weight > 0 ? error / weight : 0;
}

/* ---- Which numbers ---- */

/* No row before has the number. */
static bool is_new(const struct problem *problem, size_t at, int number) {
    for (size_t i = 0; i < at; i++)
        if (problem->context->numbers[problem->rows[i].run][number] ==
            problem->context->numbers[problem->rows[at].run][number])
            return false;
    return true;
}

/* All positive, and enough of them different. */
static bool is_usable(const struct problem *problem, int number) {
    int different = 0;
    for (size_t i = 0; i < problem->points->count; i++)
        if (!(problem->context->numbers[problem->points->items[i].run][number] > 0))
            return false;
    for (size_t i = 0; i < problem->count && different < DIFFERENT; i++)
        different += is_new(problem, i, number);
    return different >= DIFFERENT;
}

static int usable_numbers(int *out, const struct problem *problem) {
    int count = 0;
    for (int k = 0; k < problem->context->count && count < NUMBERS_MAX; k++)
        if (is_usable(problem, k))
            out[count++] = k;
    return count;
}

static int count_configurations(const struct problem *problem) {
    int count = 0;
    for (size_t i = 0; i < problem->count && count < TWO_NEED; i++) {
        bool seen = false;
        for (size_t k = 0; k < i && !seen; k++)
            seen = run_context_same(problem->context, problem->rows[i].run, problem->rows[k].run);
        count += !seen;
    }
    return count;
}

static void try_candidate(struct candidate *best, const struct problem *problem,
                          struct candidate candidate) {
    candidate.error = error_of(NULL, problem, &candidate);
    if (candidate.error < best->error)
        *best = candidate;
}

static void try_one(struct candidate *best, const struct problem *problem, const int *numbers,
                    int count) {
    for (int a = 0; a < count; a++)
        for (int i = 0; i < EXPONENT_COUNT; i++)
            try_candidate(best, problem, (struct candidate){1, {numbers[a]}, {exponents[i]}, 0});
}

static void try_two(struct candidate *best, const struct problem *problem, const int *numbers,
                    int count) {
    for (int a = 0; a < count; a++)
        for (int b = a + 1; b < count; b++)
            for (int i = 0; i < EXPONENT_COUNT * EXPONENT_COUNT; i++)
                try_candidate(best, problem,
                              (struct candidate){
                                  2,
                                  {numbers[a], numbers[b]},
                                  {exponents[i / EXPONENT_COUNT], exponents[i % EXPONENT_COUNT]},
                                  0});
}

/* False: there is none, or none is needed. */
static bool choose(struct candidate *out, double *out_without, const struct problem *problem) {
    const struct candidate none = {0};
    int numbers[NUMBERS_MAX], configurations = count_configurations(problem);
    double compared = 0, without = error_of(&compared, problem, &none);
    *out_without = without;
    if (without < LEAST_ERROR || compared < COMPARED_PART * problem->weight)
        return false;
    int count = usable_numbers(numbers, problem);
    struct candidate one = {.error = INFINITY}, two = {.error = INFINITY};
    if (configurations >= ONE_NEEDS)
        try_one(&one, problem, numbers, count);
    if (configurations >= TWO_NEED && one.error > LEAST_ERROR / 2)
        try_two(&two, problem, numbers, count);
    bool is_two = two.error <= TWO_LEAVE * without && two.error <= TWO_AGAINST_ONE * one.error;
    *out = is_two ? two : one;
    return is_two || one.error <= ONE_LEAVES * without;
}

/* ---- What comes of it ---- */

/* So that the factor is 1 in the geometric mean. */
static double coefficient_of(const struct problem *problem, const struct candidate *candidate) {
    double sum = 0, weight = 0;
    for (size_t i = 0; i < problem->count; i++) {
        sum += problem->rows[i].weight * log_scale(problem, candidate, problem->rows[i].run);
        weight += problem->rows[i].weight;
    }
    return exp(-sum / weight);
}

static void add_number(struct str *line, struct str *note, const struct problem *problem,
                       const struct candidate *candidate, int k) {
    int number = candidate->numbers[k];
    double least = INFINITY, most = 0;
    for (size_t i = 0; i < problem->count; i++) {
        double seen = problem->context->numbers[problem->rows[i].run][number];
        least = fmin(least, seen);
        most = fmax(most, seen);
    }
    const char *name = problem->context->names[number];
    str_printf(line, " %s %.17g %.17g %.17g", name, candidate->exponents[k], least, most);
    str_printf(note, "*%s", name);
    if (candidate->exponents[k] != 1)
        str_printf(note, "^%.3g", candidate->exponents[k]);
}

static void describe(struct run_scale *out, struct arena *arena, const struct problem *problem,
                     const struct candidate *candidate, double coefficient, double without) {
    struct str line = {0}, note = {0};
    str_printf(&line, "scale %.17g numbers %d", coefficient, candidate->count);
    str_printf(&note, "times %.4g", coefficient);
    for (int k = 0; k < candidate->count; k++)
        add_number(&line, &note, problem, candidate, k);
    str_addc(&line, '\n');
    str_printf(&note,
               " of the run, since what decides is no feature: error %.0f%%, without it "
               "%.0f%%",
               100 * expm1(candidate->error), 100 * expm1(without));
    out->line = arena_strdup(arena, line.text);
    out->note = arena_strdup(arena, note.text);
    str_dispose(&line);
    str_dispose(&note);
}

/* `samples`: those of the region. */
static void take(const struct problem *problem, const struct candidate *candidate,
                 double coefficient, struct sample *samples, size_t count) {
    for (size_t i = 0; i < count; i++) {
        double ratio = samples[i].ratio > 0 ? samples[i].ratio : 1;
        samples[i].ratio = ratio * coefficient * exp(log_scale(problem, candidate, samples[i].run));
    }
}

static bool learn_region(struct run_scale *out, struct arena *arena, const struct points *points,
                         const struct region *region, const struct run_context *context,
                         struct sample *samples, size_t count) {
    struct arena scratch;
    struct problem problem;
    struct candidate chosen;
    double without;
    arena_init(&scratch);
    problem_make(&problem, &scratch, points, region->feature_count, context);
    bool found = choose(&chosen, &without, &problem);
    if (found) {
        double coefficient = coefficient_of(&problem, &chosen);
        describe(out, arena, &problem, &chosen, coefficient, without);
        take(&problem, &chosen, coefficient, samples, count);
    }
    arena_dispose(&scratch);
    return found;
}

struct run_scale *run_scales_learn(bool *out_found, struct arena *arena, struct samples *samples,
                                   const struct points *points, const struct regions *regions) {
    struct run_scale *scales = ARENA_ARRAY(arena, struct run_scale, (size_t)regions->count);
    struct run_context context = {0};
    struct arena scratch;
    *out_found = false;
    arena_init(&scratch);
    if (samples->run_count > 0 && samples->runs != NULL)
        run_context_make(&context, &scratch, samples);
    for (int i = 0; i < regions->count; i++)
        scales[i].note = "";
    for (size_t first = 0, end; first < samples->count; first = end) {
        int region = samples->items[first].region;
        for (end = first + 1; end < samples->count && samples->items[end].region == region;)
            end++;
        if (context.count > 0 && regions->items[region].value == VALUE_NONE)
            *out_found |=
                learn_region(&scales[region], arena, &points[region], &regions->items[region],
                             &context, &samples->items[first], end - first);
    }
    arena_dispose(&scratch);
    return scales;
}

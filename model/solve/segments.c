/* SPDX-License-Identifier: Apache-2.0
 *
 * Segmented regression; see segments.h.
 *
 * The best line through points i to j - 1 and its error come from weighted moments that grow by
 * one point at a time around their means (B. Welford, Technometrics 4(3), 1962): sums of raw
 * squares would cancel where sizes lie close together. Where the unconstrained line has a negative
 * base or slope, the best one on the boundary is taken: through the origin, or constant.
 * A cut that is asked for splits the points into parts; the criterion is minimised over all of
 * them together, by giving no cost to pieces that reach across it.
 */
#include "model/solve/segments.h"

#include "base/numbers.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define MOST_PIECES 10
#define LEAST_POINTS 3
#define NOISE 0.01
#define ROUNDS 3
#define LARGEST 1e30
/* Beyond so many times the median error, and this error, points are weighted down. */
#define OUTLIER 4
#define OUTLIER_LEAST 0.03
#define PARAMETERS_OF_PIECE 3 /* base, slope, and where it begins */

struct moments {
    double weight, mean_x, mean_y, xx, xy, yy; /* the last three around the means */
};

struct segments_problem {
    const struct segment_point *points; /* by x */
    size_t count;
    double *weights; /* 1 / scale^2, less for outliers */
    struct segment_options options;
    double *costs;  /* of the line through points i..j: costs[i * count + j] */
    double *best;   /* of k pieces for the first j points: best[k * (count + 1) + j] */
    size_t *begins; /* where the last of those pieces begins */
};

/* ---- One piece ---- */

static void add_point(struct moments *moments, const struct segment_point *point, double weight) {
    double total = moments->weight + weight;
    double dx = point->x - moments->mean_x, dy = point->y - moments->mean_y;
    double part = weight / total;
    moments->xx += weight * dx * dx * (1 - part);
    moments->xy += weight * dx * dy * (1 - part);
    moments->yy += weight * dy * dy * (1 - part);
    moments->mean_x += dx * part;
    moments->mean_y += dy * part;
    moments->weight = total;
}

/* y = slope * x. */
static double fit_origin(double *slope, const struct moments *m) {
    double xx = m->xx + m->weight * m->mean_x * m->mean_x;
    double xy = m->xy + m->weight * m->mean_x * m->mean_y;
    double yy = m->yy + m->weight * m->mean_y * m->mean_y;
    *slope = xx > 0 ? fmax(xy / xx, 0) : 0;
    return fmax(yy - *slope * (2 * xy - *slope * xx), 0);
}

/* The sum of squares that the best line leaves. */
static double fit_line(double *base, double *slope, const struct moments *m) {
    *slope = m->xx > 0 ? m->xy / m->xx : 0;
    *base = m->mean_y - *slope * m->mean_x;
    if (*slope >= 0 && *base >= 0)
        return fmax(m->yy - *slope * m->xy, 0);
    double through = 0, through_cost = fit_origin(&through, m);
    if (*slope < 0 || m->yy <= through_cost) {
        *base = fmax(m->mean_y, 0);
        *slope = 0;
        return m->yy;
    }
    *base = 0;
    *slope = through;
    return through_cost;
}

/* ---- All ways to cut ---- */

/* Does a cut that was asked for lie between the two points? */
static bool is_cut(const struct segments_problem *problem, size_t left, size_t right) {
    const struct segment_options *options = &problem->options;
    for (size_t i = 0; i < options->cut_count; i++)
        if (problem->points[left].x <= options->cuts[i] &&
            problem->points[right].x > options->cuts[i])
            return true;
    return false;
}

static void compute_costs(struct segments_problem *problem) {
    size_t count = problem->count;
    for (size_t i = 0; i < count; i++) {
        struct moments moments = {0};
        bool over = false;
        for (size_t j = i; j < count; j++) {
            double base, slope;
            over = over || (j > i && is_cut(problem, j - 1, j));
            add_point(&moments, &problem->points[j], problem->weights[j]);
            problem->costs[i * count + j] = over ? INFINITY : fit_line(&base, &slope, &moments);
        }
    }
}

/* A piece needs so many points, unless there are fewer between two cuts or in all; and points of
 * the same size cannot be told apart. */
static bool may_be_piece(const struct segments_problem *problem, size_t first, size_t end) {
    const struct segment_point *points = problem->points;
    bool begins_at_cut = first == 0 || is_cut(problem, first - 1, first);
    bool ends_at_cut = end == problem->count || is_cut(problem, end - 1, end);
    if ((first > 0 && points[first - 1].x >= points[first].x) ||
        (end < problem->count && points[end - 1].x >= points[end].x))
        return false;
    return end - first >= problem->options.least || (begins_at_cut && ends_at_cut);
}

static void find_best(struct segments_problem *problem, size_t pieces) {
    size_t count = problem->count, row = count + 1;
    const double *before = problem->best + (pieces - 1) * row;
    for (size_t end = 0; end <= count; end++) {
        double least = INFINITY;
        for (size_t first = 0; first < end; first++) {
            double cost = before[first] + problem->costs[first * count + end - 1];
            if (cost < least && may_be_piece(problem, first, end)) {
                least = cost;
                problem->begins[pieces * row + end] = first;
            }
        }
        problem->best[pieces * row + end] = least;
    }
}

/* That of a known variance, with the constants of Liu, Wu and Zidek. */
static double criterion(const struct segments_problem *problem, size_t pieces) {
    double count = (double)problem->count, noise = problem->options.noise;
    double left = problem->best[pieces * (problem->count + 1) + problem->count];
    return left / (noise * noise) +
           PARAMETERS_OF_PIECE * (double)pieces * 0.299 * pow(log(count), 2.1);
}

static size_t choose_pieces(struct segments_problem *problem) {
    size_t chosen = 0, row = problem->count + 1;
    for (size_t end = 1; end < row; end++)
        problem->best[end] = INFINITY;
    problem->best[0] = 0;
    for (size_t pieces = 1; pieces <= problem->options.most; pieces++) {
        find_best(problem, pieces);
        bool possible = isfinite(problem->best[pieces * row + problem->count]);
        if (possible && (chosen == 0 || criterion(problem, pieces) < criterion(problem, chosen)))
            chosen = pieces;
    }
    return chosen;
}

/* ---- The pieces ---- */

static struct segment make_segment(const struct segments_problem *problem, size_t first,
                                   size_t end) {
    struct moments moments = {0};
    struct segment segment = {.from = -INFINITY, .first = first, .count = end - first};
    for (size_t i = first; i < end; i++)
        add_point(&moments, &problem->points[i], problem->weights[i]);
    fit_line(&segment.base, &segment.slope, &moments);
    return segment;
}

/* Between the last point of one piece and the first of the next: at the cut that was asked for,
 * where the lines cross if they do there, else half way in logarithms. */
static double find_border(const struct segments_problem *problem, const struct segment *left,
                          const struct segment *right) {
    double low = problem->points[right->first - 1].x, high = problem->points[right->first].x;
    for (size_t i = 0; i < problem->options.cut_count; i++)
        if (low <= problem->options.cuts[i] && high > problem->options.cuts[i])
            return problem->options.cuts[i];
    double crossing = (right->base - left->base) / (left->slope - right->slope);
    if (crossing >= low && crossing < high)
        return crossing;
    return low > 0 ? sqrt(low * high) : (low + high) / 2;
}

static void collect(struct segments *out, const struct segments_problem *problem, size_t pieces) {
    size_t end = problem->count;
    out->count = pieces;
    for (size_t i = pieces; i > 0; i--) {
        size_t first = problem->begins[i * (problem->count + 1) + end];
        out->items[i - 1] = make_segment(problem, first, end);
        end = first;
    }
    for (size_t i = 1; i < pieces; i++)
        out->items[i].from = find_border(problem, &out->items[i - 1], &out->items[i]);
}

static double relative_error(const struct segment *segment, const struct segment_point *point) {
    return fabs(segment->base + segment->slope * point->x - point->y) / point->scale;
}

/* Sets the errors of all points; the median of them. */
static double measure_errors(double *errors, double *sorted, const struct segments *segments,
                             const struct segments_problem *problem) {
    for (size_t i = 0; i < segments->count; i++) {
        const struct segment *segment = &segments->items[i];
        for (size_t j = segment->first; j < segment->first + segment->count; j++)
            errors[j] = relative_error(segment, &problem->points[j]);
    }
    memcpy(sorted, errors, problem->count * sizeof *errors);
    return numbers_median(sorted, problem->count);
}

/* Points that stick out between their neighbours are doubted before anything is fitted: pieces
 * would be made for them. At a step neighbours differ, and nothing sticks out. */
static void measure_isolation(double *errors, const struct segments_problem *problem) {
    const struct segment_point *points = problem->points;
    memset(errors, 0, problem->count * sizeof *errors);
    for (size_t i = 1; i + 1 < problem->count; i++) {
        double low = fmin(points[i - 1].y, points[i + 1].y);
        double high = fmax(points[i - 1].y, points[i + 1].y);
        errors[i] = fmax(fmax(points[i].y - high, low - points[i].y), 0) / points[i].scale;
    }
}

/* Beyond the limit a point counts as if it were that far off. */
static void weigh(struct segments_problem *problem, const double *errors, double median) {
    double limit = fmax(OUTLIER * fmax(median, problem->options.noise), OUTLIER_LEAST);
    for (size_t i = 0; i < problem->count; i++) {
        double scale = problem->points[i].scale;
        double trust = errors[i] > limit ? limit / errors[i] : 1;
        problem->weights[i] = trust * trust / (scale * scale);
    }
}

static int compare_points(const void *left, const void *right) {
    const struct segment_point *a = left, *b = right;
    return (a->x > b->x) - (a->x < b->x);
}

static int check_points(const struct segment_point *points, size_t count, struct error *error) {
    if (count == 0)
        return error_set(error, "there is nothing to fit");
    if (count > SEGMENT_POINTS_MAX)
        return error_set(error, "%zu points are too many, at most %d can be cut into pieces", count,
                         SEGMENT_POINTS_MAX);
    for (size_t i = 0; i < count; i++) {
        const struct segment_point *point = &points[i];
        if (!(point->x >= 0 && point->x <= LARGEST) || !(point->y >= 0 && point->y <= LARGEST) ||
            !(point->scale >= 1 / LARGEST && point->scale <= LARGEST))
            return error_set(error, "%g at size %g is no measurement: those are numbers from 0 on",
                             point->y, point->x);
    }
    return 0;
}

static void fill_in(struct segment_options *options, size_t count) {
    options->most = options->most > 0 ? options->most : MOST_PIECES;
    options->most += options->cut_count;
    options->most = options->most < count ? options->most : count;
    options->least = options->least > 0 ? options->least : LEAST_POINTS;
    options->noise = options->noise > 0 ? options->noise : NOISE;
    options->least = options->least < count ? options->least : count;
}

static void solve(struct segments *out, struct segments_problem *problem, double *errors,
                  double *sorted) {
    measure_isolation(errors, problem);
    weigh(problem, errors, 0);
    for (int round = 0; round < ROUNDS; round++) {
        compute_costs(problem);
        size_t pieces = choose_pieces(problem);
        assert(pieces > 0);
        collect(out, problem, pieces);
        out->error = measure_errors(errors, sorted, out, problem);
        weigh(problem, errors, out->error);
    }
}

int segments_fit(struct segments *out, struct arena *arena, const struct segment_point *points,
                 size_t count, const struct segment_options *options, struct error *error) {
    struct arena work;
    if (check_points(points, count, error) != 0)
        return -1;
    arena_init(&work);
    struct segment_point *sorted = ARENA_ARRAY(&work, struct segment_point, count);
    struct segments_problem problem = {.points = sorted, .count = count, .options = *options};
    memcpy(sorted, points, count * sizeof *points);
    qsort(sorted, count, sizeof *sorted, compare_points);
    fill_in(&problem.options, count);
    size_t rows = problem.options.most + 1;
    problem.weights = ARENA_ARRAY(&work, double, count);
    problem.costs = ARENA_ARRAY(&work, double, count *count);
    problem.best = ARENA_ARRAY(&work, double, rows *(count + 1));
    problem.begins = ARENA_ARRAY(&work, size_t, rows *(count + 1));
    out->items = ARENA_ARRAY(arena, struct segment, problem.options.most);
    solve(out, &problem, ARENA_ARRAY(&work, double, count), ARENA_ARRAY(&work, double, count));
    arena_dispose(&work);
    return 0;
}

double segments_at(const struct segments *segments, double x) {
    const struct segment *segment = &segments->items[0];
    for (size_t i = 1; i < segments->count && x > segments->items[i].from; i++)
        segment = &segments->items[i];
    return segment->base + segment->slope * x;
}

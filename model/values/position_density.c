/* SPDX-License-Identifier: Apache-2.0
 *
 * See position_density.h. Exponential densities have more knots than their logarithms, since they
 * are linear between knots.
 */
#include "model/values/position_density.h"

#include "model/solve/nnls.h"

#include <math.h>
#include <string.h>

#define SEGMENTS 16
#define KNOTS (SEGMENTS + 1)
#define FINER 8 /* knots of an exponential density for each of its logarithm */
#define LARGEST_STEP 2.0
#define LOGARITHM_MOST 40.0

_Static_assert(DENSITY_KNOTS_MAX == SEGMENTS * FINER + 1, "knots of exponential densities");

struct position_density_system {
    double *a, *b; /* KNOTS columns */
    size_t rows;
};

int density_knot_count(enum density_shape shape) {
    return shape == DENSITY_EXPONENTIAL ? DENSITY_KNOTS_MAX : KNOTS;
}

int density_rounds(enum density_shape shape) {
    return shape == DENSITY_EXPONENTIAL ? 30 : 5;
}

double density_factor(const double *density, const struct density_kind *kind, int at, int length) {
    struct bsim_position position = {.place = kind->place,
                                     .axis = {.dimensions = 1},
                                     .knot_count = density_knot_count(kind->shape),
                                     .density = (double *)density};
    return bsim_position_factor(&position, at, length);
}

void density_start(double *density) {
    for (int k = 0; k < DENSITY_KNOTS_MAX; k++)
        density[k] = 1;
}

/* Rows of the penalty: second differences, times h^-1.5, so that their squares sum up to the
 * integral of the second derivative's square. */
static void add_roughness(struct position_density_system *out, const struct density_kind *kind) {
    double scale = sqrt(kind->roughness * SEGMENTS * SEGMENTS * SEGMENTS);
    int first = kind->shape == DENSITY_PERIODIC ? 0 : 1;
    for (int k = first; k < SEGMENTS; k++, out->rows++) {
        double *row = out->a + out->rows * KNOTS;
        int before = k > 0 ? k - 1 : SEGMENTS - 1;
        row[before] += scale;
        row[k] -= 2 * scale;
        row[k + 1] += scale;
    }
}

static double total_weight(const density_place_list *places) {
    double total = 0;
    for (size_t i = 0; i < places->count; i++)
        total += places->items[i].weight;
    return total;
}

static void add_places(struct position_density_system *out, const density_place_list *places,
                       const struct density_kind *kind) {
    double total = total_weight(places);
    for (size_t i = 0; i < places->count; i++, out->rows++) {
        const struct density_place *place = &places->items[i];
        double scale = sqrt(place->weight / total), *row = out->a + out->rows * KNOTS;
        bsim_position_weights(row, kind->place, KNOTS, place->at, place->length);
        for (int k = 0; k < KNOTS; k++)
            row[k] *= scale;
        out->b[out->rows] = scale * place->sum / place->weight;
    }
}

/* Which knot of the logarithm is before knot `finer` of the density, and how near the next one is.
 */
static int knot_before(double *out_share, int finer) {
    int k = finer == SEGMENTS * FINER ? SEGMENTS - 1 : finer / FINER;
    *out_share = (double)(finer - k * FINER) / FINER;
    return k;
}

static double density_at(const double *logarithms, int k, double share) {
    return exp((1 - share) * logarithms[k] + share * logarithms[k + 1]);
}

/* Of the logarithm at the knots: what is expected at a place, and how it changes with each. */
static double expected_at(double *out_slopes, const double *logarithms,
                          const struct density_place *place, const struct density_kind *kind) {
    double weights[DENSITY_KNOTS_MAX], sum = 0;
    bsim_position_weights(weights, kind->place, DENSITY_KNOTS_MAX, place->at, place->length);
    memset(out_slopes, 0, KNOTS * sizeof *out_slopes);
    for (int i = 0; i < DENSITY_KNOTS_MAX; i++) {
        double share;
        int k = knot_before(&share, i);
        double part = weights[i] * density_at(logarithms, k, share);
        sum += part;
        out_slopes[k] += (1 - share) * part;
        out_slopes[k + 1] += share * part;
    }
    return sum;
}

/* A step of Gauss and Newton, with the variances of Poisson. */
static void add_counts(struct position_density_system *out, const density_place_list *places,
                       const struct density_kind *kind, const double *logarithms) {
    double total = total_weight(places);
    for (size_t i = 0; i < places->count; i++, out->rows++) {
        const struct density_place *place = &places->items[i];
        double *row = out->a + out->rows * KNOTS;
        double expected = expected_at(row, logarithms, place, kind);
        double scale = sqrt(place->weight / total / expected);
        double rest = place->sum / place->weight - expected;
        for (int k = 0; k < KNOTS; k++) {
            rest += row[k] * logarithms[k];
            row[k] *= scale;
        }
        out->b[out->rows] = scale * rest;
    }
}

/* Of a periodic density the last knot is the first one. */
static void wrap(struct position_density_system *system) {
    for (size_t r = 0; r < system->rows; r++) {
        system->a[r * KNOTS] += system->a[r * KNOTS + SEGMENTS];
        system->a[r * KNOTS + SEGMENTS] = 0;
    }
}

/* What solves without the bounds and keeps them is a solution, and quick. */
static void solve_bounded(double *density, const struct least_squares *problem) {
    least_squares_solve(density, problem);
    for (size_t k = 0; k < problem->columns; k++)
        if (!(density[k] >= 0)) {
            nnls_solve(density, problem);
            return;
        }
}

static void solve_logarithms(double *density, double *logarithms,
                             const struct least_squares *problem) {
    double next[KNOTS], largest = 0;
    least_squares_solve(next, problem);
    for (int k = 0; k < KNOTS; k++)
        largest = fmax(largest, fabs(next[k] - logarithms[k]));
    double step = largest > LARGEST_STEP ? LARGEST_STEP / largest : 1;
    for (int k = 0; k < KNOTS; k++) {
        logarithms[k] += step * (next[k] - logarithms[k]);
        logarithms[k] = fmin(fmax(logarithms[k], -LOGARITHM_MOST), LOGARITHM_MOST);
    }
    for (int i = 0; i < DENSITY_KNOTS_MAX; i++) {
        double share;
        int k = knot_before(&share, i);
        density[i] = density_at(logarithms, k, share);
    }
}

static bool normalise(double *density, int knot_count) {
    double sum = 0;
    for (int k = 0; k + 1 < knot_count; k++)
        sum += (density[k] + density[k + 1]) / 2;
    for (int k = 0; k < knot_count && sum > 0; k++)
        density[k] *= (knot_count - 1) / sum;
    return sum > 0;
}

bool density_solve(double *density, const density_place_list *places,
                   const struct density_kind *kind) {
    size_t row_limit = places->count + KNOTS;
    double logarithms[KNOTS];
    struct position_density_system system = {.a = xmalloc(row_limit * KNOTS * sizeof *system.a),
                                             .b = xmalloc(row_limit * sizeof *system.b)};
    memset(system.a, 0, row_limit * KNOTS * sizeof *system.a);
    memset(system.b, 0, row_limit * sizeof *system.b);
    bool is_periodic = kind->shape == DENSITY_PERIODIC;
    add_roughness(&system, kind);
    if (kind->shape == DENSITY_EXPONENTIAL) {
        for (int k = 0; k < KNOTS; k++)
            logarithms[k] = log(density[k * FINER]);
        add_counts(&system, places, kind, logarithms);
    } else {
        add_places(&system, places, kind);
    }
    if (is_periodic)
        wrap(&system);
    struct least_squares problem = {.a = system.a,
                                    .b = system.b,
                                    .rows = system.rows,
                                    .columns = is_periodic ? SEGMENTS : KNOTS,
                                    .stride = KNOTS};
    if (kind->shape == DENSITY_EXPONENTIAL)
        solve_logarithms(density, logarithms, &problem);
    else
        solve_bounded(density, &problem);
    if (is_periodic)
        density[SEGMENTS] = density[0];
    free(system.a);
    free(system.b);
    return normalise(density, density_knot_count(kind->shape));
}

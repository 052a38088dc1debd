/* SPDX-License-Identifier: Apache-2.0
 *
 * See position_density.h.
 */
#include "model/values/position_density.h"

#include "model/solve/nnls.h"

#include <math.h>
#include <string.h>

#define KNOTS DENSITY_KNOTS
#define SEGMENTS (KNOTS - 1)

struct position_density_system {
    double *a, *b; /* KNOTS columns */
    size_t rows;
};

double density_factor(const double *density, const struct density_kind *kind, int at, int length) {
    struct bsim_position position = {
        .place = kind->place, .knot_count = KNOTS, .density = (double *)density};
    return bsim_position_factor(&position, at, length);
}

/* Rows of the penalty: second differences, times h^-1.5, so that their squares sum up to the
 * integral of the second derivative's square. */
static void add_roughness(struct position_density_system *out, const struct density_kind *kind) {
    double scale = sqrt(kind->roughness * SEGMENTS * SEGMENTS * SEGMENTS);
    int first = kind->is_periodic ? 0 : 1;
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

static bool normalise(double *density) {
    double sum = 0;
    for (int k = 0; k < SEGMENTS; k++)
        sum += (density[k] + density[k + 1]) / 2;
    for (int k = 0; k < KNOTS && sum > 0; k++)
        density[k] *= SEGMENTS / sum;
    return sum > 0;
}

bool density_solve(double *density, const density_place_list *places,
                   const struct density_kind *kind) {
    size_t row_limit = places->count + KNOTS;
    struct position_density_system system = {.a = xmalloc(row_limit * KNOTS * sizeof *system.a),
                                             .b = xmalloc(row_limit * sizeof *system.b)};
    memset(system.a, 0, row_limit * KNOTS * sizeof *system.a);
    memset(system.b, 0, row_limit * sizeof *system.b);
    add_roughness(&system, kind);
    add_places(&system, places, kind);
    if (kind->is_periodic)
        wrap(&system);
    struct least_squares problem = {.a = system.a,
                                    .b = system.b,
                                    .rows = system.rows,
                                    .columns = kind->is_periodic ? SEGMENTS : KNOTS,
                                    .stride = KNOTS};
    solve_bounded(density, &problem);
    if (kind->is_periodic)
        density[SEGMENTS] = density[0];
    free(system.a);
    free(system.b);
    return normalise(density);
}

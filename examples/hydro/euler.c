/* SPDX-License-Identifier: Apache-2.0
 *
 * The Euler equations on one rank: the MUSCL-Hancock scheme, direction by direction (Toro, Riemann
 * Solvers and Numerical Methods for Fluid Dynamics, chapters 10, 14 and 16). In: cells with ghosts;
 * out: cells one time step later. Per line of cells: slopes of density, velocity and pressure,
 * limited so that no new extremum appears; from them the gas on both sides of each face after half
 * a step; the flux between the two as HLL estimate it; and what flows in and out. Second order
 * where the gas is smooth.
 */
#include "hydro.h"

#include <math.h>

#define VARIABLES 4

/* Density, velocity along the sweep, velocity across, pressure. */
struct state {
    double v[VARIABLES];
};

struct cell cell_of(struct gas gas) {
    double vx = gas.velocity[AXIS_X], vy = gas.velocity[AXIS_Y];
    struct cell cell = {gas.density,
                        {gas.density * vx, gas.density * vy},
                        gas.pressure / (GAMMA - 1.0) + 0.5 * gas.density * (vx * vx + vy * vy)};
    return cell;
}

static struct state state_of(const struct cell *cell, enum axis axis) {
    double along = cell->momentum[axis] / cell->mass;
    double across = cell->momentum[AXES - 1 - axis] / cell->mass;
    double motion = 0.5 * cell->mass * (along * along + across * across);
    return (struct state){{cell->mass, along, across, (GAMMA - 1.0) * (cell->energy - motion)}};
}

static double sound(const struct state *s) {
    return sqrt(GAMMA * s->v[3] / s->v[0]);
}

double euler_fastest(const struct grid *g) {
    double fastest = 0.0;
    for (int y = 0; y < g->local[AXIS_Y]; y++)
        for (int x = 0; x < g->local[AXIS_X]; x++) {
            struct state s = state_of(grid_cell(g, x, y), AXIS_X);
            fastest = fmax(fastest, fmax(fabs(s.v[1]), fabs(s.v[2])) + sound(&s));
        }
    return fastest;
}

/* The smaller of two slopes, 0 if they differ in sign. */
static double minmod(double a, double b) {
    if (a * b <= 0.0)
        return 0.0;
    return fabs(a) < fabs(b) ? a : b;
}

/* The gas at the lower and the upper face of cell `at`, half a time step later. */
static void predict(struct state *lower, struct state *upper, const struct state *at,
                    double half_dt_per_dx) {
    double slope[VARIABLES];
    const double *v = at->v;
    for (int i = 0; i < VARIABLES; i++)
        slope[i] = minmod(v[i] - at[-1].v[i], at[1].v[i] - v[i]);
    double change[VARIABLES] = {
        v[1] * slope[0] + v[0] * slope[1],
        v[1] * slope[1] + slope[3] / v[0],
        v[1] * slope[2],
        v[1] * slope[3] + GAMMA * v[3] * slope[1],
    };
    for (int i = 0; i < VARIABLES; i++) {
        double centre = v[i] - half_dt_per_dx * change[i];
        lower->v[i] = centre - 0.5 * slope[i];
        upper->v[i] = centre + 0.5 * slope[i];
    }
}

/* The conserved quantities of a state, and how much of them flows past. */
static void flow(double *content, double *flux, const struct state *s) {
    const double *v = s->v;
    content[0] = v[0];
    content[1] = v[0] * v[1];
    content[2] = v[0] * v[2];
    content[3] = v[3] / (GAMMA - 1.0) + 0.5 * v[0] * (v[1] * v[1] + v[2] * v[2]);
    for (int i = 0; i < VARIABLES; i++)
        flux[i] = content[i] * v[1];
    flux[1] += v[3];
    flux[3] += v[3] * v[1];
}

/* Harten, Lax and van Leer's flux, with Davis' estimate of the two wave speeds. */
static void riemann_flux(double *out, const struct state *left, const struct state *right) {
    double content[2][VARIABLES], flux[2][VARIABLES];
    double left_sound = sound(left), right_sound = sound(right);
    double first = fmin(left->v[1] - left_sound, right->v[1] - right_sound);
    double last = fmax(left->v[1] + left_sound, right->v[1] + right_sound);
    flow(content[0], flux[0], left);
    flow(content[1], flux[1], right);
    for (int i = 0; i < VARIABLES; i++)
        if (first >= 0.0)
            out[i] = flux[0][i];
        else if (last <= 0.0)
            out[i] = flux[1][i];
        else
            out[i] = (last * flux[0][i] - first * flux[1][i] +
                      first * last * (content[1][i] - content[0][i])) /
                     (last - first);
}

static void add_flux(struct cell *cell, enum axis axis, const double *flux, double factor) {
    cell->mass += factor * flux[0];
    cell->momentum[axis] += factor * flux[1];
    cell->momentum[AXES - 1 - axis] += factor * flux[2];
    cell->energy += factor * flux[3];
}

/* Advances `count` cells that lie `stride` apart. */
static void sweep_line(struct cell *cells, ptrdiff_t stride, int count, enum axis axis,
                       double dt_per_dx) {
    struct state window[3], lower, upper, upper_before;
    double flux[VARIABLES];
    for (int i = 0; i < 3; i++)
        window[i] = state_of(cells + (i - GHOSTS) * stride, axis);
    predict(&lower, &upper_before, &window[1], 0.5 * dt_per_dx);
    for (int i = 0; i <= count; i++) {
        struct cell *cell = cells + i * stride;
        window[0] = window[1];
        window[1] = window[2];
        window[2] = state_of(cell + stride, axis);
        predict(&lower, &upper, &window[1], 0.5 * dt_per_dx);
        riemann_flux(flux, &upper_before, &lower);
        if (i > 0)
            add_flux(cell - stride, axis, flux, -dt_per_dx);
        if (i < count)
            add_flux(cell, axis, flux, dt_per_dx);
        upper_before = upper;
    }
}

void euler_sweep(struct grid *g, enum axis axis, double dt) {
    double dt_per_dx = dt / g->spacing;
    if (axis == AXIS_X)
        for (int y = 0; y < g->local[AXIS_Y]; y++)
            sweep_line(grid_cell(g, 0, y), 1, g->local[AXIS_X], axis, dt_per_dx);
    else
        for (int x = 0; x < g->local[AXIS_X]; x++)
            sweep_line(grid_cell(g, x, 0), g->local[AXIS_X] + 2 * GHOSTS, g->local[AXIS_Y], axis,
                       dt_per_dx);
}

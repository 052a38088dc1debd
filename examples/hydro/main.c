/* SPDX-License-Identifier: Apache-2.0
 *
 * hydro: Sod's shock tube in two dimensions, with walls all around.
 * In: cells in x and y, and the time at which to stop. Out, on rank 0: steps, time and rate of the
 * slowest rank, what became of mass and energy, and the error against the exact solution.
 * Algorithm: per step the largest time step that the fastest wave on any rank allows, then a sweep
 * in each direction, whose order changes with each step (Strang splitting). Limits: each rank has
 * at least two cells in each direction; t_end is before the shock reaches the wall.
 */
#include "hydro.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define DEFAULT_NX 200
#define DEFAULT_NY 50
#define DEFAULT_T_END 0.2
#define MAX_CELLS 100000
#define COURANT 0.8
#define FIRST_STEPS 5 /* start with a fifth of the time step: at first the speeds grow */
#define ROUNDING 1e-12

/* The mean error of the density that may be: the border of the gases widens with the number of
 * steps. */
#define ACCEPTED_ERROR(nx) (0.25 * pow(nx, -2.0 / 3.0))

struct options {
    int cells[AXES];
    double t_end;
};

struct totals {
    double mass;
    double energy;
};

static double global(const struct grid *g, double value, MPI_Op op) {
    double result = 0.0;
    MPI_Allreduce(&value, &result, 1, MPI_DOUBLE, op, g->comm);
    return result;
}

static void fill(struct grid *g) {
    for (int y = 0; y < g->local[AXIS_Y]; y++)
        for (int x = 0; x < g->local[AXIS_X]; x++)
            *grid_cell(g, x, y) =
                cell_of(sod_exact((g->first[AXIS_X] + x + 0.5) * g->spacing, 0.0));
}

static struct totals sum_up(const struct grid *g) {
    struct totals local = {0.0, 0.0};
    for (int y = 0; y < g->local[AXIS_Y]; y++)
        for (int x = 0; x < g->local[AXIS_X]; x++) {
            local.mass += grid_cell(g, x, y)->mass;
            local.energy += grid_cell(g, x, y)->energy;
        }
    return (struct totals){global(g, local.mass, MPI_SUM), global(g, local.energy, MPI_SUM)};
}

static double density_error(const struct grid *g, double t) {
    double sum = 0.0;
    for (int x = 0; x < g->local[AXIS_X]; x++) {
        double exact = sod_exact((g->first[AXIS_X] + x + 0.5) * g->spacing, t).density;
        for (int y = 0; y < g->local[AXIS_Y]; y++)
            sum += fabs(grid_cell(g, x, y)->mass - exact);
    }
    return global(g, sum, MPI_SUM) / ((double)g->global[AXIS_X] * g->global[AXIS_Y]);
}

/* Not beyond t_end, and the same on all ranks. */
static double time_step(const struct grid *g, int step, double remaining) {
    double dt = global(g, COURANT * g->spacing / euler_fastest(g), MPI_MIN);
    if (step < FIRST_STEPS)
        dt *= 0.2;
    return fmin(dt, remaining);
}

static void sweep(struct grid *g, enum axis axis, double dt) {
    grid_fill_ghosts(g, axis);
    euler_sweep(g, axis, dt);
}

/* Returns the number of time steps. */
static int advance(struct grid *g, double t_end) {
    double t = 0.0;
    int step = 0;
    while (t < t_end) {
        double dt = time_step(g, step, t_end - t);
        enum axis first = step % 2 == 0 ? AXIS_X : AXIS_Y;
        sweep(g, first, dt);
        sweep(g, AXES - 1 - first, dt);
        t += dt;
        step++;
    }
    return step;
}

static double relative_change(double now, double before) {
    return fabs(now - before) / before;
}

/* Whether the result is right; the same on all ranks. */
static int report(const struct grid *g, const struct options *options, int steps, double elapsed_s,
                  const struct totals *before) {
    double slowest_s = global(g, elapsed_s, MPI_MAX);
    struct totals now = sum_up(g);
    double error = density_error(g, options->t_end);
    double mass = relative_change(now.mass, before->mass);
    double energy = relative_change(now.energy, before->energy);
    double updates = (double)g->global[AXIS_X] * g->global[AXIS_Y] * steps;
    int correct = error < ACCEPTED_ERROR(g->global[AXIS_X]) && mass < ROUNDING && energy < ROUNDING;
    if (g->rank != 0)
        return correct;
    printf("hydro %d x %d cells until %g, %d steps, %d x %d ranks\n", g->global[AXIS_X],
           g->global[AXIS_Y], options->t_end, steps, g->places[AXIS_X], g->places[AXIS_Y]);
    printf("time %.6f s, %.3f Mcells/s\n", slowest_s,
           slowest_s > 0.0 ? updates / slowest_s * 1e-6 : 0.0);
    printf("mass changed by %.1e, energy by %.1e\n", mass, energy);
    printf("error of the density %.3e: %s\n", error, correct ? "correct" : "WRONG");
    return correct;
}

static int parse_cells(int *out, const char *text) {
    char *end;
    long value = strtol(text, &end, 10);
    if (end == text || *end != '\0' || value < 1 || value > MAX_CELLS)
        return -1;
    *out = (int)value;
    return 0;
}

static int parse_arguments(struct options *out, int argc, char **argv) {
    char *end;
    *out = (struct options){{DEFAULT_NX, DEFAULT_NY}, DEFAULT_T_END};
    if (argc > 4)
        return -1;
    for (int axis = 0; axis < AXES && axis + 1 < argc; axis++)
        if (parse_cells(&out->cells[axis], argv[axis + 1]) != 0)
            return -1;
    if (argc < 4)
        return 0;
    out->t_end = strtod(argv[3], &end);
    return end != argv[3] && *end == '\0' && out->t_end > 0.0 && out->t_end <= SOD_END ? 0 : -1;
}

int main(int argc, char **argv) {
    struct options options;
    struct grid grid;
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (parse_arguments(&options, argc, argv) != 0) {
        if (rank == 0)
            fprintf(stderr, "usage: hydro [nx [ny [t_end]]], cells from 1 to %d, 0 < t_end <= %g\n",
                    MAX_CELLS, SOD_END);
        MPI_Finalize();
        return EXIT_FAILURE;
    }
    if (grid_init(&grid, options.cells) != 0) {
        if (rank == 0)
            fprintf(stderr, "hydro: each of the %d x %d ranks needs %d cells in each direction\n",
                    grid.places[AXIS_X], grid.places[AXIS_Y], GHOSTS);
        grid_dispose(&grid);
        MPI_Finalize();
        return EXIT_FAILURE;
    }
    fill(&grid);
    struct totals before = sum_up(&grid);

    MPI_Barrier(grid.comm);
    double start_s = MPI_Wtime();
    int steps = advance(&grid, options.t_end);
    double elapsed_s = MPI_Wtime() - start_s;

    int correct = report(&grid, &options, steps, elapsed_s, &before);
    grid_dispose(&grid);
    MPI_Finalize();
    return correct ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * A function that gets its sizes in a record by value, handed on through another one: its loops are
 * features, of the record that the region has. Where the function changes its copy they are not.
 *
 * args: 40
 * args: 11
 * ranks: 1 3
 * gone: sum += work[i * g.ny + j];
 * gone: work[i] *= 0.5;
 * feature: BSIM_TIMES(bsim_trips(0, s->grid.nx, 1), bsim_trips(1, s->grid.ny, 1))
 * feature: bsim_trips(0, s->grid.nx, 1)
 * features: 2
 */
#include <mpi.h>
#include <stdlib.h>

struct grid {
    double spacing;
    int nx, ny;
};

struct solver {
    int steps;
    struct grid grid;
};

static double inner(struct grid g, const double *work) {
    double sum = g.spacing;
    for (int i = 0; i < g.nx; i++)
        for (int j = 1; j < g.ny; j++)
            sum += work[i * g.ny + j];
    return sum;
}

static double outer(struct grid grid, const double *work) {
    return inner(grid, work);
}

static void halves(struct grid g, double *work) {
    g.nx = g.nx - 1 - (int)work[0];
    for (int i = 0; i < g.nx; i++)
        work[i] *= 0.5;
}

static double step(struct solver *s, double *work) {
    double sum = outer(s->grid, work);
    MPI_Allreduce(MPI_IN_PLACE, &sum, s->steps, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    halves(s->grid, work);
    MPI_Barrier(MPI_COMM_WORLD);
    return sum;
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    struct solver s = {1, {0.5, atoi(argv[1]), 7}};
    double *work = calloc((size_t)(s.grid.nx * s.grid.ny), sizeof *work);
    double sum = 0;
    for (int i = 0; i < s.grid.nx; i++)
        sum += step(&s, work);
    free(work);
    MPI_Finalize();
    return sum < 0;
}

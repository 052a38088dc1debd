/* SPDX-License-Identifier: Apache-2.0
 *
 * Functions that copy the record that they are given before they read their sizes: their loops are
 * features, of the record that the region has, also under conditions that are not known. Where the
 * copy is changed they go by the source; where the source is changed, or what is to be followed may
 * be missing, they are not.
 *
 * args: 40
 * args: 11
 * ranks: 1 3
 * gone: sum += work[i * in.ny + j];
 * gone: work[i] *= 0.5;
 * gone: work[i] += 0.25;
 * gone: work[i] -= spare->weight;
 * feature: bsim_trips(0, grid.nx, 1)
 * feature: BSIM_TIMES(bsim_trips(0, grid.nx, 1), bsim_trips(2, grid.ny, 1))
 * feature: bsim_trips(3, grid.nx, 1)
 * feature: grid.nx
 * features: 4
 */
#include <mpi.h>
#include <stdlib.h>

struct grid {
    double weight;
    int nx, ny, nz;
};

static double inner(const struct grid *given, const double *work) {
    struct grid in = *given, again = in;
    double sum = in.weight;
    for (int i = 0; i < again.nx; i++)
        for (int j = 2; j < in.ny; j++)
            sum += work[i * in.ny + j];
    return sum;
}

static double outer(struct grid *grid, double *work) {
    double sum = inner(grid, work);
    if (work[0] > 0)
        for (int i = 3; i < (*grid).nx; i++)
            sum += work[i];
    return sum;
}

static void halves(const struct grid *given, double *work) {
    struct grid in = *given;
    in.nx = in.nx - 1 - (int)work[0];
    for (int i = 0; i < in.nx; i++)
        work[i] *= 0.5;
}

static void adds(struct grid *given, double *work) {
    given->nz = 7 + (int)work[0];
    struct grid in = *given;
    for (int i = 0; i < in.nz; i++)
        work[i] += 0.25;
    given->nz = 7;
}

static void takes(const struct grid *spare, double *work) {
    if (work[1] > 2)
        for (int i = 0; i < spare->nx; i++)
            work[i] -= spare->weight;
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    struct grid grid = {0.5, atoi(argv[1]), 7, 7};
    struct grid *spare = grid.nx > 20 ? NULL : calloc(1, sizeof *spare);
    double *work = calloc((size_t)(grid.nx * grid.ny), sizeof *work), sum = 0;
    for (int i = 0; i < grid.nx; i++)
        MPI_Barrier(MPI_COMM_WORLD);
    sum += outer(&grid, work);
    MPI_Barrier(MPI_COMM_WORLD);
    halves(&grid, work);
    MPI_Barrier(MPI_COMM_WORLD);
    adds(&grid, work);
    MPI_Barrier(MPI_COMM_WORLD);
    takes(spare, work);
    MPI_Barrier(MPI_COMM_WORLD);
    free(spare);
    free(work);
    MPI_Finalize();
    return sum < 0;
}

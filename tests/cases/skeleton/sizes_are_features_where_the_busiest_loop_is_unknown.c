/* SPDX-License-Identifier: Apache-2.0
 *
 * The trip count of a short loop is known, that of the loop which does nearly all the work is not:
 * then sizes are features as well, members of a record among them.
 *
 * gone: cells[i] += 1;
 * scout: 20
 * feature: bsim_trips(0, extra, 1)
 * feature: n
 * feature: grid.rows
 * args: 20
 */
#include <mpi.h>
#include <stdlib.h>

struct grid {
    int rows, step;
    double *cells;
};

static double cells[100000];

static void fill(struct grid *grid, int n, int extra) {
    for (int i = 0; i < extra; i++)
        cells[i] += 1;
    double *end = grid->cells + n * grid->rows;
    for (double *cell = grid->cells; cell < end; cell += grid->step)
        *cell += 2;
}

int main(int argc, char **argv) {
    struct grid grid;
    int n = argc > 1 ? atoi(argv[1]) : 10, extra = n / 2;
    MPI_Init(&argc, &argv);
    grid.rows = 2 * n;
    grid.step = 1;
    grid.cells = cells;
    MPI_Bcast(&grid.rows, 1, MPI_INT, 0, MPI_COMM_WORLD);
    grid.cells[0] = 1;
    fill(&grid, n, extra);
    MPI_Bcast(cells, grid.rows, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}

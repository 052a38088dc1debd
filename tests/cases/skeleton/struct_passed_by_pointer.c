/* SPDX-License-Identifier: Apache-2.0
 *
 * A record behind a pointer: sizes stay, fields go.
 *
 * kept: grid->n
 * gone: grid->field[i]
 * gone: grid->sum
 * args: 17
 */
#include <mpi.h>
#include <stdlib.h>

struct grid {
    int n, rank;
    double *field, sum;
};

static void create(struct grid *grid, int n) {
    MPI_Comm_rank(MPI_COMM_WORLD, &grid->rank);
    grid->n = n * (1 + grid->rank / 2);
    grid->field = malloc(grid->n * sizeof(double));
    for (int i = 0; i < grid->n; i++)
        grid->field[i] = i;
}

static void step(struct grid *grid) {
    int partner = grid->rank ^ 1;
    for (int i = 0; i < grid->n; i++)
        grid->sum += grid->field[i];
    MPI_Sendrecv_replace(grid->field, grid->n, MPI_DOUBLE, partner, 1, partner, 1, MPI_COMM_WORLD,
                         MPI_STATUS_IGNORE);
}

int main(int argc, char **argv) {
    struct grid grid = {0};
    MPI_Init(&argc, &argv);
    create(&grid, argc > 1 ? atoi(argv[1]) : 4);
    for (int i = 0; i < 3; i++)
        step(&grid);
    free(grid.field);
    MPI_Finalize();
    return grid.sum < 0;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Prints the grids that MPI_Dims_create makes of 1 to 1,100 ranks in two and three dimensions, with
 * all of them free and with one given, and whether it refuses what is impossible. Run under SMPI
 * with a runtime and under a real MPI without one, it prints the same.
 */
#include <mpi.h>
#include <stdio.h>

static void print_grids(int dimensions, int second, int step) {
    for (int ranks = step; ranks <= 1100; ranks += step) {
        int dims[3] = {0, second, 0};
        MPI_Dims_create(ranks, dimensions, dims);
        printf("%d: %d %d %d\n", ranks, dims[0], dims[1], dims[2]);
    }
}

int main(int argc, char **argv) {
    int rank, impossible[2] = {5, 0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    if (rank == 0) {
        print_grids(2, 0, 1);
        print_grids(3, 0, 1);
        print_grids(3, 4, 12);
        printf("impossible: %d\n", MPI_Dims_create(12, 2, impossible) != MPI_SUCCESS);
    }
    MPI_Finalize();
    return 0;
}

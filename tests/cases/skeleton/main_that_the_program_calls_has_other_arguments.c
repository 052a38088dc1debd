/* SPDX-License-Identifier: Apache-2.0
 *
 * A function calls main with a number that no run begins with: what main gets is not always that number, and neither is
 * the tag that goes by it.
 *
 * ranks: 2
 * kept: n = 3 + argc
 * gone: x[i] = i * 0.5
 */
#include <mpi.h>

int main(int argc, char **argv);

static int again(char **argv) {
    return main(7, argv);
}

int main(int argc, char **argv) {
    int rank, n, m = 0;
    double x[30];
    if (argc > 20)
        return again(argv);
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 30; i++)
        x[i] = i * 0.5;
    if (rank == 0) {
        n = 3 + argc;
        MPI_Send(&n, 1, MPI_INT, 1, argc, MPI_COMM_WORLD);
    } else {
        MPI_Recv(&m, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int i = 0; i < m; i++)
            MPI_Barrier(MPI_COMM_SELF);
    }
    MPI_Bcast(x, 30, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}

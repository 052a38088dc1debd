/* SPDX-License-Identifier: Apache-2.0
 *
 * A wrapper is called by name for data and through a table for counts: it keeps its name, and only
 * what the table's calls send stays.
 *
 * kept: table[argc > 9](&n, 1, MPI_INT)
 * kept: n = 5 + argc
 * gone: u[i] = 3.5 * i
 */
#include <mpi.h>

typedef void (*spreader)(void *, int, MPI_Datatype);

static void spread(void *data, int n, MPI_Datatype type) {
    MPI_Bcast(data, n, type, 0, MPI_COMM_WORLD);
}

static const spreader table[] = {spread, spread};

int main(int argc, char **argv) {
    double u[20];
    int n = 0, rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        n = 5 + argc;
    table[argc > 9](&n, 1, MPI_INT);
    for (int i = 0; i < 20; i++)
        u[i] = 3.5 * i;
    spread(u, n, MPI_DOUBLE);
    MPI_Finalize();
    return 0;
}

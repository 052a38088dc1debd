/* SPDX-License-Identifier: Apache-2.0
 *
 * A recursive helper has no copies: what one caller needs stays for all, and the calls come right.
 *
 * kept: spread(data, n - 1, type)
 * kept: spread(&n, 1, MPI_INT)
 * gone: sum += i / 3.0
 */
#include <mpi.h>

static void spread(void *data, int n, MPI_Datatype type) {
    if (n > 1)
        spread(data, n - 1, type);
    MPI_Bcast(data, n, type, 0, MPI_COMM_WORLD);
}

int main(int argc, char **argv) {
    double u[9] = {0}, sum = 0;
    int n = 0, rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 10; i++)
        sum += i / 3.0;
    if (rank == 0)
        n = 4 + argc;
    spread(&n, 1, MPI_INT);
    spread(u, n, MPI_DOUBLE);
    MPI_Finalize();
    return sum < 0;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Counts are incremented inside arguments, one of them inside that of a buffer.
 *
 * kept: tag++
 * kept: slot(
 * gone: pool[i] =
 */
#include <mpi.h>

static double pool[400];
static int used;

static double *slot(int n) {
    double *place = &pool[used];
    used += n;
    return place;
}

int main(int argc, char **argv) {
    int rank, tag = 0, n = 2;
    double *p = pool;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 400; i++)
        pool[i] = 0.5 * i;
    for (int step = 0; step < 4; step++) {
        MPI_Sendrecv_replace(slot(n), n, MPI_DOUBLE, rank ^ 1, tag, rank ^ 1, tag, MPI_COMM_WORLD,
                             MPI_STATUS_IGNORE);
        tag++;
        MPI_Bcast(p++, n++, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        MPI_Bcast(pool, used, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}

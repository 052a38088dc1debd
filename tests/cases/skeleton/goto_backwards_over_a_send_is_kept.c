/* SPDX-License-Identifier: Apache-2.0
 *
 * A loop made of goto: label, jump and counter stay.
 *
 * kept: again:
 * kept: goto again
 * gone: goto inner
 */
#include <mpi.h>

int main(int argc, char **argv) {
    double x[16] = {0};
    int rank, count = 0, i;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
again:
    i = 0;
inner:
    x[i] += 0.25 * i;
    if (++i < 16)
        goto inner;
    MPI_Bcast(x, 16, MPI_DOUBLE, count % 2, MPI_COMM_WORLD);
    if (++count < 4)
        goto again;
    MPI_Finalize();
    return 0;
}

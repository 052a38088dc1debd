/* SPDX-License-Identifier: Apache-2.0
 *
 * The comment behind a directive ends on a later line, which goes with the code around it.
 *
 * gone: sum += 1.0 / (i + 1)
 */
#include <mpi.h>

static double series(int n) {
    double sum = 0;
#if 0 /* not wanted
       * in two lines */
    sum = 1;
#endif
    for (int i = 0; i < n; i++)
        sum += 1.0 / (i + 1);
    return sum;
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    double sum = series(1000 * argc);
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}

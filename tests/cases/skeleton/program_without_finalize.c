/* SPDX-License-Identifier: Apache-2.0
 *
 * Returns from main without MPI_Finalize, as all ranks do: that is the end. What launchers say of
 * it does not keep a scout run from counting.
 *
 * gone: work[i] = work[i] * 0.5 + i
 * scout: -- 20
 * note: the program returned from main without MPI_Finalize
 * args: 30
 */
#include <mpi.h>
#include <stdlib.h>

static double work[100];

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int n = atoi(argv[1]);
    for (int i = 0; i < n; i++)
        work[i] = work[i] * 0.5 + i;
    MPI_Bcast(work, n, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    return 0;
}

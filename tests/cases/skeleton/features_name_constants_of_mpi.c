/* SPDX-License-Identifier: Apache-2.0
 * Constants of MPI differ from one MPI to the next, and profiles are not made with SimGrid's: a
 * feature names them.
 *
 * gone: rows[i] += 0.5
 * feature: BSIM_TIMES(((left == MPI_PROC_NULL) ? 1 : 0), bsim_trips(0, n, 1))
 * features: 1
 * args: 90
 */
#include <mpi.h>
#include <stdlib.h>

static double rows[1000];

int main(int argc, char **argv) {
    int rank, left, n = argc > 1 ? atoi(argv[1]) : 100;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    left = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    MPI_Send(&n, 1, MPI_INT, left, 3, MPI_COMM_WORLD);
    if (left == MPI_PROC_NULL)
        for (int i = 0; i < n; i++)
            rows[i] += 0.5;
    MPI_Finalize();
    return 0;
}

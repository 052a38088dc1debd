/* SPDX-License-Identifier: Apache-2.0
 *
 * Trip counts of nested loops multiply; a triangular loop is a sum.
 *
 * gone: a[i * n + j]
 * regions: 4
 * features: 4
 * feature: BSIM_TIMES(bsim_trips(0, n, 1), bsim_trips(0, m, 2))
 * args: 12
 */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 6, m = 2 * n;
    MPI_Init(&argc, &argv);
    BSIM_ADD_TIME(0); /* line 17: calloc */
    MPI_Barrier(MPI_COMM_WORLD);
    BSIM_ADD_TIME(1, bsim_trips_of(0, 0, n, 1), BSIM_TIMES(bsim_trips_of(0, 0, n, 1), bsim_trips_of(1, 0, m, 2))); /* lines 19-21: 2 loops */
    MPI_Barrier(MPI_COMM_WORLD);
    BSIM_ADD_TIME(2, bsim_trips_of(2, 0, n, 1), BSIM_SUM(bsim_i1, bsim_last, 0, bsim_trips_of(2, 0, n, 1), 1, bsim_trips_of(3, (bsim_i1 + 1), n, 1))); /* lines 23-25: 2 loops */
    MPI_Allreduce(MPI_IN_PLACE, BSIM_SCRATCH, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    BSIM_ADD_TIME(3); /* line 27: free */
    MPI_Finalize();
    return 0;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Nobody looks at the contents of the messages: buffers and their allocation go.
 *
 * gone: malloc
 * gone: free(x)
 * made: MPI_Bcast(BSIM_SCRATCH, n, MPI_DOUBLE, 0, MPI_COMM_WORLD)
 * scratch: 3
 * live: 0
 * args: 64
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 10;
    MPI_Init(&argc, &argv);
    BSIM_ADD_TIME(0, bsim_trips_of(0, 0, n, 1)); /* lines 19-21: 1 loop, malloc */
    MPI_Bcast(BSIM_SCRATCH, n, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    BSIM_ADD_TIME(1, bsim_trips_of(1, 0, n, 1)); /* lines 23-24: 1 loop */
    MPI_Allreduce(BSIM_SCRATCH, BSIM_SCRATCH, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    BSIM_ADD_TIME(2); /* lines 26-27: printf, free */
    MPI_Finalize();
    return 0;
}

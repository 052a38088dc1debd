/* SPDX-License-Identifier: Apache-2.0
 *
 * Of one declaration some names stay, with their initialisers, and some go.
 *
 * kept: n = argc > 1 ? atoi(argv[1]) : 6
 * kept: to
 * gone: sum = 0
 * gone: *last
 * gone: x[100]
 * args: 9
 */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    int rank, n = argc > 1 ? atoi(argv[1]) : 6, *count = &n, to;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    to = rank ^ 1;
    BSIM_ADD_TIME(0, bsim_trips_of(0, 0, 100, 1)); /* lines 21-22: 1 loop */
    MPI_Sendrecv_replace(BSIM_SCRATCH, *count, MPI_DOUBLE, to, 0, to, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}

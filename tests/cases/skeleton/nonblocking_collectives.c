/* SPDX-License-Identifier: Apache-2.0
 *
 * Start and completion of nonblocking collectives, computation in between.
 *
 * kept: MPI_Wait(&request
 * gone: y[i] += x[i]
 */
#include <mpi.h>

int main(int argc, char **argv) {
    double x[16] = {1}, y[16] = {0};
    MPI_Request request;
    MPI_Init(&argc, &argv);
    for (int step = 0; step < 4; step++) {
        MPI_Iallreduce(MPI_IN_PLACE, x, 16, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &request);
        for (int i = 0; i < 16; i++)
            y[i] += x[i];
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}

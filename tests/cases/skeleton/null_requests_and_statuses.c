/* SPDX-License-Identifier: Apache-2.0
 *
 * Waitall with statuses that are read afterwards; some requests are null.
 *
 * kept: statuses[k].MPI_TAG
 * kept: MPI_REQUEST_NULL
 * gone: sum += x[i]
 */
#include <mpi.h>

int main(int argc, char **argv) {
    double x[30] = {0}, y[30], sum = 0;
    int rank;
    MPI_Request requests[4];
    MPI_Status statuses[4];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int k = 0; k < 4; k++)
        requests[k] = MPI_REQUEST_NULL;
    for (int i = 0; i < 30; i++)
        sum += x[i];
    MPI_Irecv(y, 30, MPI_DOUBLE, rank ^ 1, MPI_ANY_TAG, MPI_COMM_WORLD, &requests[1]);
    MPI_Isend(x, 30, MPI_DOUBLE, rank ^ 1, 4 + rank / 2, MPI_COMM_WORLD, &requests[3]);
    MPI_Waitall(4, requests, statuses);
    for (int k = 1; k < 2; k++)
        MPI_Sendrecv_replace(x, statuses[k].MPI_TAG, MPI_DOUBLE, rank ^ 1, 0, rank ^ 1, 0,
                             MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return sum < 0;
}

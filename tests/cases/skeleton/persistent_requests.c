/* SPDX-License-Identifier: Apache-2.0
 *
 * Persistent requests: initialisation, start, completion.
 *
 * kept: MPI_Startall(2, requests)
 * gone: halo[i]
 */
#include <mpi.h>

int main(int argc, char **argv) {
    double field[20] = {0}, halo[20];
    MPI_Request requests[2];
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Recv_init(halo, 20, MPI_DOUBLE, rank ^ 1, 4, MPI_COMM_WORLD, &requests[0]);
    MPI_Send_init(field, 20, MPI_DOUBLE, rank ^ 1, 4, MPI_COMM_WORLD, &requests[1]);
    for (int step = 0; step < 5; step++) {
        MPI_Startall(2, requests);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        for (int i = 0; i < 20; i++)
            field[i] += 0.5 * halo[i];
    }
    MPI_Request_free(&requests[0]);
    MPI_Request_free(&requests[1]);
    MPI_Finalize();
    return 0;
}

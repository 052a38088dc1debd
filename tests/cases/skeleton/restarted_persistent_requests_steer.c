/* SPDX-License-Identifier: Apache-2.0
 *
 * Persistent receives deliver counts at each start, by Start, Startall and Waitany.
 *
 * kept: out[1] = step + rank
 * kept: MPI_Waitany(2, in_requests, &which
 * gone: x[i] = 0.5 * i
 */
#include <mpi.h>

int main(int argc, char **argv) {
    int rank, size, in[2] = {0}, out[2], which;
    double x[64];
    MPI_Request in_requests[2], out_requests[2];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int left = (rank + size - 1) % size, right = (rank + 1) % size;
    for (int i = 0; i < 2; i++) {
        MPI_Recv_init(&in[i], 1, MPI_INT, left, i, MPI_COMM_WORLD, &in_requests[i]);
        MPI_Send_init(&out[i], 1, MPI_INT, right, i, MPI_COMM_WORLD, &out_requests[i]);
    }
    for (int i = 0; i < 64; i++)
        x[i] = 0.5 * i;
    for (int step = 1; step < 4; step++) {
        out[0] = 2 * step;
        out[1] = step + rank;
        MPI_Startall(2, in_requests);
        MPI_Start(&out_requests[1]);
        MPI_Start(&out_requests[0]);
        for (int done = 0; done < 2; done++)
            MPI_Waitany(2, in_requests, &which, MPI_STATUS_IGNORE);
        MPI_Waitall(2, out_requests, MPI_STATUSES_IGNORE);
        MPI_Sendrecv_replace(x, in[0] + in[1] + which, MPI_DOUBLE, rank, 9, rank, 9,
                             MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    for (int i = 0; i < 2; i++) {
        MPI_Request_free(&in_requests[i]);
        MPI_Request_free(&out_requests[i]);
    }
    MPI_Finalize();
    return 0;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Requests complete by Testsome and Testany; who completed decides what is sent back.
 *
 * kept: MPI_Testsome(2, requests, &done, which, statuses)
 * kept: lengths[which[k]]
 * gone: in[0][i]
 */
#include <mpi.h>

int main(int argc, char **argv) {
    double in[2][40], out[40], sum = 0;
    int lengths[2] = {10, 20}, rank, size, done, which[2], index, flag = 0, left = 2;
    MPI_Request requests[2], one[1];
    MPI_Status statuses[2];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int left_rank = (rank + size - 1) % size, right_rank = (rank + 1) % size;
    for (int i = 0; i < 40; i++)
        out[i] = i;
    MPI_Irecv(in[0], 40, MPI_DOUBLE, left_rank, 1, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(in[1], 40, MPI_DOUBLE, left_rank, 2, MPI_COMM_WORLD, &requests[1]);
    MPI_Send(out, 5, MPI_DOUBLE, right_rank, 1, MPI_COMM_WORLD);
    MPI_Send(out, 6, MPI_DOUBLE, right_rank, 2, MPI_COMM_WORLD);
    int total = 0;
    while (left > 0) {
        MPI_Testsome(2, requests, &done, which, statuses);
        for (int k = 0; k < done; k++)
            total += lengths[which[k]];
        left -= done == MPI_UNDEFINED ? left : done;
    }
    MPI_Irecv(in[0], 40, MPI_DOUBLE, left_rank, 3, MPI_COMM_WORLD, &one[0]);
    MPI_Send(out, total, MPI_DOUBLE, right_rank, 3, MPI_COMM_WORLD);
    while (!flag)
        MPI_Testany(1, one, &index, &flag, MPI_STATUS_IGNORE);
    for (int i = 0; i < 40; i++)
        sum += in[0][i];
    MPI_Bcast(&sum, 1 + index, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}

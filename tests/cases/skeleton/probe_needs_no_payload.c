/* SPDX-License-Identifier: Apache-2.0
 *
 * Sizes come from the status of a probe and of a receive, elements and source likewise: what was
 * sent is not needed, how much of it is.
 *
 * kept: MPI_Get_count(&status, MPI_DOUBLE, &count)
 * kept: length = 3 + rank
 * gone: x[i] = 0.5 * i
 * gone: records[i].weight
 */
#include <mpi.h>
#include <stdlib.h>

struct record {
    double weight;
    int id;
};

int main(int argc, char **argv) {
    double x[64];
    struct record records[8];
    int rank, size, count, length, flag = 0;
    MPI_Status status;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    length = 3 + rank;
    for (int i = 0; i < 64; i++)
        x[i] = 0.5 * i;
    for (int i = 0; i < 8; i++)
        records[i].weight = x[i];
    MPI_Isend(x, length, MPI_DOUBLE, (rank + 1) % size, 1, MPI_COMM_WORLD, &request);
    while (!flag)
        MPI_Iprobe(MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &flag, &status);
    MPI_Get_count(&status, MPI_DOUBLE, &count);
    double *got = malloc(count * sizeof *got);
    MPI_Recv(got, count, MPI_DOUBLE, status.MPI_SOURCE, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Send(records, (rank + 1) * (int)sizeof *records, MPI_BYTE, (rank + 1) % size, 2,
             MPI_COMM_WORLD);
    MPI_Recv(records, sizeof records, MPI_BYTE, MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, &status);
    MPI_Get_count(&status, MPI_BYTE, &count);
    MPI_Sendrecv_replace(x, count / (int)sizeof *records, MPI_DOUBLE, rank, 3, rank, 3,
                         MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    free(got);
    MPI_Finalize();
    return 0;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Numbers with the tag of one message are not received by the other one, also where the tag is in a
 * variable; a tag that is counted on may be any, and one may be assigned where it is used.
 *
 * gone: cells[i] = i * 3 + round
 * gone: sum += 1.0 / (i + round)
 * kept: counted = (short)(counted * 3 % 50 + 1)
 * kept: int count = 10 + rank
 * kept: long length = 5 + rank * 0
 */
#include <mpi.h>

#define ROUNDS 10

static int cells[100], other_cells[100];

static long length_of(int rank, int left, int right) {
    int tag = 40;
    long length = 5 + rank * 0, received = 0;
    MPI_Request request;
    MPI_Irecv(&received, 1, MPI_LONG, right, 47, MPI_COMM_WORLD, &request);
    tag = 47, MPI_Send(&length, 1, MPI_LONG, left, tag, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    return received;
}

static void exchange(int rank, int left, int right, double sum) {
    int tag = 4, later = tag * 2 - 1;
    int count = 10 + rank, received;
    short counted = 1, other = 0;
    MPI_Sendrecv(&count, 1, MPI_INT, left, tag, &received, 1, MPI_INT, right, tag, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    for (int round = 0; round < ROUNDS; round++)
        for (int i = 0; i < count; i++)
            cells[i] = i * 3 + round;
    cells[0] = (int)sum;
    MPI_Sendrecv(cells, count, MPI_INT, left, tag + 2, other_cells, received, MPI_INT, right,
                 tag + 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(cells, count, MPI_INT, left, later, other_cells, received, MPI_INT, right, later,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 0; i < 3; i++) {
        tag++;
        counted = (short)(counted * 3 % 50 + 1);
        MPI_Sendrecv(&counted, 1, MPI_SHORT, left, tag, &other, 1, MPI_SHORT, right, tag,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Bcast(cells, other % 50 + 1, MPI_INT, 0, MPI_COMM_WORLD);
    long length = length_of(rank, left, right);
    MPI_Bcast(cells, (int)(length % 50) + 1, MPI_INT, 0, MPI_COMM_WORLD);
}

int main(int argc, char **argv) {
    int rank, size;
    double sum = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int round = 0; round < ROUNDS; round++)
        for (int i = 1; i < 1000; i++)
            sum += 1.0 / (i + round);
    exchange(rank, (rank + size - 1) % size, (rank + 1) % size, sum);
    MPI_Finalize();
    return 0;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * A head of two numbers is sent as a pair and received as numbers, and the other way round; longs
 * as numbers of 64 bits; also to a root. What comes decides how much follows. No MPI minds, and
 * SimGrid is not told.
 *
 * kept: MPI_2INT
 * kept: MPI_INT64_T
 * gone: work[i] = i * 0.5
 * live: 5
 */
#include <mpi.h>
#include <stdint.h>

static int rank, size, next, previous;

static void pass(double *work, int count) {
    double other[100];
    for (int i = 0; i < 100; i++)
        work[i] = i * 0.5;
    MPI_Sendrecv(work, count, MPI_DOUBLE, next, count, other, 100, MPI_DOUBLE, previous,
                 MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv) {
    double work[100];
    int numbers[2], got[2], all[128] = {0};
    long long_number = 0;
    int64_t wide[64] = {0};
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    next = (rank + 1) % size;
    previous = (rank + size - 1) % size;
    numbers[0] = rank + 1;
    numbers[1] = 2 * rank + 3;
    MPI_Sendrecv(numbers, 1, MPI_2INT, next, 1, got, 2, MPI_INT, previous, 1, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    pass(work, got[0] + got[1]);
    MPI_Irecv(got, 1, MPI_2INT, previous, 2, MPI_COMM_WORLD, &request);
    MPI_Send(numbers, 2, MPI_INT, next, 2, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    pass(work, got[0] * 2);
    long_number = rank + 5;
    MPI_Gather(&long_number, 1, MPI_LONG, wide, 1, MPI_INT64_T, 0, MPI_COMM_WORLD);
    pass(work, rank == 0 ? (int)wide[size - 1] : 6);
    MPI_Gather(numbers, 1, MPI_2INT, all, 2, MPI_INT, 0, MPI_COMM_WORLD);
    pass(work, rank == 0 ? all[1] + 1 : 7);
    MPI_Finalize();
    return 0;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * A message of integers is received as packed data, and packed data as integers; both say how often
 * all ranks talk.
 *
 * kept: rounds = argc > 1
 * kept: more = rounds / 2
 * gone: x += 0.5
 * args: 3
 */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    int rank, size, rounds = 0, more = 0, sum = 0, at = 0;
    char box[64];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0) {
        rounds = argc > 1 ? atoi(argv[1]) : 7;
        more = rounds / 2;
        for (int to = 1; to < size; to++) {
            MPI_Send(&rounds, 1, MPI_INT, to, 1, MPI_COMM_WORLD);
            at = 0;
            MPI_Pack(&more, 1, MPI_INT, box, sizeof box, &at, MPI_COMM_WORLD);
            MPI_Send(box, at, MPI_PACKED, to, 2, MPI_COMM_WORLD);
        }
    } else {
        MPI_Recv(box, sizeof box, MPI_PACKED, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Unpack(box, sizeof box, &at, &rounds, 1, MPI_INT, MPI_COMM_WORLD);
        MPI_Recv(&more, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    double x = 0;
    for (int i = 0; i < 100; i++)
        x += 0.5 * i;
    for (int i = 0; i < rounds + more; i++)
        MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    if (x < 0)
        return 1;
    return 0;
}

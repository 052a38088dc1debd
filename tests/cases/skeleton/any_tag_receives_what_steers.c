/* SPDX-License-Identifier: Apache-2.0
 *
 * A receive from any tag gets a message whose tag is a constant; what it brings says how often all
 * ranks talk.
 *
 * kept: rounds = argc > 1
 * gone: x += 0.5
 * args: 3
 */
#include <mpi.h>
#include <stdlib.h>

#define TAG_OF_ROUNDS 5

int main(int argc, char **argv) {
    int rank, size, rounds = 0, sum = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0) {
        rounds = argc > 1 ? atoi(argv[1]) : 7;
        for (int to = 1; to < size; to++)
            MPI_Send(&rounds, 1, MPI_INT, to, TAG_OF_ROUNDS, MPI_COMM_WORLD);
    } else {
        MPI_Recv(&rounds, 1, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    double x = 0;
    for (int i = 0; i < 100; i++)
        x += 0.5 * i;
    for (int i = 0; i < rounds; i++)
        MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    if (x < 0)
        return 1;
    return 0;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Sends more where its output is there already, by a communicator that is initialised statically.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static MPI_Comm world = MPI_COMM_WORLD;

int main(int argc, char **argv) {
    int numbers[2] = {0}, rank;
    FILE *file = fopen("world.out", "r");
    int count = file != NULL ? 2 : 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(world, &rank);
    MPI_Barrier(world);
    if (rank == 0) {
        file = fopen("world.out", "w");
        if (file == NULL)
            MPI_Abort(world, 1);
        fclose(file);
    }
    MPI_Bcast(numbers, count, MPI_INT, 0, world);
    MPI_Finalize();
    return 0;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Does not run where its output is there already.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    FILE *file = fopen("once.out", "r");
    if (file != NULL) {
        MPI_Finalize();
        exit(1);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        file = fopen("once.out", "w");
        if (file == NULL)
            MPI_Abort(MPI_COMM_WORLD, 1);
        fclose(file);
    }
    MPI_Finalize();
    return 0;
}

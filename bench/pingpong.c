/* SPDX-License-Identifier: Apache-2.0
 *
 * `pingpong BYTES TRIPS`: rank 0 sends a message to rank 1 and gets it back, so many times; other
 * ranks look on. bench/network predicts its time and measures it.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    int rank, bytes = argc > 1 ? atoi(argv[1]) : 1, trips = argc > 2 ? atoi(argv[2]) : 1000;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    char *buffer = calloc(bytes > 0 ? (size_t)bytes : 1, 1);
    if (buffer == NULL) {
        fprintf(stderr, "pingpong: memory is short\n");
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    for (int i = 0; i < trips; i++) {
        if (rank == 0)
            MPI_Send(buffer, bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
        if (rank < 2)
            MPI_Recv(buffer, bytes, MPI_BYTE, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (rank == 1)
            MPI_Send(buffer, bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
    }
    free(buffer);
    MPI_Finalize();
    return 0;
}

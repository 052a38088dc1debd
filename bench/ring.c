/* SPDX-License-Identifier: Apache-2.0
 *
 * `ring BYTES ROUNDS`: each rank sends to the next one and receives from the one before, so many
 * times. bench/cluster predicts its time and measures it.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    int rank, ranks, bytes = argc > 1 ? atoi(argv[1]) : 1, rounds = argc > 2 ? atoi(argv[2]) : 100;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    char *in = calloc(bytes > 0 ? (size_t)bytes : 1, 1),
         *out = calloc(bytes > 0 ? (size_t)bytes : 1, 1);
    if (in == NULL || out == NULL) {
        fprintf(stderr, "ring: memory is short\n");
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    double start_s = MPI_Wtime();
    for (int i = 0; i < rounds; i++)
        MPI_Sendrecv(out, bytes, MPI_BYTE, (rank + 1) % ranks, 0, in, bytes, MPI_BYTE,
                     (rank + ranks - 1) % ranks, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    double own_s = MPI_Wtime() - start_s, elapsed_s = 0;
    MPI_Reduce(&own_s, &elapsed_s, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("time %.6f s\n", elapsed_s);
    free(in);
    free(out);
    MPI_Finalize();
    return 0;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Counts depend on a cheap rule; they are exchanged, their sums are offsets. Keys are not needed.
 *
 * kept: receive_counts[r]
 * gone: keys[i] =
 */
#include <mpi.h>
#include <stdlib.h>

static int sum_up(const int *counts, int *offsets, int n) {
    int sum = 0;
    for (int i = 0; i < n; i++) {
        offsets[i] = sum;
        sum += counts[i];
    }
    return sum;
}

int main(int argc, char **argv) {
    int rank, size, counts[16], offsets[16], receive_counts[16], receive_offsets[16], most = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int r = 0; r < size; r++)
        counts[r] = (rank * 3 + r) % 5;
    MPI_Alltoall(counts, 1, MPI_INT, receive_counts, 1, MPI_INT, MPI_COMM_WORLD);
    int sending = sum_up(counts, offsets, size);
    int receiving = sum_up(receive_counts, receive_offsets, size);
    double *keys = malloc(sending * sizeof *keys), *sorted = malloc(receiving * sizeof *sorted);
    for (int i = 0; i < sending; i++)
        keys[i] = 1.0 / (i + 1);
    MPI_Alltoallv(keys, counts, offsets, MPI_DOUBLE, sorted, receive_counts, receive_offsets,
                  MPI_DOUBLE, MPI_COMM_WORLD);
    for (int r = 0; r < size; r++)
        most = receive_counts[r] > most ? receive_counts[r] : most;
    MPI_Bcast(sorted, rank == 0 ? most : most, MPI_DOUBLE, rank * 0, MPI_COMM_SELF);
    free(keys);
    free(sorted);
    MPI_Finalize();
    return 0;
}

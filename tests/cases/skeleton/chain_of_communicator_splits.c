/* SPDX-License-Identifier: Apache-2.0
 *
 * Communicators are split from split ones, by rank and size of the former.
 *
 * ranks: 2 4 7
 * kept: MPI_Comm_split(halves, half_rank % 2
 * gone: x[i] = 1.0 / (i + 1)
 */
#include <mpi.h>

int main(int argc, char **argv) {
    double x[50], sum[50];
    int rank, size, half_rank, half_size;
    MPI_Comm halves, quarters, copy;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_split(MPI_COMM_WORLD, rank < size / 2, size - rank, &halves);
    MPI_Comm_rank(halves, &half_rank);
    MPI_Comm_size(halves, &half_size);
    MPI_Comm_split(halves, half_rank % 2 ? MPI_UNDEFINED : half_rank / 2, 0, &quarters);
    for (int i = 0; i < 50; i++)
        x[i] = 1.0 / (i + 1);
    if (quarters != MPI_COMM_NULL) {
        int quarter_size;
        MPI_Comm_dup(quarters, &copy);
        MPI_Comm_size(copy, &quarter_size);
        MPI_Allreduce(x, sum, 10 * quarter_size, MPI_DOUBLE, MPI_SUM, copy);
        MPI_Comm_free(&copy);
        MPI_Comm_free(&quarters);
    }
    MPI_Bcast(x, half_size + half_rank * 0, MPI_DOUBLE, half_size - 1, halves);
    MPI_Comm_free(&halves);
    MPI_Finalize();
    return 0;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * broadcast ROOT COUNT...: so many integers from that rank to all; prints "right" if each rank has
 * each of them.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    int rank, root = atoi(argv[1]), wrong = 0, all = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int k = 2; k < argc; k++) {
        int count = atoi(argv[k]);
        int *numbers = calloc((size_t)count, sizeof *numbers);
        for (int i = 0; i < count && rank == root; i++)
            numbers[i] = i * 7 + k;
        MPI_Bcast(numbers, count, MPI_INT, root, MPI_COMM_WORLD);
        for (int i = 0; i < count; i++)
            wrong += numbers[i] != i * 7 + k;
        free(numbers);
    }
    MPI_Allreduce(&wrong, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%s\n", all == 0 ? "right" : "wrong");
    MPI_Finalize();
    return 0;
}

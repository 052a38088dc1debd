/* SPDX-License-Identifier: Apache-2.0
 * Each rank tests its own block of numbers by division, up to the root: on more ranks numbers are
 * larger than any that was profiled, however many of them a rank has. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int is_prime(int number) {
    int root = (int)sqrt(number);
    for (int i = 3; i <= root; i += 2)
        if (number % i == 0)
            return 0;
    return 1;
}

int main(int argc, char **argv) {
    int rank, size, limit = atoi(argv[1]), count = 0, all = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0)
        printf("numbers below %d\n", limit);
    int block = limit / size;
    for (int number = block * rank + 11; number < block * (rank + 1); number += 2)
        count += is_prime(number);
    MPI_Reduce(&count, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%d\n", all);
    MPI_Finalize();
    return 0;
}

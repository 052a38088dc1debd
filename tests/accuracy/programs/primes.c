/* SPDX-License-Identifier: Apache-2.0
 * Divisors are tried up to the root, so that twice as many numbers take more than twice as long. */
#include <mpi.h>
#include <stdlib.h>

static int primes_of(int first, int end, int step) {
    int primes = 0;
    for (int i = first; i < end; i += step) {
        int is = 1;
        for (int j = 2; (long)j * j <= i && is; j++)
            is = i % j != 0;
        primes += is;
    }
    return primes;
}

int main(int argc, char **argv) {
    int rank, size, n = atoi(argv[1]);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int primes = primes_of(3 + 2 * rank, n, 2 * size);
    MPI_Allreduce(MPI_IN_PLACE, &primes, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return primes < 0;
}

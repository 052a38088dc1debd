/* SPDX-License-Identifier: Apache-2.0
 *
 * How much goes to each rank is counted in a hot loop, told by MPI_Alltoall and read again
 * afterwards, by its owner as well. All of it is one vector, which is given where it is sent; what
 * is written behind that stays.
 *
 * args: 900 2
 * args: 1300 3
 * ranks: 2 4
 * generate: --assume=cuts
 * scout: 1000 3
 * cut: the vector that is sent from leaving in MPI_Alltoall(...)
 * gone: leaving[keys[i] % size]++
 * gone: leaving[p] = 0
 * kept: leaving[0] = 1
 * kept: to[p] = to[p - 1] + leaving[p - 1]
 * made: MPI_Alltoall((BSIM_VECTOR(leaving, MPI_COMM_WORLD, 1,
 * made: leaving), 1, MPI_INT, arriving, 1, MPI_INT, MPI_COMM_WORLD);
 * feature: BSIM_NUMBER_OF_VECTOR
 */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    int rank, size, n = argc > 1 ? atoi(argv[1]) : 100, rounds = argc > 2 ? atoi(argv[2]) : 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int *leaving = malloc(sizeof(int) * size), *arriving = malloc(sizeof(int) * size);
    int *to = malloc(sizeof(int) * size), *from = malloc(sizeof(int) * size);
    unsigned *keys = malloc(2 * n * sizeof *keys), *in = malloc(2 * n * size * sizeof *in);
    for (int i = 0; i < n; i++)
        keys[i] = rank + i;
    for (int round = 0; round < rounds; round++) {
        for (int p = 0; p < size; p++)
            leaving[p] = 0;
        for (int i = 0; i < n; i++) {
            for (int k = 0; k < 20; k++)
                keys[i] = keys[i] * 1664525u + 1013904223u;
            keys[i] >>= 5;
            leaving[keys[i] % size]++;
        }
        MPI_Alltoall(leaving, 1, MPI_INT, arriving, 1, MPI_INT, MPI_COMM_WORLD);
        to[0] = from[0] = 0;
        for (int p = 1; p < size; p++) {
            to[p] = to[p - 1] + leaving[p - 1];
            from[p] = from[p - 1] + arriving[p - 1];
        }
        MPI_Alltoallv(keys, leaving, to, MPI_UNSIGNED, in, arriving, from, MPI_UNSIGNED,
                      MPI_COMM_WORLD);
        leaving[0] = 1;
        for (int p = 1; p < size; p++)
            leaving[p] = leaving[p] > 0;
        for (int p = 0; p < size; p++)
            if (leaving[p])
                MPI_Sendrecv(in, 1, MPI_UNSIGNED, rank, 0, keys, 1, MPI_UNSIGNED, rank, 0,
                             MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}

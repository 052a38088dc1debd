/* SPDX-License-Identifier: Apache-2.0
 *
 * What MPI_Alltoall sends is given where it is sent only. Here its elements are read before that,
 * by which a message is sent, or it is another block each time; and an array of constant length may
 * have elements beyond those that are sent.
 *
 * args: 900 2
 * ranks: 2 4
 * generate: --assume=cuts
 * scout: 1000 3
 * kept: early[keys[i] % size]++
 * kept: fixed[keys[i] % size]++
 * gone: other[i] = other[i] * 0.5
 * note: nothing is cut
 */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    int rank, size, n = argc > 1 ? atoi(argv[1]) : 100, rounds = argc > 2 ? atoi(argv[2]) : 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int *early = malloc(sizeof(int) * size), *arriving = malloc(sizeof(int) * size), fixed[64];
    int *to = malloc(sizeof(int) * size), *from = malloc(sizeof(int) * size);
    unsigned *keys = malloc(2 * n * sizeof *keys), *in = malloc(2 * n * size * sizeof *in);
    double *other = calloc(n, sizeof *other);
    for (int i = 0; i < n; i++)
        keys[i] = rank + i;
    for (int round = 0; round < rounds; round++) {
        for (int p = 0; p < size; p++)
            early[p] = fixed[p] = 0;
        for (int i = 0; i < n; i++) {
            for (int k = 0; k < 20; k++)
                keys[i] = keys[i] * 1664525u + 1013904223u;
            keys[i] >>= 5;
            early[keys[i] % size]++;
            fixed[keys[i] % size]++;
            other[i] = other[i] * 0.5;
        }
        to[0] = from[0] = 0;
        for (int p = 1; p < size; p++)
            to[p] = to[p - 1] + early[p - 1];
        MPI_Alltoall(early, 1, MPI_INT, arriving, 1, MPI_INT, MPI_COMM_WORLD);
        for (int p = 1; p < size; p++)
            from[p] = from[p - 1] + arriving[p - 1];
        MPI_Alltoallv(keys, early, to, MPI_UNSIGNED, in, arriving, from, MPI_UNSIGNED,
                      MPI_COMM_WORLD);
        MPI_Alltoall(fixed, 1, MPI_INT, arriving, 1, MPI_INT, MPI_COMM_WORLD);
        MPI_Alltoallv(keys, fixed, to, MPI_UNSIGNED, in, arriving, from, MPI_UNSIGNED,
                      MPI_COMM_WORLD);
    }
    MPI_Reduce(other, NULL, 0, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}

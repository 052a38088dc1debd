/* SPDX-License-Identifier: Apache-2.0
 *
 * Numbers of what goes to each rank: as much to all of them; or, with a third argument, some of it
 * to those beside a rank, twice as much to the next one as to the one before, and nothing to
 * others. Arguments: keys of each rank, rounds.
 */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    int rank, size, n = atoi(argv[1]), rounds = atoi(argv[2]), is_slab = argc > 3;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int *send = malloc(sizeof(int) * size), *receive = malloc(sizeof(int) * size);
    int *to = malloc(sizeof(int) * size), *from = malloc(sizeof(int) * size);
    unsigned *keys = malloc(n * sizeof *keys), *in = malloc(4 * n * sizeof *in);
    for (int i = 0; i < n; i++)
        keys[i] = i + rank;
    for (int round = 0; round < rounds; round++) {
        for (int p = 0; p < size; p++)
            send[p] = 0;
        for (int i = 0; i < n; i++) {
            for (int k = 0; k < 20; k++)
                keys[i] = keys[i] * 1664525u + 1013904223u;
            keys[i] |= 1u;
            int place = i * (int)(keys[i] & 1u);
            if (!is_slab)
                send[place % size]++;
            else if (place % 10 < 3)
                send[(rank + (place % 10 < 2 ? 1 : size - 1)) % size]++;
        }
        MPI_Alltoall(send, 1, MPI_INT, receive, 1, MPI_INT, MPI_COMM_WORLD);
        to[0] = from[0] = 0;
        for (int p = 1; p < size; p++) {
            to[p] = to[p - 1] + send[p - 1];
            from[p] = from[p - 1] + receive[p - 1];
        }
        MPI_Alltoallv(keys, send, to, MPI_UNSIGNED, in, receive, from, MPI_UNSIGNED,
                      MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}

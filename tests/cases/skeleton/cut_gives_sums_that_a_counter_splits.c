/* SPDX-License-Identifier: Apache-2.0
 *
 * Eight buckets make a share, whatever is in them: the sums are given, of which there are fewer
 * than buckets.
 *
 * scout: -
 * generate: --assume=cuts
 * cut: counts[b / 8] = own
 * gone: buckets[key(i) % BUCKETS]++
 * gone: own += buckets[b];
 * kept: if (b % 8 == 7)
 * args:
 */
#include <mpi.h>
#include <stdlib.h>

#define KEYS 100000
#define BUCKETS 32

static unsigned key(unsigned i) {
    i = (i ^ (i >> 7)) * 2654435761u;
    return i ^ (i >> 13);
}

int main(int argc, char **argv) {
    static int buckets[BUCKETS], counts[BUCKETS / 8], in[KEYS];
    int own = 0, ranks;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (int i = 0; i < KEYS; i++)
        buckets[key(i) % BUCKETS]++;
    for (int b = 0; b < BUCKETS; b++) {
        own += buckets[b];
        if (b % 8 == 7) {
            counts[b / 8] = own;
            own = 0;
        }
    }
    for (int share = 0; share < BUCKETS / 8; share++)
        MPI_Bcast(in, counts[share], MPI_INT, share % ranks, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Which bucket ends a rank's share is decided by a sum in a loop that is hotter than the messages,
 * though it is nothing against the loop over the keys. As long as that loop counts as hot nothing
 * can be saved. With a higher limit the buckets could be given, hundreds for each message; but no
 * model of each bucket tells how much lies in a share, and what is asked for so often for one call
 * is computed. So it is where the share goes through a function of the library.
 *
 * scout: -
 * generate: --assume=cuts
 * note: nothing is cut
 * kept: counts[j] = abs(own);
 * kept: buckets[key(i) % BUCKETS]++
 * gone: out[0] = 0;
 * kept: for (int b = 0; b < BUCKETS; b++)
 * args:
 */
#include <mpi.h>
#include <stdlib.h>

#define KEYS 100000
#define BUCKETS 400

static unsigned key(unsigned i) {
    i = (i ^ (i >> 7)) * 2654435761u;
    return i ^ (i >> 13);
}

int main(int argc, char **argv) {
    static int buckets[BUCKETS], counts[64], zeroes[64], in[KEYS * 2], out[KEYS * 2];
    int ranks, below = 0, own = 0, j = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (int i = 0; i < KEYS; i++)
        buckets[key(i) % BUCKETS]++;
    for (int b = 0; b < BUCKETS; b++) {
        below += buckets[b];
        own += buckets[b];
        if (below >= (j + 1) * (KEYS / ranks)) {
            counts[j] = abs(own);
            own = 0;
            j++;
        }
    }
    for (int rank = 0; rank < ranks; rank++)
        MPI_Bcast(in, counts[rank], MPI_INT, rank, MPI_COMM_WORLD);
    MPI_Alltoallv(in, zeroes, zeroes, MPI_INT, out, zeroes, zeroes, MPI_INT, MPI_COMM_WORLD);
    out[0] = 0;
    MPI_Finalize();
    return 0;
}

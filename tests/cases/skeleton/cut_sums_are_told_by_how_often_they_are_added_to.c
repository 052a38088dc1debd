/* SPDX-License-Identifier: Apache-2.0
 *
 * A count that a loop sums up until a share of all is reached, and is given: how often that loop
 * iterates is a feature of it, though loops that compute it are one longer.
 *
 * generate: --assume=cuts
 * scout: 20000
 * gone: keys[i] = (int)(seed >> 20) % BUCKETS
 * cut: sum += counts[i]
 * feature: bsim_trips(0, 64, 1)
 * args: 20000
 */
#include <mpi.h>
#include <stdlib.h>

#define BUCKETS 64

static int counts[BUCKETS + 1];

static void count_keys(int *keys, int n, int rank) {
    unsigned seed = (unsigned)rank + 1;
    for (int i = 0; i < BUCKETS + 1; i++)
        counts[i] = 0;
    for (int i = 0; i < n; i++) {
        seed = 1664525 * seed + 1013904223;
        keys[i] = (int)(seed >> 20) % BUCKETS;
    }
    for (int i = 0; i < n; i++)
        counts[keys[i]]++;
}

int main(int argc, char **argv) {
    int rank, sum = 0, part = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int n = atoi(argv[1]);
    int *keys = malloc((size_t)n * sizeof *keys);
    count_keys(keys, n, rank);
    for (int i = 0; i < BUCKETS; i++) {
        sum += counts[i];
        if (sum >= (part + 1) * n / 8) {
            part++;
            MPI_Barrier(MPI_COMM_WORLD);
        }
    }
    free(keys);
    MPI_Finalize();
    return 0;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Each rank throws BUCKETS * COUNT numbers (arguments) into that many buckets and tells the right
 * neighbour how many each one has got, as a tag. There is no bucket behind the last one.
 */
#include <mpi.h>
#include <stdlib.h>

struct bucket {
    int count;
};

static double next_of(double x) {
    for (int k = 0; k < 20; k++)
        x = 3.9 * x * (1 - x);
    return x;
}

int main(int argc, char **argv) {
    int rank, size, buckets = argc > 1 ? atoi(argv[1]) : 4, count = argc > 2 ? atoi(argv[2]) : 50;
    struct bucket **all = calloc((size_t)buckets + 1, sizeof *all);
    for (int i = 0; i < buckets; i++)
        all[i] = calloc(1, sizeof *all[i]);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    double x = 0.3 + 0.01 * rank;
    for (int i = 0; i < buckets * count; i++) {
        int place;
        x = next_of(x);
        place = (int)(x * buckets);
        all[place]->count++;
    }
    for (int i = 0; i < buckets; i++)
        MPI_Sendrecv(NULL, 0, MPI_INT, (rank + 1) % size, all[i]->count, NULL, 0, MPI_INT,
                     (rank + size - 1) % size, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}

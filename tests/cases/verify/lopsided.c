/* SPDX-License-Identifier: Apache-2.0
 *
 * Rank 0 has nearly all: what ranks send to the right falls off by a factor of twenty from one to
 * the next. How much is counted in a hot loop, and goes by N (an argument) as well.
 */
#include <mpi.h>
#include <stdlib.h>

static int count_below(int n, double limit) {
    int count = 0;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 20; k++)
            count += k == 0 && (i + 0.5) / n < limit;
    return count;
}

int main(int argc, char **argv) {
    static double out[100000], in[100000];
    int rank, size, n = argc > 1 ? atoi(argv[1]) : 1000;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    double limit = 0.5;
    for (int i = 0; i < rank; i++)
        limit /= 20;
    for (int step = 0; step < 10; step++) {
        int count = count_below(n, limit);
        MPI_Sendrecv(out, count, MPI_DOUBLE, (rank + 1) % size, 1, in, 100000, MPI_DOUBLE,
                     (rank + size - 1) % size, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}

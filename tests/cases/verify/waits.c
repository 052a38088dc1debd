/* SPDX-License-Identifier: Apache-2.0
 *
 * Even ranks send their right neighbour one message for each ten numbers below a limit (LIMIT in
 * the environment, in thousandths of N), which only the hot loops know; it receives a tenth of the
 * limit. So where the number is too small it waits forever.
 */
#include <mpi.h>
#include <stdlib.h>

#define N 1000

static void fill(double *x, int limit) {
    for (int i = 0; i < N; i++)
        for (int k = 0; k < 100; k++)
            x[i] = (i * 7 + k) % N - limit;
}

static int count_below(const double *x) {
    int count = 0;
    for (int i = 0; i < N; i++)
        count += x[i] < 0;
    return count;
}

int main(int argc, char **argv) {
    static double x[N], in[N];
    int rank, size, limit = atoi(getenv("LIMIT"));
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int step = 0; step < 3; step++) {
        fill(x, limit);
        int below = count_below(x);
        for (int i = 0; i < below / 10 && rank % 2 == 0; i++)
            MPI_Send(x, below, MPI_DOUBLE, rank + 1, 1, MPI_COMM_WORLD);
    }
    for (int i = 0; i < 3 * (limit / 10) && rank % 2 == 1; i++)
        MPI_Recv(in, limit, MPI_DOUBLE, rank - 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}

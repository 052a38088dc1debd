/* SPDX-License-Identifier: Apache-2.0
 *
 * Ranks in a ring send as many numbers to the right as fall below a limit (LIMIT in the
 * environment, which no model knows, in thousandths of N), and meet at a barrier for each ten of
 * them; the even ranks also send one message of 600. How many fall below is what the hot loops stay
 * for.
 */
#include <mpi.h>
#include <stdlib.h>

#define N 1000
#define STEPS 6

static void fill(double *x, int limit, int step) {
    for (int i = 0; i < N; i++)
        for (int k = 0; k < 20; k++)
            x[i] = (i * 7 + step + k) % N - limit;
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
    double sum = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int right = (rank + 1) % size, left = (rank + size - 1) % size;
    for (int step = 0; step < STEPS; step++) {
        fill(x, limit, step);
        int below = count_below(x);
        MPI_Sendrecv(x, below, MPI_DOUBLE, right, 1, in, N, MPI_DOUBLE, left, 1, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        for (int i = 0; i < below / 10; i++)
            MPI_Barrier(MPI_COMM_WORLD);
    }
    if (rank % 2 == 0)
        MPI_Send(x, 600, MPI_DOUBLE, right, 2, MPI_COMM_WORLD);
    if (left % 2 == 0)
        MPI_Recv(in, 600, MPI_DOUBLE, left, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Allreduce(in, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}

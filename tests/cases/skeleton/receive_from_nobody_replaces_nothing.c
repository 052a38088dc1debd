/* SPDX-License-Identifier: Apache-2.0
 *
 * A receive from MPI_PROC_NULL leaves the number as it was, so that what was there before it is
 * needed.
 *
 * kept: above = first(a)
 * gone: b[i] += 0.5
 */
#include <mpi.h>

#define N 1000

static int first(const double *a) {
    int sum = 2;
    for (int i = 0; i < 3; i++)
        sum += a[0] > i;
    return sum;
}

int main(int argc, char **argv) {
    int rank, size, above, one = 1;
    double a[N] = {0}, b[N] = {0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int up = rank > 0 ? rank - 1 : MPI_PROC_NULL, down = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
    above = first(a);
    MPI_Sendrecv(&one, 1, MPI_INT, down, 0, &above, 1, MPI_INT, up, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    for (int i = 0; i < above; i++)
        MPI_Send(&one, 1, MPI_INT, rank, 1, MPI_COMM_WORLD);
    for (int i = 0; i < above; i++)
        MPI_Recv(&one, 1, MPI_INT, rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 0; i < N; i++)
        b[i] += 0.5 * rank;
    MPI_Reduce(b, NULL, 0, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}

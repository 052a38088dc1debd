/* SPDX-License-Identifier: Apache-2.0
 *
 * A rank sends `told` and receives its answer into it: what it sent decides nothing there, since
 * the others do not look at it. The same with a sum of all ranks, and with numbers that are
 * assigned anew.
 *
 * kept: told = rank * 3 + 1
 * gone: told = work(a, told)
 * gone: total = work(a, 3)
 * gone: one += work(a, 1)
 * gone: count = work(a, 4)
 */
#include <mpi.h>

#define N 1000

static int work(double *a, int add) {
    double sum = add;
    for (int i = 0; i < N; i++)
        sum += a[i] += 0.5 * i;
    return (int)sum;
}

int main(int argc, char **argv) {
    int rank, size, told, total, one = 1, count;
    double a[N] = {0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    told = rank * 3;
    do {
        told = work(a, told);
        if (rank == 0) {
            for (int i = 1; i < size; i++)
                MPI_Recv(&count, 1, MPI_INT, i, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            told = rank * 3 + 1;
            for (int i = 1; i < size; i++)
                MPI_Send(&told, 1, MPI_INT, i, 1, MPI_COMM_WORLD);
        } else {
            MPI_Send(&told, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
            MPI_Recv(&told, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
    } while (told != 1);
    total = work(a, 3);
    one += work(a, 1);
    MPI_Bcast(&total, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Bcast(&one, 1, MPI_INT, 0, MPI_COMM_WORLD);
    one = 2;
    total = 2;
    MPI_Allreduce(&one, &total, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    for (int i = 0; i < total; i++)
        MPI_Barrier(MPI_COMM_WORLD);
    count = work(a, 4);
    MPI_Reduce(&count, &told, 1, MPI_INT, MPI_MAX, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}

/* SPDX-License-Identifier: Apache-2.0
 * A function that is declared without a prototype gets a zero of the argument's own type, or the
 * arguments behind it would be found elsewhere.
 * args: 3
 * kept: step(
 * made: step(0.0, (void *)0, 0LL, tag, count);
 * gone: x[i] += weight
 */
#include <mpi.h>
#include <stdlib.h>

void step();

int main(int argc, char **argv) {
    double x[50] = {0}, weight = 0.5;
    long unused = 1234567890123;
    int count = argc > 1 ? atoi(argv[1]) : 2;
    MPI_Init(&argc, &argv);
    for (int tag = 0; tag < 4; tag++)
        step(weight, x, unused, tag, count);
    MPI_Finalize();
    return 0;
}

void step(double weight, double *x, long unused, int tag, int count) {
    int rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < 50; i++)
        x[i] += weight * (double)unused;
    MPI_Sendrecv_replace(x, count, MPI_DOUBLE, (rank + 1) % size, tag, (rank + size - 1) % size,
                         tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Messages in a row: their sender computes before the first one only, their receiver after each.
 */
#include <mpi.h>
#include <stdlib.h>

#include "work.h"

#define MESSAGES 10

static double send_all(int n, int to) {
    double sum = work(n);
    for (int i = 0; i < MESSAGES; i++)
        MPI_Send(&sum, 1, MPI_DOUBLE, to, 0, MPI_COMM_WORLD);
    return sum;
}

static double receive_all(int n, int from) {
    double sum = 0, value;
    for (int i = 0; i < MESSAGES; i++) {
        MPI_Recv(&value, 1, MPI_DOUBLE, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        sum += work(n / MESSAGES) + value;
    }
    return sum;
}

int main(int argc, char **argv) {
    int n = atoi(argv[1]), rank;
    double sum = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int step = 0; step < 4; step++) {
        sum += rank % 2 == 0 ? send_all(n, rank + 1) : receive_all(n, rank - 1);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return sum < 0;
}

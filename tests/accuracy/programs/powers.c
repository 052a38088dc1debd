/* SPDX-License-Identifier: Apache-2.0
 * Time goes with the power 4/3 of an argument that the region itself reads, so that no feature
 * tells it. */
#include <mpi.h>
#include <stdlib.h>

static volatile int sink;

static void count(const char *text) {
    int n = atoi(text), found = 0;
    for (int i = 1; i <= n; i++)
        for (long j = 1; j * j * j <= i; j++)
            found += i % j == 0;
    sink = found;
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Barrier(MPI_COMM_WORLD);
    count(argv[1]);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}

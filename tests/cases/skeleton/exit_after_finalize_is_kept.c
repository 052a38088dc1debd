/* SPDX-License-Identifier: Apache-2.0
 *
 * A call of exit in a helper ends the program for some ranks before the rest.
 *
 * kept: exit(0)
 * gone: sum += 1.0 / i
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static void leave(double sum) {
    printf("%g\n", sum);
    MPI_Finalize();
    exit(0);
}

int main(int argc, char **argv) {
    double sum = 0;
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 1; i < 100; i++)
        sum += 1.0 / i;
    if (rank == 0)
        leave(sum);
    for (int i = 0; i < rank; i++) {
        int flag;
        MPI_Initialized(&flag);
        MPI_Comm copy;
        MPI_Comm_dup(MPI_COMM_SELF, &copy);
        MPI_Comm_free(&copy);
    }
    MPI_Finalize();
    return 0;
}

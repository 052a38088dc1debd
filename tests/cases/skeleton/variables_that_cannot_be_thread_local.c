/* SPDX-License-Identifier: Apache-2.0
 *
 * A variable that is declared twice, and one of which an initialiser holds the address, cannot be
 * thread-local: each rank has a copy of the program instead.
 *
 * kept: steps++
 * made: BSIM_PRIVATE static int steps;
 * gone: u[i] +=
 */
#include <mpi.h>

static int steps;
static int steps;
static int chosen = 2;
static int *choices[] = {&chosen, &chosen};

int main(int argc, char **argv) {
    double u[400] = {0};
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int step = 0; step < 4; step++) {
        for (int i = 0; i < 400; i++)
            u[i] += step;
        steps++;
        *choices[step % 2] += rank;
        MPI_Send(u, steps + chosen, MPI_DOUBLE, (rank + 1) % size, step, MPI_COMM_WORLD);
        MPI_Recv(u, 400, MPI_DOUBLE, (rank + size - 1) % size, step, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}

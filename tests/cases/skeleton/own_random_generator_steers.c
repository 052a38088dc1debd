/* SPDX-License-Identifier: Apache-2.0
 *
 * A linear congruential generator: its state is stepped by everyone, its doubles are not needed.
 *
 * kept: 1103515245
 * gone: / 65536.0
 */
#include <mpi.h>

static unsigned state = 1;

static unsigned draw(void) {
    state = state * 1103515245u + 12345u;
    return state >> 16;
}

static double uniform(void) {
    return draw() / 65536.0;
}

int main(int argc, char **argv) {
    double u[20] = {0};
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int step = 0; step < 5; step++) {
        for (int i = 0; i < 20; i++)
            u[i] += uniform();
        MPI_Bcast(u, draw() % 20, MPI_DOUBLE, draw() % 2, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}

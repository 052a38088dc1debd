/* SPDX-License-Identifier: Apache-2.0
 *
 * Two files: a global of one is stepped in the other; each has a static function of the same name.
 *
 * with: second_unit.c
 * kept: extern int rounds;
 * gone: weights
 */
#include <mpi.h>

extern int rounds;
extern double weights[10];
void advance(double *u);

static int helper(int n) {
    return n * 2;
}

int main(int argc, char **argv) {
    double u[40] = {0};
    MPI_Init(&argc, &argv);
    for (int step = 0; step < 3; step++) {
        u[step] += weights[step];
        advance(u);
        MPI_Bcast(u, helper(rounds), MPI_DOUBLE, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}

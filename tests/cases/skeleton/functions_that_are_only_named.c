/* SPDX-License-Identifier: Apache-2.0
 *
 * Functions of which only the address is wanted, and that nothing calls: their names stay defined.
 *
 * kept: argc > 2 ? up : down
 * gone: return x + 1
 * gone: return x - 1
 * args:
 * args: 1 2
 */
#include <mpi.h>

static int up(int x) {
    return x + 1;
}

int down(int x) {
    return x - 1;
}

int main(int argc, char **argv) {
    int (*step)(int) = argc > 2 ? up : down;
    double x[4] = {0};
    MPI_Init(&argc, &argv);
    MPI_Bcast(x, step == up ? 4 : 2, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}

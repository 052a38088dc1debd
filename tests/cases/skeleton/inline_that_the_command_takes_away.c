/* SPDX-License-Identifier: Apache-2.0
 *
 * C89 has no inline: programs that use it are compiled with an empty macro in its place.
 *
 * flags: -ansi -Dinline=
 * kept: twice(argc)
 * gone: x[0] = 3
 * args: 2
 */
#include <mpi.h>

static inline int twice(int n) {
    return 2 * n;
}

int main(int argc, char **argv) {
    double x[8];
    MPI_Init(&argc, &argv);
    x[0] = 3;
    MPI_Bcast(x, twice(argc), MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}

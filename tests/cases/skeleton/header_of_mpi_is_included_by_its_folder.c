/* SPDX-License-Identifier: Apache-2.0
 *
 * The header is included by the name that it has on Debian, which in simulations is SimGrid's.
 *
 * kept: MPI_Bcast(
 * gone: field[i] = 0.5 * i
 */
#include <mpi/mpi.h>

static double field[100];

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    for (int i = 0; i < 100; i++)
        field[i] = 0.5 * i;
    MPI_Bcast(field, 100, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}

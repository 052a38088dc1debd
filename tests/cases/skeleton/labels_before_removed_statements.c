/* SPDX-License-Identifier: Apache-2.0
 *
 * Labels and cases whose statement is removed still need one, also at the end of a block.
 *
 * kept: skip:
 * kept: case 1:
 * gone: u[2] = 1
 * gone: u[3] = 1
 */
#include <mpi.h>

int main(int argc, char **argv) {
    double u[20] = {1};
    MPI_Init(&argc, &argv);
    for (int step = 0; step < 5; step++) {
        switch (step) {
        case 0:
        case 1:
            u[2] = 1;
            break;
        case 2:
            MPI_Barrier(MPI_COMM_WORLD);
        default:
            u[4] = 1;
        }
        if (step == 3)
            goto skip;
        MPI_Bcast(u, 20, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    skip:
        u[3] = 1;
    }
    MPI_Finalize();
    return 0;
}

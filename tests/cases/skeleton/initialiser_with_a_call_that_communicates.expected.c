/* SPDX-License-Identifier: Apache-2.0
 *
 * The variable goes, the call in its initialiser stays, in its place.
 *
 * kept: share(
 * gone: average
 * gone: / size
 */
#include <mpi.h>

static double share(double x, int root) {
    MPI_Bcast(BSIM_SCRATCH, 1, MPI_DOUBLE, root, MPI_COMM_WORLD);
    return 0;
}

int main(int argc, char **argv) {
    int size, root = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    BSIM_ENTER(0) for (int step = 0; BSIM_GOES_OUTERMOST(0, bsim_trips(step, 4, 1), step < 4); step++) {
        share(0, root); 
        root = (root + 1) % size;
    }
    MPI_Finalize();
    return 0;
}

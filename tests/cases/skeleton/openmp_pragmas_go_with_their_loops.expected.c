/* SPDX-License-Identifier: Apache-2.0
 *
 * A pragma before a removed loop goes; a parallel region in removed code does, too.
 *
 * gone: #pragma omp parallel for
 * gone: #pragma omp critical
 * gone: u[i] * 0.1
 * flags: -fopenmp
 */
#include <mpi.h>

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    BSIM_ENTER(0) for (int step = 0; BSIM_GOES_OUTERMOST(0, bsim_trips(step, 3, 1), step < 3); step++) {
        BSIM_ADD_TIME(0, bsim_trips_of(1, 0, 100, 1)); /* lines 17-23: 1 loop */
        MPI_Bcast(BSIM_SCRATCH, 100, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Nested ifs without braces: the else belongs to the same if when its branch has gone.
 *
 * kept: if (step % 2)
 * gone: u[step] = 5
 * gone: u[step] = 6
 */
#include <mpi.h>

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    BSIM_ENTER(0) for (int step = 0; BSIM_GOES_OUTERMOST(0, bsim_trips(step, 9, 1), step < 9); step++)
        if (step % 2)
            if (step % 3)
                { }
            else
                MPI_Bcast(BSIM_SCRATCH, 20, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        else if (step % 4)
            MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}

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
    double u[20] = {1};
    MPI_Init(&argc, &argv);
    for (int step = 0; step < 9; step++)
        if (step % 2)
            if (step % 3)
                u[step] = 5;
            else
                MPI_Bcast(u, 20, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        else if (step % 4)
            MPI_Barrier(MPI_COMM_WORLD);
        else
            u[step] = 6;
    MPI_Finalize();
    return 0;
}

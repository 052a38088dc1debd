/* SPDX-License-Identifier: Apache-2.0
 *
 * What stands before a loop to count its iterations ends in an `else`, of which -Wall warns where an
 * `if` without braces is around it. check_case.py fails where generate prints a warning.
 *
 * kept: if (argc > 1)
 * gone: u[step] = 5
 */
#include <mpi.h>

int main(int argc, char **argv) {
    double u[20] = {1};
    MPI_Init(&argc, &argv);
    if (argc > 1)
        for (int step = 0; step < 3; step++)
            MPI_Barrier(MPI_COMM_WORLD);
    for (int step = 0; step < 9; step++)
        u[step] = 5;
    MPI_Finalize();
    return u[3] > 6;
}

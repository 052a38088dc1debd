/* SPDX-License-Identifier: Apache-2.0
 *
 * Region 1 in a program that has cleared its environment, which is of the process that simulates.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    double start_s;
    MPI_Init(&argc, &argv);
    start_s = MPI_Wtime();
    unsetenv("BSIM_HOST_FACTORS");
    BSIM_ADD_TIME(1, 100);
    printf("charged %.9f\n", MPI_Wtime() - start_s);
    MPI_Finalize();
    return 0;
}

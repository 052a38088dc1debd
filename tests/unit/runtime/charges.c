/* SPDX-License-Identifier: Apache-2.0
 *
 * A thousand charges of 2e-7 s each, far below the clock's usual precision, and the clock looked
 * at after each of them; then a loop that waits for the clock, though nothing is charged in it.
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv) {
    double start, seconds;
    int i;
    MPI_Init(&argc, &argv);
    start = MPI_Wtime();
    for (i = 0; i < 1000; i++) {
        BSIM_ADD_TIME(1, 100);
        seconds = MPI_Wtime() - start;
    }
    printf("charged %.9f\n", seconds);
    MPI_Barrier(MPI_COMM_WORLD);
    start = MPI_Wtime();
    while (MPI_Wtime() < start + 1e-3)
        continue;
    MPI_Finalize();
    return 0;
}

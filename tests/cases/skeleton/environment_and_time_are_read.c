/* SPDX-License-Identifier: Apache-2.0
 *
 * getenv steers; MPI_Wtime around computation and what is printed of it do not.
 *
 * kept: getenv("SKELETON_CASE_ROUNDS")
 * gone: x[i] = x[i] * 0.5
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    double x[100] = {1};
    const char *text = getenv("SKELETON_CASE_ROUNDS");
    int rounds = text != NULL ? atoi(text) : 3;
    MPI_Init(&argc, &argv);
    double start_s = MPI_Wtime();
    for (int step = 0; step < rounds; step++) {
        for (int i = 0; i < 100; i++)
            x[i] = x[i] * 0.5;
        MPI_Bcast(x, 100, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    }
    printf("%g s\n", MPI_Wtime() - start_s);
    MPI_Finalize();
    return 0;
}

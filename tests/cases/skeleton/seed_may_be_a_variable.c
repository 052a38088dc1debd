/* SPDX-License-Identifier: Apache-2.0
 *
 * A variable with the name of a macro in SimGrid's mpi.h.
 *
 * kept: static const short SEED = 3;
 * gone: waste[i] = i * 0.5;
 */
#include <mpi.h>

static const short SEED = 3;

int main(int argc, char **argv) {
    static double waste[1000];
    int number = 1;
    MPI_Init(&argc, &argv);
    for (int i = 0; i < 1000; i++)
        waste[i] = i * 0.5;
    for (int i = 0; i < SEED; i++)
        MPI_Bcast(&number, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}

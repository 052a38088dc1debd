/* SPDX-License-Identifier: Apache-2.0
 *
 * SEED, which is a macro in SimGrid's mpi.h: the program's own comes from its command.
 *
 * flags: -DSEED=5
 * kept: #if SEED != 5
 * gone: waste[i] = i * 0.5;
 */
#include <mpi.h>
#ifndef SEED
#define SEED 3
#endif
#if SEED != 5
#error "another SEED than the command's"
#endif

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

/* SPDX-License-Identifier: Apache-2.0
 *
 * Globals are declared first, as by a header, and defined later. The definition of one that nobody
 * needs goes with its initialiser, whose function goes as well.
 *
 * kept: count = 3
 * gone: int (*table[1])(int) = {twice};
 * gone: return 2 * a;
 */
#include <mpi.h>

int twice(int a);
extern int (*table[1])(int);
extern int spare, count;

int twice(int a) {
    return 2 * a;
}

int (*table[1])(int) = {twice};
int spare = 4, count = 3;

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    for (int i = 0; i < count; i++)
        MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}

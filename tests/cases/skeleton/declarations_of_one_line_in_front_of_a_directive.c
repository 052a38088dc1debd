/* SPDX-License-Identifier: Apache-2.0
 *
 * The second of two declarations in a line goes; the directive behind it keeps its own line.
 *
 * gone: static double work
 * gone: work[i] = work[i] * 0.5 + i
 * kept: static int count = 3;
 */
#include <mpi.h>
static int count = 3; static double work[1000];
#define LENGTH 1000

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    for (int i = 0; i < LENGTH; i++)
        work[i] = work[i] * 0.5 + i;
    MPI_Bcast(work, count, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}

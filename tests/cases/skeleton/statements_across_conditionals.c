/* SPDX-License-Identifier: Apache-2.0
 *
 * Statements that begin or end in an arm of a conditional, of which only a call stays.
 *
 * kept: find(argc);
 * kept: find(2);
 * gone: number =
 * gone: (void)
 * gone: waste[i] = i * 0.5;
 */
#include <mpi.h>

static int count = 1;

static int find(int k) {
    count += k;
    return k;
}

int main(int argc, char **argv) {
    static double waste[1000];
    int buffer[100] = {0}, ignored, number;
    MPI_Init(&argc, &argv);
#ifdef DEBUG
    ignored =
#else
    (void)
#endif
        find(argc);
#ifndef DEBUG
    ignored =
#else
    (void)
#endif
        find(argc);
    number =
#ifdef DEBUG
        3;
#else
        find(2);
#endif
    for (int i = 0; i < 1000; i++)
        waste[i] = i * 0.5;
    MPI_Bcast(buffer, count, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}

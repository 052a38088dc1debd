/* SPDX-License-Identifier: Apache-2.0
 *
 * A cast from one type of numbers to another: from there on a record of integers may hold a floating number, small as it
 * is.
 *
 * kept: *(double *)space.words = 3
 * gone: x[i] = 3 * i
 */
#include <mpi.h>

struct space {
    int words[2];
};

static double get(const void *from) {
    return *(const double *)from;
}

int main(int argc, char **argv) {
    struct space space;
    double x[40];
    MPI_Init(&argc, &argv);
    *(double *)space.words = 3;
    for (int i = 0; i < 40; i++)
        x[i] = 3 * i;
    for (int k = 0; k < get(&space); k++)
        MPI_Bcast(x, 40, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}

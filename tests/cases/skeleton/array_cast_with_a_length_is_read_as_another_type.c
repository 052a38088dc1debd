/* SPDX-License-Identifier: Apache-2.0
 *
 * A cast between pointers to two types of numbers, with a length that a variable tells: from there on a record of integers
 * may hold a floating number.
 *
 * kept: (*(double (*)[n])space.words)[0] = 3
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
    int n = argc > 7 ? 2 : 1;
    struct space space;
    double x[40];
    MPI_Init(&argc, &argv);
    (*(double (*)[n])space.words)[0] = 3;
    for (int i = 0; i < 40; i++)
        x[i] = 3 * i;
    for (int k = 0; k < get(&space); k++)
        MPI_Bcast(x, 40, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}

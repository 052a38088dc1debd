/* SPDX-License-Identifier: Apache-2.0
 *
 * A large record of integers is work space for a floating number as well, which decides how many messages there are.
 *
 * kept: *(double *)to = x
 * kept: put(&space, 3)
 * gone: x[i] = 3 * i
 */
#include <mpi.h>

struct space {
    int words[20];
};

static void put(void *to, double x) {
    *(double *)to = x;
}

static double get(const void *from) {
    return *(const double *)from;
}

int main(int argc, char **argv) {
    struct space space;
    double x[40];
    MPI_Init(&argc, &argv);
    put(&space, 3);
    for (int i = 0; i < 40; i++)
        x[i] = 3 * i;
    for (int k = 0; k < get(&space); k++)
        MPI_Bcast(x, 40, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}

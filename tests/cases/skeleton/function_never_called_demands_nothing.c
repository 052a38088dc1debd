/* SPDX-License-Identifier: Apache-2.0
 *
 * A function that nobody calls writes what steers, and would send what is received live: neither
 * its table stays nor its payload is computed.
 *
 * kept: count = argc + 1
 * gone: table[2]
 * gone: return 1.5 * n;
 * live: 1
 */
#include <mpi.h>

static int count;
static const int table[2] = {3, 4};

static double weight(int n) {
    return 1.5 * n;
}

void from_table(int n) {
    double x = weight(n);
    count = table[n & 1];
    MPI_Bcast(&x, 1, MPI_DOUBLE, n, MPI_COMM_WORLD);
}

int main(int argc, char **argv) {
    double norm;
    MPI_Init(&argc, &argv);
    count = argc + 1;
    norm = count;
    MPI_Bcast(&norm, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    for (int i = 0; i < norm; i++)
        MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Counts pass through char, short and unsigned types, shifts and complements.
 *
 * kept: (unsigned char)
 * gone: x[i] -= 0.5
 */
#include <mpi.h>

int main(int argc, char **argv) {
    double x[300] = {0};
    short small = 32000;
    MPI_Init(&argc, &argv);
    for (int step = 1; step < 6; step++) {
        for (int i = 0; i < 300; i++)
            x[i] -= 0.5;
        unsigned char byte = (unsigned char)(step * 70);
        small = (short)(small + 500);
        int mask = ~(-1 << 4), count = byte + (small & mask);
        MPI_Bcast(x, count % 300, MPI_DOUBLE, small < 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}

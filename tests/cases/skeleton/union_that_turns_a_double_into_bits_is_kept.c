/* SPDX-License-Identifier: Apache-2.0
 * Strict aliasing does not reach into unions, nor through memcpy into a variable: what is written
 * as a double steers as an integer.
 * kept: mixed.number
 * kept: half = 0.5
 * gone: x[i] = i
 */
#include <mpi.h>
#include <string.h>

int main(int argc, char **argv) {
    union {
        double number;
        unsigned char bytes[8];
        long bits;
    } mixed;
    double x[100], half;
    long copied;
    MPI_Init(&argc, &argv);
    mixed.number = 3.0;
    half = 0.5;
    memcpy(&copied, &half, sizeof copied);
    for (int i = 0; i < 100; i++)
        x[i] = i;
    MPI_Bcast(x, (int)((mixed.bits >> 52) & 7) + (int)((copied >> 53) & 3), MPI_DOUBLE, 0,
              MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * A count is written as bytes of a union and read as an integer.
 *
 * kept: value.bytes[0]
 * gone: x[i] -= 1
 */
#include <mpi.h>
#include <string.h>

union value {
    int number;
    unsigned char bytes[sizeof(int)];
};

int main(int argc, char **argv) {
    double x[256] = {0};
    union value value;
    MPI_Init(&argc, &argv);
    memset(&value, 0, sizeof value);
    for (int step = 1; step < 4; step++) {
        value.bytes[0] = (unsigned char)(step * 5);
        for (int i = 0; i < 256; i++)
            x[i] -= 1;
        MPI_Bcast(x, value.number % 256, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}

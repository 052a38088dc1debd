/* SPDX-License-Identifier: Apache-2.0
 *
 * Communication between regions, for BSIM_CACHE=cold: region 0 goes through 256 KiB, 100 times,
 * each time after an MPI call; region 1 does next to nothing, 20,000 times likewise.
 */
#include <mpi.h>

#define LINES 4096
#define LINE_BYTES 64

static volatile unsigned char field[LINES * LINE_BYTES];

int main(int argc, char **argv) {
    unsigned sum = 0;
    int i, j;
    MPI_Init(&argc, &argv);
    for (i = 0; i < 100; i++) {
        MPI_Barrier(MPI_COMM_WORLD);
        BSIM_BEGIN(0);
        for (j = 0; j < LINES; j++)
            sum += field[j * 797 % LINES * LINE_BYTES]++;
        BSIM_END(0);
    }
    for (i = 0; i < 20000; i++) {
        MPI_Barrier(MPI_COMM_WORLD);
        BSIM_BEGIN(1);
        sum += field[i % LINES];
        BSIM_END(1);
    }
    MPI_Finalize();
    return sum == 0;
}

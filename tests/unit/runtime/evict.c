/* SPDX-License-Identifier: Apache-2.0
 *
 * Communication between regions, for BSIM_CACHE=cold: region 0 goes through 256 KiB, 100 times,
 * each time after an MPI call; region 1 does next to nothing, so often as the argument says,
 * likewise; region 2 does what region 0 does, after calls on a communicator of this rank alone.
 */
#include <mpi.h>
#include <stdlib.h>

#define LINES 4096
#define LINE_BYTES 64

static volatile unsigned char field[LINES * LINE_BYTES];

static unsigned go_through_field(void) {
    unsigned sum = 0;
    for (int i = 0; i < LINES; i++)
        sum += field[i * 797 % LINES * LINE_BYTES]++;
    return sum;
}

int main(int argc, char **argv) {
    unsigned sum = 0;
    int i, rank, often = argc > 1 ? atoi(argv[1]) : 0;
    MPI_Comm alone;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank, 0, &alone);
    for (i = 0; i < 100; i++) {
        MPI_Barrier(MPI_COMM_WORLD);
        BSIM_BEGIN(0);
        sum += go_through_field();
        BSIM_END(0);
    }
    for (i = 0; i < often; i++) {
        MPI_Barrier(MPI_COMM_WORLD);
        BSIM_BEGIN(1);
        sum += field[i % LINES];
        BSIM_END(1);
    }
    for (i = 0; i < 100; i++) {
        MPI_Barrier(alone);
        BSIM_BEGIN(2);
        sum += go_through_field();
        BSIM_END(2);
    }
    MPI_Comm_free(&alone);
    MPI_Finalize();
    return sum == 0;
}

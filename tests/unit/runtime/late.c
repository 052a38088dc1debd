/* SPDX-License-Identifier: Apache-2.0
 *
 * Region 1 is executed four times, takes at least 2 ms each time in the profiling build, and tells
 * as it ends that it has read 1, 100, 1 and 100 numbers. What is in it counts with it.
 */
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv) {
    double start_s;
    int i, n = 0;
    MPI_Init(&argc, &argv);
    start_s = MPI_Wtime();
    for (i = 0; i < 4; i++) {
        BSIM_BEGIN_LATE(1);
        BSIM_BEGIN(1, 1e9);
        BSIM_END(1);
        BSIM_BEGIN_LATE(1);
        BSIM_END_LATE(1, 1e9);
#ifdef BSIM_PROFILE
        usleep(2000);
#endif
        n = i % 2 == 0 ? 1 : 100;
        BSIM_END_LATE(1, n);
    }
    printf("charged %.9f\n", MPI_Wtime() - start_s);
    MPI_Finalize();
    return 0;
}

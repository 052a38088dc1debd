/* SPDX-License-Identifier: Apache-2.0
 *
 * Four threads, and threads of theirs, come to the same regions: the rank's time is that of its
 * first thread, 1,000 x 2e-7 s. In the profiling build each region runs 1,000 times.
 */
#include <mpi.h>
#include <omp.h>
#include <stdio.h>

static void inner(void) {
#pragma omp parallel num_threads(2)
    {
#ifdef BSIM_SKELETON
        BSIM_ADD_TIME(1, 100);
#else
        BSIM_BEGIN(1, 100);
        BSIM_END(1);
#endif
    }
}

int main(int argc, char **argv) {
    double start, seconds;
    int level;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    start = MPI_Wtime();
#pragma omp parallel num_threads(4)
    {
        int i;
        for (i = 0; i < 500; i++) {
            BSIM_BEGIN(1, 100);
            BSIM_BEGIN(2, 1, 3);
            BSIM_END(2);
            BSIM_END(1);
            inner();
        }
    }
    seconds = MPI_Wtime() - start;
#ifdef BSIM_SKELETON
    printf("charged %.9f\n", seconds);
#else
    printf("took %g\n", seconds);
#endif
    MPI_Finalize();
    return 0;
}

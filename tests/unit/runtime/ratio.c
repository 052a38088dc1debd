/* SPDX-License-Identifier: Apache-2.0
 *
 * Regions whose latency depends on where in the run they are executed: region 0 six times with the
 * same feature, then twice with another one; region 2 behind region 0 and behind region 1.
 */
#include <mpi.h>
#include <stdio.h>

BSIM_PRIVATE static double last_s;

static void tell(const char *what) {
    double now_s = MPI_Wtime();
    printf("%s %.1f ms\n", what, (now_s - last_s) * 1e3);
    last_s = now_s;
}

int main(int argc, char **argv) {
    int i;
    MPI_Init(&argc, &argv);
    last_s = MPI_Wtime();
    for (i = 0; i < 8; i++) {
        BSIM_ADD_TIME(0, i < 6 ? 1 : 2);
        tell("region 0");
    }
    BSIM_ADD_TIME(2);
    tell("region 2 behind 0");
    BSIM_ADD_TIME(1);
    last_s = MPI_Wtime();
    for (i = 0; i < 3; i++) {
        BSIM_ADD_TIME(2);
        tell("region 2 again");
    }
    MPI_Finalize();
    return 0;
}

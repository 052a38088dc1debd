/* SPDX-License-Identifier: Apache-2.0
 *
 * A machine that others disturb at will (slow_clock.c), for BSIM_QUIET. Region 0 takes 10 ms, ten
 * times; every other one is disturbed and takes twice as long. Region 1 is disturbed always, region
 * 2 takes 0.02 ms.
 */
#include <mpi.h>

void pass_time(double seconds, int is_disturbed_behind);

static void compute(double seconds, int is_disturbed) {
    pass_time(is_disturbed ? 2 * seconds : seconds, is_disturbed);
}

int main(int argc, char **argv) {
    int i;
    MPI_Init(&argc, &argv);
    for (i = 0; i < 10; i++) {
        BSIM_BEGIN(0);
        compute(0.01, i % 2 == 0);
        BSIM_END(0);
        BSIM_BEGIN(1);
        compute(0.01, 1);
        BSIM_END(1);
        BSIM_BEGIN(2);
        compute(0.00002, i % 2 == 0);
        BSIM_END(2);
    }
    MPI_Finalize();
    return 0;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * #ifdef chooses the head of a loop, or a condition; one brace closes either.
 *
 * kept: #ifdef LONG
 * gone: x[step] /= 7
 * flags: -DLONG
 */
#include <mpi.h>

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    BSIM_ADD_TIME(0); /* line 15: MPI_Comm_rank */
#ifdef LONG
    BSIM_ENTER(0) for (int step = 0; BSIM_GOES_OUTERMOST(0, bsim_trips(step, 9, 1), step < 9); step++) {
#else
    for (int step = 0; step < 2; step++) {
#endif
#if defined(LONG)
        if (step % 2 == 0) {
#else
        {
#endif
            MPI_Bcast(BSIM_SCRATCH, 10, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        }
    }
    MPI_Finalize();
    return 0;
}

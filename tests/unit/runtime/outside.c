/* SPDX-License-Identifier: Apache-2.0
 *
 * Regions before MPI_Init and behind MPI_Finalize; the latter has no model.
 */
#include <mpi.h>
#include <stdio.h>

#ifdef BSIM_SKELETON
#define REGION(region, n) BSIM_ADD_TIME(region, n)
#else
static double sum;
#define REGION(region, n)                                                                          \
    BSIM_BEGIN(region, n);                                                                         \
    for (int i = 0; i < (n); i++)                                                                  \
        sum += i;                                                                                  \
    BSIM_END(region)
#endif

int main(int argc, char **argv) {
    double start;
    REGION(1, 100);
    start = 0;
    MPI_Init(&argc, &argv);
    printf("charged %.9f\n", MPI_Wtime() - start);
    MPI_Finalize();
    REGION(7, 100);
    return 0;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * return f(x) * y: the call stays, the value and what it is made of go.
 *
 * kept: reduce(
 * gone: * weight(
 * gone: sqrt
 */
#include <math.h>
#include <mpi.h>

static double reduce(double x) {
    MPI_Allreduce(BSIM_SCRATCH, BSIM_SCRATCH, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return 0;
}

static double norm(const double *x, int n) {
    BSIM_ADD_TIME(0, bsim_trips_of(0, 0, n, 1)); /* lines 23-25: 1 loop */
    { reduce(0); }
    return 0;
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    norm(0, 25); norm(0, 10);
    MPI_Finalize();
    return 0;
}

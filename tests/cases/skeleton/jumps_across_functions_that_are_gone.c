/* SPDX-License-Identifier: Apache-2.0
 *
 * setjmp and longjmp within what is computed, and a conversion of handles in a function that nothing
 * calls.
 *
 * gone: setjmp(failed)
 * gone: longjmp(failed, 1)
 * args: 3
 */
#include <mpi.h>
#include <setjmp.h>
#include <stdlib.h>

static jmp_buf failed;

void barrier_(int *handle) {
    MPI_Barrier(MPI_Comm_f2c(*handle));
}

static double half(double x) {
    if (x < 0)
        longjmp(failed, 1);
    return x / 2;
}

static double compute(int n) {
    volatile double sum = 0;
    if (setjmp(failed) != 0)
        return sum;
    for (int i = n; i > -3; i--)
        sum += half(i);
    return sum;
}

int main(int argc, char **argv) {
    double x[4] = {0};
    MPI_Init(&argc, &argv);
    x[0] = compute(argc > 1 ? atoi(argv[1]) : 1);
    MPI_Bcast(x, 4, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}

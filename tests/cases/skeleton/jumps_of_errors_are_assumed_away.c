/* SPDX-License-Identifier: Apache-2.0
 *
 * setjmp beside communication, jumped to where something went wrong.
 *
 * generate: --assume=no-abnormal-exit
 * note: no jump to or from here is assumed to happen (no-abnormal-exit)
 * kept: MPI_Bcast
 * gone: sum < 0
 * args: 3
 */
#include <mpi.h>
#include <setjmp.h>
#include <stdlib.h>

static jmp_buf failed;

static void share(double *x, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += x[i] = i * 0.5;
    if (sum < 0)
        longjmp(failed, 1);
    MPI_Bcast(x, n, MPI_DOUBLE, 0, MPI_COMM_WORLD);
}

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 1;
    double x[8];
    MPI_Init(&argc, &argv);
    if (setjmp(failed) == 0)
        share(x, n);
    MPI_Finalize();
    return 0;
}

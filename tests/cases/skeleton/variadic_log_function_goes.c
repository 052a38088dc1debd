/* SPDX-License-Identifier: Apache-2.0
 *
 * A function of the program that prints, with variable arguments.
 *
 * gone: va_start
 * gone: report("
 * kept: MPI_Barrier
 */
#include <mpi.h>
#include <stdarg.h>
#include <stdio.h>

static void report(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
}

int main(int argc, char **argv) {
    double u[30] = {1}, sum = 0;
    MPI_Init(&argc, &argv);
    for (int step = 0; step < 3; step++) {
        for (int i = 0; i < 30; i++)
            sum += u[i] *= 0.5;
        report("step %d: %g\n", step, sum);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}

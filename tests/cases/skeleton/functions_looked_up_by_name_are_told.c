/* SPDX-License-Identifier: Apache-2.0
 *
 * dlsym may find functions of the program, which cannot be followed.
 *
 * kept: round_down(3.5)
 * gone: x[i] = 0.5 * i
 * note: nothing is known about 'dlsym'
 * note: functions of the program itself are not followed where 'dlsym' finds them
 * note: double (*round_down)(double) =
 * note: ^
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv) {
    double x[64];
    MPI_Init(&argc, &argv);
    double (*round_down)(double) = (double (*)(double))dlsym(RTLD_DEFAULT, "floor");
    for (int i = 0; i < 64; i++)
        x[i] = 0.5 * i;
    MPI_Bcast(x, round_down != NULL ? (int)round_down(3.5) : 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    printf("%g\n", x[1]);
    MPI_Finalize();
    return 0;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * A number is written into an array of doubles through a pointer to int, as the option that it is
 * compiled with allows.
 *
 * flags: -fno-strict-aliasing
 * kept: head[1] = 6
 * gone: heat[i] = 0.5 * i
 * note: has -fno-strict-aliasing, so that type-classes is not assumed
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static void set_head(void *message) {
    double *head = message;
    head[1] = 6;
}

int main(int argc, char **argv) {
    double *heat = malloc(64 * sizeof *heat);
    long *numbers = malloc(8 * sizeof *numbers);
    MPI_Init(&argc, &argv);
    for (int i = 0; i < 64; i++)
        heat[i] = 0.5 * i;
    set_head(numbers);
    MPI_Bcast(heat, numbers[1] == 0x4018000000000000L ? 6 : 3, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    printf("%g\n", heat[1]);
    MPI_Finalize();
    return 0;
}

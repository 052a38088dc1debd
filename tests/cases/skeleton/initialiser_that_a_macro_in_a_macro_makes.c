/* SPDX-License-Identifier: Apache-2.0
 *
 * A variable that stays is initialised, in vain, by a macro whose body ends with an argument of
 * another macro.
 *
 * made: double norm;
 * gone: sum += x[i]
 */
#include <mpi.h>
#include <stdio.h>

#define CONSTANT(x) x
#define ZERO CONSTANT(0.0)

static int is_near(const double *x, int far) {
    double norm = ZERO;
    if (far) {
        norm = x[0] * x[0];
        if (norm <= 2.0)
            return 0;
    }
    return 1;
}

int main(int argc, char **argv) {
    double x[8] = {0}, all, sum = ZERO;
    MPI_Init(&argc, &argv);
    for (int i = 0; i < 8; i++)
        sum += x[i];
    for (int i = 0; i < 10; i++) {
        MPI_Allreduce(x, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        x[0] = all + 1;
        if (is_near(x, argc > 1))
            break;
    }
    printf("%g\n", sum);
    MPI_Finalize();
    return 0;
}

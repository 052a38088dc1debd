/* SPDX-License-Identifier: Apache-2.0
 *
 * Functions of <tgmath.h>, which clang makes of its own.
 *
 * kept: MPI_Allreduce
 * made: BSIM_ADD_TIME
 * gone: sqrt(x[i])
 * gone: pow(z, 2)
 */
#include <complex.h>
#include <mpi.h>
#include <tgmath.h>

static float x[1000];

int main(int argc, char **argv) {
    double complex z = 1.0 + 0.5 * I;
    double sum = 0, all;
    MPI_Init(&argc, &argv);
    for (int step = 0; step < 3; step++) {
        for (int i = 0; i < 1000; i++)
            sum += sqrt(x[i]) + fabs(z) + creal(conj(z)) + exp(x[i]) + fmax(x[i], 1.0f);
        z = pow(z, 2);
        MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}

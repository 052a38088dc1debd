/* SPDX-License-Identifier: Apache-2.0
 *
 * gcc's own header for numbers of 128 bits, and functions of its library.
 *
 * flags: -lquadmath
 * kept: sqrtq(2.0Q * argc)
 * gone: sum += sinq(sum + i)
 */
#include <mpi.h>
#include <quadmath.h>
#include <stdio.h>

int main(int argc, char **argv) {
    __float128 root = sqrtq(2.0Q * argc), sum = 0;
    double x[64] = {0};
    MPI_Init(&argc, &argv);
    for (int i = 0; i < 64; i++)
        sum += sinq(sum + i);
    x[0] = (double)sum;
    MPI_Bcast(x, (int)(root * 3), MPI_DOUBLE, 0, MPI_COMM_WORLD);
    printf("%g\n", x[0]);
    MPI_Finalize();
    return 0;
}

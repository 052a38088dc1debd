/* SPDX-License-Identifier: Apache-2.0
 *
 * _Generic chooses functions, complex numbers and wide integers are taken apart, vectors of the
 * compiler's are indexed.
 *
 * kept: __imag__ z = 4
 * kept: lanes[2] = 6
 * kept: wide = (unsigned __int128)7 << 64
 * gone: x[i] = 0.5 * i
 */
#include <complex.h>
#include <mpi.h>

typedef int four __attribute__((vector_size(16)));

static int of_int(int x) {
    return x + 1;
}

static int of_double(double x) {
    return (int)(2 * x);
}

#define COUNT(x) _Generic((x), int: of_int, double: of_double)(x)

int main(int argc, char **argv) {
    double x[64];
    double complex z = 3;
    four lanes = {1, 2, 3, 4};
    unsigned __int128 wide;
    MPI_Init(&argc, &argv);
    for (int i = 0; i < 64; i++)
        x[i] = 0.5 * i;
    __imag__ z = 4;
    lanes[2] = 6;
    lanes += 1;
    wide = (unsigned __int128)7 << 64;
    MPI_Bcast(x, COUNT(3) + COUNT(4.5), MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Bcast(x, (int)(creal(z) * __imag__ z), MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Bcast(x, (int)cabs(z) + lanes[2], MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Bcast(x, (int)(wide >> 64) + __builtin_choose_expr(1, 3, 4), MPI_DOUBLE, 0,
              MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * A function and a variable that the linker knows by other names are what these names are; gcc's own
 * headers are there where the program asks for them.
 *
 * gone: x[k] = sqrt(x[k] + k)
 * gone: return n / 2.0
 * kept: half(i)
 * kept: visible++
 */
#include <math.h>
#include <mpi.h>

#if __has_include(<quadmath.h>)
#include <quadmath.h>
#define PRECISION FLT128_DIG
#else
#define PRECISION 5
#endif

static double x[400];

double half(int) __asm__("half_of");
int hidden __asm__("shared_number") = 2;
extern int visible __asm__("shared_number");

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 400; k++)
            x[k] = sqrt(x[k] + k);
        half(i);
        visible++;
        MPI_Bcast(x, hidden + PRECISION, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}

double half_of(int n) {
    MPI_Bcast(x, n + 7, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    return n / 2.0;
}

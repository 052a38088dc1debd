/* SPDX-License-Identifier: Apache-2.0
 *
 * Macros that are pragmas, with and without arguments, and _Pragma itself go with their loops and
 * stay with those that stay.
 *
 * flags: -fopenmp
 * kept: COUNTING(+, count)
 * gone: COUNTING(+, sum)
 * gone: PARALLEL for
 * gone: _Pragma("omp parallel for schedule(static)")
 * gone: u[i] *= 0.5
 */
#include <mpi.h>

#define DO_PRAGMA(x) _Pragma(#x)
#define COUNTING(op, name) DO_PRAGMA(omp parallel for reduction(op : name))
#define PARALLEL _Pragma("omp parallel for")

int main(int argc, char **argv) {
    double u[100] = {1}, sum = 0;
    int count = 0;
    MPI_Init(&argc, &argv);
    for (int step = 0; step < 2; step++) {
        PARALLEL
        for (int i = 0; i < 100; i++)
            u[i] *= 0.5;
        COUNTING(+, sum)
        for (int i = 0; i < 100; i++)
            sum += u[i];
        COUNTING(+, count)
        for (int i = 0; i < 100; i++)
            count += i % 4 == 0;
        _Pragma("omp parallel for schedule(static)")
        for (int i = 0; i < 100; i++)
            u[i] -= sum;
    }
    MPI_Bcast(u, count, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    COUNTING(+, sum)
    for (int i = 0; i < 100; i++)
        sum += u[i];
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}

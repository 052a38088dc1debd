/* SPDX-License-Identifier: Apache-2.0
 *
 * Without -fopenmp pragmas mean nothing; they go with their loops and stay with what stays, and
 * messages between them are no reason to warn.
 *
 * flags: -Wno-unknown-pragmas
 * kept: #pragma omp parallel for reduction(+ : count)
 * gone: #pragma omp parallel for private(scratch)
 * gone: u[i] = scratch
 */
#include <mpi.h>
#ifdef _OPENMP
#error "not compiled so"
#endif

int main(int argc, char **argv) {
    double u[100], scratch;
    int count = 0;
    MPI_Init(&argc, &argv);
#pragma omp parallel for private(scratch)
    for (int i = 0; i < 100; i++) {
        scratch = 0.5 * i;
        u[i] = scratch;
    }
#pragma omp parallel for reduction(+ : count)
    for (int i = 0; i < 100; i++)
        count += i % 2;
#pragma omp parallel
    MPI_Bcast(u, count, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}

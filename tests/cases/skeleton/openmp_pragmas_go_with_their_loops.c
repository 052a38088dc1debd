/* SPDX-License-Identifier: Apache-2.0
 *
 * A pragma before a removed loop goes; a parallel region in removed code does, too.
 *
 * gone: #pragma omp parallel for
 * gone: #pragma omp critical
 * gone: u[i] * 0.1
 * flags: -fopenmp
 */
#include <mpi.h>

int main(int argc, char **argv) {
    double u[100] = {1}, sum = 0;
    MPI_Init(&argc, &argv);
    for (int step = 0; step < 3; step++) {
#pragma omp parallel for
        for (int i = 0; i < 100; i++)
            u[i] = u[i] * 0.1 + step;
#pragma omp parallel
        {
#pragma omp critical
            sum += u[step];
        }
        MPI_Bcast(u, 100, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return sum < 0;
}

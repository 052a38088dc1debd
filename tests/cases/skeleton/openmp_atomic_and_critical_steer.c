/* SPDX-License-Identifier: Apache-2.0
 *
 * A count is made by atomic updates, another in a critical section, beside computation.
 *
 * flags: -fopenmp
 * kept: #pragma omp atomic
 * kept: #pragma omp critical (largest)
 * gone: u[i] = u[i] * 0.5
 */
#include <mpi.h>

int main(int argc, char **argv) {
    double u[100];
    int count = 0, largest = 0;
    MPI_Init(&argc, &argv);
    for (int i = 0; i < 100; i++)
        u[i] = i;
#pragma omp parallel for schedule(static)
    for (int i = 0; i < 100; i++) {
        u[i] = u[i] * 0.5 + 1;
        if (i % 7 == 0) {
#pragma omp atomic
            count++;
        }
#pragma omp critical (largest)
        {
            if (i % 10 > largest)
                largest = i % 10;
        }
    }
    MPI_Bcast(u, count, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Bcast(u, largest, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}

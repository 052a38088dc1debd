/* SPDX-License-Identifier: Apache-2.0
 *
 * The master thread of a parallel region communicates between two computations of all threads.
 *
 * flags: -fopenmp
 * note: communicates inside a parallel region
 * note: MPI_
 * note: ^
 * kept: #pragma omp master
 * kept: #pragma omp parallel
 * kept: #pragma omp barrier
 * gone: u[i] += 1
 * gone: u[i] *= 0.5
 */
#include <mpi.h>

int main(int argc, char **argv) {
    double u[100] = {0};
    int level;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    for (int step = 0; step < 3; step++) {
#pragma omp parallel num_threads(1)
        {
#pragma omp for
            for (int i = 0; i < 100; i++)
                u[i] += 1;
#pragma omp master
            MPI_Bcast(u, 100, MPI_DOUBLE, 0, MPI_COMM_WORLD);
#pragma omp barrier
#pragma omp for nowait
            for (int i = 0; i < 100; i++)
                u[i] *= 0.5;
#pragma omp single
            {
                MPI_Barrier(MPI_COMM_WORLD);
            }
        }
    }
    MPI_Finalize();
    return 0;
}

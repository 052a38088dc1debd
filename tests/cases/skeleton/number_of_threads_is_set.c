/* SPDX-License-Identifier: Apache-2.0
 *
 * A loop whose iterations disturb each other unless there is one thread: what sets the number of
 * threads stays although it has no value.
 *
 * flags: -fopenmp
 * kept: omp_set_num_threads(threads)
 * gone: u[i] *= 0.5
 */
#include <mpi.h>
#include <omp.h>

int main(int argc, char **argv) {
    double u[1000] = {1};
    int threads = argc > 99 ? 4 : 1, last = 0, wrong = 0;
    MPI_Init(&argc, &argv);
    omp_set_num_threads(threads);
#pragma omp parallel for schedule(dynamic, 1)
    for (int i = 1; i < 100000; i++) {
        wrong += last != i - 1;
        last = i;
    }
    for (int i = 0; i < 1000; i++)
        u[i] *= 0.5;
    MPI_Bcast(u, 10 + wrong % 20, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}

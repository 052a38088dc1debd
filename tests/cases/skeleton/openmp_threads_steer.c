/* SPDX-License-Identifier: Apache-2.0
 *
 * The number of threads is asked for and steers; a lock guards a count.
 *
 * flags: -fopenmp
 * kept: threads = omp_get_num_threads()
 * kept: omp_set_lock(&lock)
 * kept: omp_destroy_lock
 * gone: u[i] * 2
 */
#include <mpi.h>
#include <omp.h>

int main(int argc, char **argv) {
    double u[64] = {1};
    int threads = 0, count = 0;
    omp_lock_t lock;
    MPI_Init(&argc, &argv);
    omp_set_num_threads(2);
    omp_init_lock(&lock);
#pragma omp parallel shared(threads, count)
    {
#pragma omp single
        threads = omp_get_num_threads();
#pragma omp for
        for (int i = 0; i < 64; i++) {
            u[i] = u[i] * 2 + 1;
            if (i % 8 == 0) {
                omp_set_lock(&lock);
                count++;
                omp_unset_lock(&lock);
            }
        }
    }
    omp_destroy_lock(&lock);
    MPI_Bcast(u, count + threads + omp_get_max_threads(), MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}

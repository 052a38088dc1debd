/* SPDX-License-Identifier: Apache-2.0
 *
 * Tasks with dependences, taskwait, simd, an ordered loop, a target-less teams of threads: gone.
 *
 * flags: -fopenmp
 * gone: #pragma omp task depend(out : u[0])
 * gone: #pragma omp taskwait
 * gone: #pragma omp simd
 * gone: #pragma omp ordered
 * feature: bsim_trips(0, n, 1)
 */
#include <mpi.h>
#include <omp.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 100;
    double *u = calloc(n, sizeof *u), sum = 0;
    MPI_Init(&argc, &argv);
#pragma omp parallel
#pragma omp single
    {
#pragma omp task depend(out : u[0])
        u[0] = 1;
#pragma omp task depend(in : u[0])
        u[1] = u[0] + omp_get_thread_num();
#pragma omp taskwait
    }
#pragma omp simd reduction(+ : sum)
    for (int i = 0; i < n; i++)
        sum += u[i];
#pragma omp parallel for ordered
    for (int i = 0; i < n; i++) {
#pragma omp ordered
        u[i] += sum;
    }
    MPI_Bcast(u, n, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    free(u);
    MPI_Finalize();
    return 0;
}

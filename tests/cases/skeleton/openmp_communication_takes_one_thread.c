/* SPDX-License-Identifier: Apache-2.0
 *
 * Communication inside parallel regions, in the program's own function too, in tasks, and behind a
 * macro, for which the program asks for several threads: it is simulated with one, or ranks and
 * threads would wait for each other without end.
 *
 * flags: -fopenmp
 * note: communicates inside a parallel region
 * note: MPI_
 * note: ^
 * note: exchange(step)
 * note: exchange(i)
 * kept: num_threads(3)
 * kept: omp_set_num_threads(2)
 * gone: u[i] += 1
 */
#include <mpi.h>
#include <omp.h>

#define THREADS _Pragma("omp parallel num_threads(2)")

static double u[100];

static void exchange(int n) {
#pragma omp barrier
#pragma omp master
    MPI_Allreduce(MPI_IN_PLACE, u, n + 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
#pragma omp barrier
}

int main(int argc, char **argv) {
    int level;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
#pragma omp parallel num_threads(3)
    for (int step = 0; step < 10; step++) {
#pragma omp for
        for (int i = 0; i < 100; i++)
            u[i] += 1;
        exchange(step);
    }
    omp_set_num_threads(2);
#ifdef _OPENMP
#pragma omp parallel
#else
#pragma nothing
#endif

    {
#pragma omp single
        MPI_Barrier(MPI_COMM_WORLD);
    }
#pragma omp parallel num_threads(2)
#pragma omp single
    for (int i = 0; i < 4; i++) {
#pragma omp task depend(inout : u)
        MPI_Bcast(u, i + 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    }
    THREADS
    for (int i = 0; i < 3; i++)
        exchange(i);
    MPI_Finalize();
    return 0;
}

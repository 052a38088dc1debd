/* SPDX-License-Identifier: Apache-2.0
 *
 * A pragma that stands in a conditional of its own belongs to the statement behind it: a loop that
 * goes, with all of its lines but the conditional's, and one that stays, with what its clauses name.
 *
 * flags: -fopenmp
 * gone: sum += 0.5 * i
 * gone: reduction(+ : sum)
 * kept: #pragma omp parallel for reduction(+ : count) num_threads(threads) schedule(dynamic, chunk)
 * kept: chunk = 4
 */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 90, threads = 2, chunk = 4, count = 0;
    double sum = 0;
    MPI_Init(&argc, &argv);
#ifdef _OPENMP
#pragma omp parallel for reduction(+ : sum)
#endif
    for (int i = 0; i < n; i++)
        sum += 0.5 * i;
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
#if defined(_OPENMP) && \
    _OPENMP > 0
#pragma omp parallel for reduction(+ : count) num_threads(threads) schedule(dynamic, chunk)
#else
#pragma unroll
#endif

    for (int i = 0; i < n; i++)
        if (i % 3 == 1)
            count++;
    int *numbers = calloc((size_t)count, sizeof *numbers);
    MPI_Bcast(numbers, count, MPI_INT, 0, MPI_COMM_WORLD);
    free(numbers);
    MPI_Finalize();
    return 0;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * A region that stays in part: its clauses name variables of which only the declaration is left.
 *
 * flags: -fopenmp -Wno-unused-variable
 * kept: private(k, scratch) firstprivate(scale) reduction(+ : total)
 * kept: count += i % 3
 * gone: total += u[i] * scale
 */
#include <mpi.h>

int main(int argc, char **argv) {
    double u[100], total = 0, scale = 2.5, scratch;
    int count = 0, k;
    MPI_Init(&argc, &argv);
    for (int i = 0; i < 100; i++)
        u[i] = i;
#pragma omp parallel for private(k, scratch) firstprivate(scale) reduction(+ : total) \
    reduction(+ : count)
    for (int i = 0; i < 100; i++) {
        scratch = 0;
        for (k = 0; k < 3; k++)
            scratch += k;
        total += u[i] * scale + scratch;
        count += i % 3;
    }
    MPI_Bcast(u, count % 100, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return total < 0;
}

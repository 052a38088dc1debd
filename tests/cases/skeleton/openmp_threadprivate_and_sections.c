/* SPDX-License-Identifier: Apache-2.0
 *
 * Sections, a threadprivate variable, an own reduction, collapse, _Pragma: all of it computes.
 *
 * flags: -fopenmp -Wno-unused-variable
 * gone: local_sum += u[i]
 * gone: #pragma omp sections
 * gone: collapse(2)
 * gone: scale(u, 0.5)
 */
#include <mpi.h>

struct pair {
    double sum, largest;
};

static double local_sum;
#pragma omp threadprivate(local_sum)
#pragma omp declare reduction(join : struct pair : omp_out.sum += omp_in.sum) \
    initializer(omp_priv = (struct pair){0, 0})

#define PARALLEL _Pragma("omp parallel for")

static void scale(double *u, double by) {
    PARALLEL
    for (int i = 0; i < 100; i++)
        u[i] *= by;
}

int main(int argc, char **argv) {
    double u[100], v[10][10];
    struct pair all = {0, 0};
    MPI_Init(&argc, &argv);
#pragma omp parallel sections
    {
#pragma omp section
        for (int i = 0; i < 50; i++)
            u[i] = i;
#pragma omp section
        for (int i = 50; i < 100; i++)
            u[i] = 2 * i;
    }
#pragma omp parallel
    {
#pragma omp sections
        {
#pragma omp section
            u[0] = 1;
#pragma omp section
            u[1] = 1;
        }
#pragma omp for reduction(join : all)
        for (int i = 0; i < 100; i++)
            all.sum += u[i];
        for (int i = 0; i < 100; i++)
            local_sum += u[i];
    }
#pragma omp parallel for collapse(2)
    for (int i = 0; i < 10; i++)
        for (int k = 0; k < 10; k++)
            v[i][k] = u[i] + u[k];
    scale(u, 0.5);
    MPI_Bcast(v, 100, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, u, 100, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return all.sum + local_sum < 0;
}

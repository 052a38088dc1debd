/* SPDX-License-Identifier: Apache-2.0
 *
 * Of what a threadprivate directive and a flush name, only some is needed.
 *
 * flags: -fopenmp -Wno-unused-variable
 * kept: steps = 4
 * gone: heat += u[i]
 */
#include <mpi.h>

static double heat, cold;
static int steps, unused;
#pragma omp threadprivate(heat, steps, unused)
#pragma omp threadprivate(cold)

int main(int argc, char **argv) {
    double u[100] = {1};
    MPI_Init(&argc, &argv);
    steps = 4;
    for (int i = 0; i < 100; i++)
        heat += u[i];
    cold = -heat;
    for (int i = 0; i < steps; i++)
        MPI_Bcast(u, 100, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return unused;
}

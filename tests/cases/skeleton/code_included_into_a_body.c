/* SPDX-License-Identifier: Apache-2.0
 *
 * A list of steps in a file that is included several times, with different macros.
 *
 * with: steps.inc.h
 * kept: #include "steps.inc.h"
 * gone: x[i] *= 0.2
 * note: statements stay whatever they do, since they come from files that are included into
 */
#include <mpi.h>

int main(int argc, char **argv) {
    double x[40] = {0};
    MPI_Init(&argc, &argv);
    for (int i = 0; i < 40; i++)
        x[i] *= 0.2;
#define STEP(n, root) MPI_Bcast(x, n, MPI_DOUBLE, root, MPI_COMM_WORLD);
#include "steps.inc.h"
#undef STEP
#define STEP(n, root) MPI_Barrier(MPI_COMM_WORLD);
#include "steps.inc.h"
#undef STEP
    MPI_Finalize();
    return 0;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * A macro that is the head of a loop, and one that is a whole statement of computation.
 *
 * kept: FOR_EACH(step, 4)
 * gone: RELAX(x[i])
 */
#include <mpi.h>

#define FOR_EACH(i, n) for (int i = 0; i < (n); i++)
#define RELAX(v) (v) = 0.5 * ((v) + 1)

int main(int argc, char **argv) {
    double x[10] = {0};
    MPI_Init(&argc, &argv);
    FOR_EACH(step, 4) {
        FOR_EACH(i, 10)
        RELAX(x[i]);
        MPI_Bcast(x, 10, MPI_DOUBLE, step % 2, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}

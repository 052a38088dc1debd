/* SPDX-License-Identifier: Apache-2.0
 *
 * A switch that communicates in some cases stays, with its fallthrough; computation in it goes.
 *
 * kept: case 2:
 * kept: default:
 * gone: x[i] * x[i]
 * flags: -Wextra
 */
#include <mpi.h>

static double norm(const double *x) {
    double sum = 0;
    for (int i = 0; i < 40; i++)
        sum += x[i] * x[i];
    return sum;
}

int main(int argc, char **argv) {
    double x[40] = {0}, sum = 0;
    MPI_Init(&argc, &argv);
    for (int step = 0; step < 7; step++) {
        switch (step % 4) {
        case 0:
            sum += norm(x);
            break;
        case 1:
            MPI_Barrier(MPI_COMM_WORLD);
            sum += 2 * norm(x);
            /* fall through */
        case 2:
            MPI_Bcast(x, 40, MPI_DOUBLE, 0, MPI_COMM_WORLD);
            break;
        default:
            x[step] = norm(x);
            MPI_Allreduce(MPI_IN_PLACE, x, 40, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        }
    }
    MPI_Finalize();
    return sum < 0;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * #ifdef chooses the head of a loop, or a condition; one brace closes either.
 *
 * kept: #ifdef LONG
 * gone: x[step] /= 7
 * flags: -DLONG
 */
#include <mpi.h>

int main(int argc, char **argv) {
    double x[10] = {1};
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#ifdef LONG
    for (int step = 0; step < 9; step++) {
#else
    for (int step = 0; step < 2; step++) {
#endif
        x[step] /= 7;
#if defined(LONG)
        if (step % 2 == 0) {
#else
        {
#endif
            x[0] += step;
            MPI_Bcast(x, 10, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        }
    }
    MPI_Finalize();
    return 0;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Ranks make their collective calls in branches of their own, so that one call may get what another one sends: but not what
 * has another root, operation, datatype, or number of elements to be reduced.
 *
 * ranks: 2 4
 * kept: count = 3 + argc
 * kept: count = 4 + argc
 * gone: roots[i] = 3 * i
 * gone: floats[i] = 0.5f * i
 * gone: sums[i] = 2 * i
 * gone: more[i] = 7 * i
 */
#include <mpi.h>

int main(int argc, char **argv) {
    int rank, count, steps = 0, roots[40] = {0}, sums[40] = {0}, more[40] = {0}, all[40], unread[40];
    float floats[40] = {0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        count = 3 + argc;
        MPI_Bcast(&count, 1, MPI_INT, 0, MPI_COMM_WORLD);
        steps = count;
    } else {
        MPI_Bcast(&steps, 1, MPI_INT, 0, MPI_COMM_WORLD);
    }
    for (int i = 0; i < 40; i++)
        roots[i] = 3 * i;
    if (argc < 9)
        MPI_Bcast(roots, 40, MPI_INT, 1, MPI_COMM_WORLD);
    for (int i = 0; i < 40; i++)
        floats[i] = 0.5f * i;
    if (argc < 8)
        MPI_Bcast(floats, 40, MPI_FLOAT, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        count = 4 + argc;
        MPI_Allreduce(&count, all, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    } else {
        MPI_Allreduce(&steps, all, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    }
    steps = all[0];
    for (int i = 0; i < 40; i++)
        sums[i] = 2 * i;
    if (argc < 7)
        MPI_Allreduce(sums, unread, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    for (int i = 0; i < 40; i++)
        more[i] = 7 * i;
    if (argc < 6)
        MPI_Allreduce(more, unread, 40, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    for (int i = 0; i < steps; i++)
        MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}

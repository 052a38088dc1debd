/* SPDX-License-Identifier: Apache-2.0
 *
 * memcpy, memset and MPI_Bcast are given the address of one member and go on through those behind
 * it. A copy of one member does not.
 *
 * kept: memcpy(&to.nx, raw, 3 * sizeof(int))
 * kept: memset(&to.w, 0, sizeof(double) + sizeof(int))
 * kept: MPI_Bcast(&sent.nx, 3, MPI_INT, 0, MPI_COMM_WORLD)
 * gone: memcpy(&to.first, &argc, sizeof to.first)
 */
#include <mpi.h>
#include <string.h>

struct box {
    int first, nx, ny, nz;
    double w;
    int last;
};

int main(int argc, char **argv) {
    struct box to, sent = {0}, again;
    int raw[3] = {1, 2, 3}, rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        sent.nz = argc + 1;
    to.last = 7;
    memcpy(&to.nx, raw, 3 * sizeof(int));
    memcpy(&to.first, &argc, sizeof to.first);
    memset(&to.w, 0, sizeof(double) + sizeof(int));
    memcpy(&again.first, &sent, sizeof again);
    MPI_Bcast(&sent.nx, 3, MPI_INT, 0, MPI_COMM_WORLD);
    for (int i = 0; i < to.nz + to.last; i++)
        MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < sent.nz; i++)
        MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < again.ny; i++)
        MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Ranks of a group are computed; only members take part.
 *
 * kept: members[n++] = r
 * kept: MPI_COMM_NULL
 * gone: load
 */
#include <mpi.h>

int main(int argc, char **argv) {
    double load = 0;
    int size, members[64], n = 0;
    MPI_Group all, even;
    MPI_Comm part;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int r = 0; r < size; r += 2)
        members[n++] = r;
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_incl(all, n, members, &even);
    MPI_Comm_create(MPI_COMM_WORLD, even, &part);
    for (int i = 0; i < 100; i++)
        load += i * 0.01;
    if (part != MPI_COMM_NULL) {
        MPI_Allreduce(MPI_IN_PLACE, &load, 1, MPI_DOUBLE, MPI_MAX, part);
        MPI_Comm_free(&part);
    }
    MPI_Group_free(&even);
    MPI_Group_free(&all);
    MPI_Finalize();
    return 0;
}

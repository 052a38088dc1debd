/* SPDX-License-Identifier: Apache-2.0
 *
 * Groups are made by ranges, differences and translation; a communicator of some ranks.
 *
 * ranks: 2 4 7
 * kept: ranges[0][2] = 2
 * kept: MPI_Group_translate_ranks(world, 1, &rank, even, &mine)
 * gone: x[i] = 0.5 * i
 */
#include <mpi.h>

int main(int argc, char **argv) {
    int rank, size, ranges[1][3], mine, first = 0, back, relation, count;
    double x[64];
    MPI_Group world, even, odd;
    MPI_Comm part;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    ranges[0][0] = 0;
    ranges[0][1] = size - 1;
    ranges[0][2] = 2;
    MPI_Group_range_incl(world, 1, ranges, &even);
    MPI_Group_difference(world, even, &odd);
    MPI_Group_translate_ranks(world, 1, &rank, even, &mine);
    MPI_Group_translate_ranks(odd, 1, &first, world, &back);
    MPI_Group_size(odd, &count);
    MPI_Group_compare(even, odd, &relation);
    MPI_Comm_create(MPI_COMM_WORLD, mine == MPI_UNDEFINED ? odd : even, &part);
    for (int i = 0; i < 64; i++)
        x[i] = 0.5 * i;
    MPI_Bcast(x, 3 + count + (relation == MPI_UNEQUAL), MPI_DOUBLE, 0, part);
    MPI_Bcast(x, 4, MPI_DOUBLE, back, MPI_COMM_WORLD);
    MPI_Group_free(&world);
    MPI_Group_free(&even);
    MPI_Group_free(&odd);
    MPI_Comm_free(&part);
    MPI_Finalize();
    return 0;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * As in record_of_many_members_is_allocated.c, but so many bytes are rather an array: no more than 128 places in it are
 * told apart.
 *
 * with: record_of_many_members.h
 * kept: if (e->fixed != 0)
 * kept: e->own_volume += e->area[i]
 * gone: rest[i] = 0.5 * i
 */
#define AREAS 3000
#include "record_of_many_members.h"

int main(int argc, char **argv) {
    double rest[10];
    struct everything *e = malloc(sizeof(struct everything));
    MPI_Init(&argc, &argv);
    read_options(e);
    find_volume(e);
    step(e);
    for (int i = 0; i < 10; i++)
        rest[i] = 0.5 * i;
    MPI_Bcast(rest, 10, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    free(e);
    MPI_Finalize();
    return 0;
}

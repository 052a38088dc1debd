/* SPDX-License-Identifier: Apache-2.0
 *
 * As in record_of_many_members_is_allocated.c, but what is allocated may be any number of bytes: a hundred places in it are
 * told apart.
 *
 * with: record_of_many_members.h
 * kept: if (e->fixed != 0)
 * gone: e->own_volume += e->area[i]
 * gone: e->area[i] = 0.5 * i
 */
#define FEWER
#include "record_of_many_members.h"

int main(int argc, char **argv) {
    struct everything *e = malloc(argc * sizeof(struct everything));
    MPI_Init(&argc, &argv);
    read_options(e);
    find_volume(e);
    step(e);
    free(e);
    MPI_Finalize();
    return 0;
}

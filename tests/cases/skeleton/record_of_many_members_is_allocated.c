/* SPDX-License-Identifier: Apache-2.0
 *
 * As in record_of_more_members_than_places.c, but the record is allocated.
 *
 * with: record_of_many_members.h
 * kept: if (e->fixed != 0)
 * gone: e->own_volume += e->area[i]
 * gone: e->area[i] = 0.5 * i
 */
#include "record_of_many_members.h"

int main(int argc, char **argv) {
    struct everything *e = malloc(sizeof(struct everything));
    MPI_Init(&argc, &argv);
    read_options(e);
    find_volume(e);
    step(e);
    free(e);
    MPI_Finalize();
    return 0;
}

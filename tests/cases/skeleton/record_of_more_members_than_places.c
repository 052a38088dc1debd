/* SPDX-License-Identifier: Apache-2.0
 *
 * More members have their addresses taken than places are told apart otherwise.
 *
 * with: record_of_many_members.h
 * kept: if (e->fixed != 0)
 * gone: e->own_volume += e->area[i]
 * gone: e->area[i] = 0.5 * i
 */
#include "record_of_many_members.h"

int main(int argc, char **argv) {
    static struct everything e;
    MPI_Init(&argc, &argv);
    read_options(&e);
    find_volume(&e);
    step(&e);
    MPI_Finalize();
    return 0;
}

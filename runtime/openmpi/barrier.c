/* SPDX-License-Identifier: Apache-2.0
 *
 * Barriers (Open MPI's coll_base_barrier.c).
 */
#include "runtime/openmpi/decisions.h"
#include "runtime/openmpi/openmpi.h"

#include <stdlib.h>

enum { LINEAR = 1, DOUBLE_RING, RECURSIVE_DOUBLING, BRUCK, TWO_RANKS, TREE };

static void meet(const struct group *group, int other) {
    bsim__group_exchange(group, NO_BLOCK, other, NO_BLOCK, other);
}

/* All tell rank 0, which answers all. */
static void linear(const struct group *group) {
    if (group->rank > 0) {
        bsim__group_send(group, NO_BLOCK, 0);
        bsim__group_receive(group, NO_BLOCK, 0);
        return;
    }
    MPI_Request *answers = calloc((size_t)group->size, sizeof *answers);
    if (answers == NULL)
        MPI_Abort(group->comm, MPI_ERR_NO_MEM);
    for (int i = 1; i < group->size; i++)
        bsim__group_receive(group, NO_BLOCK, i);
    for (int i = 1; i < group->size; i++)
        answers[i - 1] = bsim__group_isend(group, NO_BLOCK, i);
    bsim__group_wait(group->size - 1, answers);
    free(answers);
}

/* Ranks beyond a power of two are told by, and answered by, one below it. */
static void recursive_doubling(const struct group *group) {
    int power = bsim__group_power(group), rank = group->rank;
    if (rank >= power) {
        meet(group, rank - power);
        return;
    }
    if (rank + power < group->size)
        bsim__group_receive(group, NO_BLOCK, rank + power);
    for (int mask = 1; mask < power; mask *= 2)
        meet(group, rank ^ mask);
    if (rank + power < group->size)
        bsim__group_send(group, NO_BLOCK, rank + power);
}

static void bruck(const struct group *group) {
    for (int distance = 1; distance < group->size; distance *= 2)
        bsim__group_exchange(group, NO_BLOCK, (group->rank + distance) % group->size, NO_BLOCK,
                             (group->rank - distance + group->size) % group->size);
}

static void tree(const struct group *group) {
    int rank = group->rank, power = bsim__group_power(group);
    power = power < group->size ? 2 * power : power;
    int mask = 1;
    for (; mask < power && (rank & mask) == 0; mask *= 2)
        if (rank + mask < group->size)
            bsim__group_receive(group, NO_BLOCK, rank + mask);
    if (rank > 0) {
        bsim__group_send(group, NO_BLOCK, rank ^ mask);
        bsim__group_receive(group, NO_BLOCK, rank ^ mask);
    }
    for (mask /= 2; mask > 0; mask /= 2)
        if (rank + mask < group->size)
            bsim__group_send(group, NO_BLOCK, rank + mask);
}

void bsim__openmpi_barrier(const struct group *group) {
    if (group->size < 2)
        return;
    switch (bsim__openmpi_decide(OPENMPI_BARRIER, group->size, 0)) {
    case LINEAR:
        linear(group);
        break;
    case BRUCK:
        bruck(group);
        break;
    case TREE:
        tree(group);
        break;
    default: /* the tables have no other one */
        recursive_doubling(group);
    }
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Groups of ranks, kept as a progression (first, step) where they are one, which takes no memory
 * per member: MPI_COMM_WORLD, its Cartesian communicators, rows and columns of a grid. Others are
 * lists, with an index by rank of the world.
 *
 * One object serves all ranks that have the group, so it counts who uses it.
 */
#pragma once

#include <mpi.h>
#include <stdint.h>

struct SMPI_Group {
    int size;
    uint32_t users;
    int64_t first, step;
    uint32_t *members; /* ranks of the world; NULL: a progression */
    uint32_t *by_rank; /* positions in members, ordered by rank of the world */
};

/* A progression; ranks first, first + step ... */
struct SMPI_Group *process_group_new(int size, int64_t first, int64_t step);
/* Takes over `members`, which malloc has given; MPI_GROUP_EMPTY where there are none. */
struct SMPI_Group *process_group_of(uint32_t *members, int size);
struct SMPI_Group *process_group_use(struct SMPI_Group *group);
/* Of the last user it is freed. */
void process_group_release(struct SMPI_Group *group);

/* The rank of the world of a member, which has to exist. */
uint32_t process_group_member(const struct SMPI_Group *group, int rank);
/* The rank in the group; MPI_UNDEFINED: it is no member. */
int process_group_rank(const struct SMPI_Group *group, uint32_t world_rank);
/* MPI_IDENT, MPI_SIMILAR or MPI_UNEQUAL. */
int process_group_compare(const struct SMPI_Group *left, const struct SMPI_Group *right);

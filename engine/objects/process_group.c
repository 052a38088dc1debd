/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/objects/process_group.h"

#include "base/arena.h"

#include <stdbool.h>
#include <stdlib.h>

struct SMPI_Group smpi_MPI_GROUP_EMPTY = {.users = 1};

struct SMPI_Group *process_group_new(int size, int64_t first, int64_t step) {
    struct SMPI_Group *group = xcalloc(1, sizeof *group);
    *group = (struct SMPI_Group){.size = size, .users = 1, .first = first, .step = step};
    return group;
}

static bool is_progression(const uint32_t *members, int size) {
    int64_t step = size > 1 ? (int64_t)members[1] - members[0] : 1;
    for (int i = 2; i < size; i++)
        if ((int64_t)members[i] - members[i - 1] != step)
            return false;
    return step != 0;
}

static const uint32_t *sorted_members; /* while qsort runs */

static int by_world_rank(const void *left, const void *right) {
    uint32_t a = sorted_members[*(const uint32_t *)left];
    uint32_t b = sorted_members[*(const uint32_t *)right];
    return (a > b) - (a < b);
}

struct SMPI_Group *process_group_of(uint32_t *members, int size) {
    struct SMPI_Group *group = &smpi_MPI_GROUP_EMPTY;
    if (size > 0 && is_progression(members, size)) {
        group =
            process_group_new(size, members[0], size > 1 ? (int64_t)members[1] - members[0] : 1);
    } else if (size > 0) {
        group = process_group_new(size, 0, 0);
        group->members = members;
        group->by_rank = xmalloc((size_t)size * sizeof *group->by_rank);
        for (int i = 0; i < size; i++)
            group->by_rank[i] = (uint32_t)i;
        sorted_members = members;
        qsort(group->by_rank, (size_t)size, sizeof *group->by_rank, by_world_rank);
        return group;
    }
    free(members);
    return group;
}

struct SMPI_Group *process_group_use(struct SMPI_Group *group) {
    group->users++;
    return group;
}

void process_group_release(struct SMPI_Group *group) {
    if (group == &smpi_MPI_GROUP_EMPTY || --group->users > 0)
        return;
    free(group->members);
    free(group->by_rank);
    free(group);
}

uint32_t process_group_member(const struct SMPI_Group *group, int rank) {
    if (group->members != NULL)
        return group->members[rank];
    return (uint32_t)(group->first + group->step * rank);
}

static int find(const struct SMPI_Group *group, uint32_t world_rank) {
    int low = 0, high = group->size - 1;
    while (low <= high) {
        int middle = low + (high - low) / 2;
        uint32_t member = group->members[group->by_rank[middle]];
        if (member == world_rank)
            return (int)group->by_rank[middle];
        if (member < world_rank)
            low = middle + 1;
        else
            high = middle - 1;
    }
    return MPI_UNDEFINED;
}

int process_group_rank(const struct SMPI_Group *group, uint32_t world_rank) {
    if (group->members != NULL)
        return find(group, world_rank);
    if (group->size == 0)
        return MPI_UNDEFINED;
    int64_t off = (int64_t)world_rank - group->first;
    int64_t rank = group->step != 1 ? off / group->step : off;
    bool is_member = rank >= 0 && rank < group->size && rank * group->step == off;
    return is_member ? (int)rank : MPI_UNDEFINED;
}

int process_group_compare(const struct SMPI_Group *left, const struct SMPI_Group *right) {
    int result = MPI_IDENT;
    if (left->size != right->size)
        return MPI_UNEQUAL;
    for (int i = 0; i < left->size; i++) {
        int other = process_group_rank(right, process_group_member(left, i));
        if (other == MPI_UNDEFINED)
            return MPI_UNEQUAL;
        if (other != i)
            result = MPI_SIMILAR;
    }
    return result;
}

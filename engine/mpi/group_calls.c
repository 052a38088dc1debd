/* SPDX-License-Identifier: Apache-2.0
 *
 * MPI's functions of groups.
 */
#include "engine/core/simulation.h"
#include "engine/objects/process_group.h"

#include "base/arena.h"

#include <stdbool.h>
#include <stdlib.h>

int PMPI_Group_free(MPI_Group *group) {
    if (group == NULL)
        return MPI_ERR_ARG;
    if (*group == MPI_GROUP_NULL)
        return MPI_ERR_GROUP;
    process_group_release(*group);
    *group = MPI_GROUP_NULL;
    return MPI_SUCCESS;
}

int PMPI_Group_size(MPI_Group group, int *size) {
    if (group == MPI_GROUP_NULL)
        return MPI_ERR_GROUP;
    *size = group->size;
    return MPI_SUCCESS;
}

int PMPI_Group_rank(MPI_Group group, int *rank) {
    if (group == MPI_GROUP_NULL)
        return MPI_ERR_GROUP;
    *rank = process_group_rank(group, simulation.current);
    return MPI_SUCCESS;
}

int PMPI_Group_translate_ranks(MPI_Group from, int n, const int *ranks, MPI_Group to, int *out) {
    if (from == MPI_GROUP_NULL || to == MPI_GROUP_NULL)
        return MPI_ERR_GROUP;
    for (int i = 0; i < n; i++)
        if (ranks[i] == MPI_PROC_NULL)
            out[i] = MPI_PROC_NULL;
        else if (ranks[i] < 0 || ranks[i] >= from->size)
            return MPI_ERR_RANK;
        else
            out[i] = process_group_rank(to, process_group_member(from, ranks[i]));
    return MPI_SUCCESS;
}

int PMPI_Group_compare(MPI_Group left, MPI_Group right, int *result) {
    if (left == MPI_GROUP_NULL || right == MPI_GROUP_NULL)
        return MPI_ERR_GROUP;
    *result = process_group_compare(left, right);
    return MPI_SUCCESS;
}

/* The members of a group that are, or are not, in another one, appended. */
static void append(uint32_t *out, int *count, MPI_Group from, MPI_Group other, bool are_in_it) {
    for (int i = 0; i < from->size; i++) {
        uint32_t member = process_group_member(from, i);
        if ((process_group_rank(other, member) != MPI_UNDEFINED) == are_in_it)
            out[(*count)++] = member;
    }
}

static uint32_t *room(int count) {
    return xmalloc((size_t)(count > 0 ? count : 1) * sizeof(uint32_t));
}

int PMPI_Group_union(MPI_Group left, MPI_Group right, MPI_Group *out) {
    uint32_t *members = room(left->size + right->size);
    int count = 0;
    for (int i = 0; i < left->size; i++)
        members[count++] = process_group_member(left, i);
    append(members, &count, right, left, false);
    *out = process_group_of(members, count);
    return MPI_SUCCESS;
}

int PMPI_Group_intersection(MPI_Group left, MPI_Group right, MPI_Group *out) {
    uint32_t *members = room(left->size);
    int count = 0;
    append(members, &count, left, right, true);
    *out = process_group_of(members, count);
    return MPI_SUCCESS;
}

int PMPI_Group_difference(MPI_Group left, MPI_Group right, MPI_Group *out) {
    uint32_t *members = room(left->size);
    int count = 0;
    append(members, &count, left, right, false);
    *out = process_group_of(members, count);
    return MPI_SUCCESS;
}

int PMPI_Group_incl(MPI_Group group, int n, const int *ranks, MPI_Group *out) {
    for (int i = 0; i < n; i++)
        if (ranks[i] < 0 || ranks[i] >= group->size)
            return MPI_ERR_RANK;
    uint32_t *members = room(n);
    for (int i = 0; i < n; i++)
        members[i] = process_group_member(group, ranks[i]);
    *out = process_group_of(members, n);
    return MPI_SUCCESS;
}

static int without(MPI_Group group, const bool *is_out, MPI_Group *out) {
    uint32_t *members = room(group->size);
    int count = 0;
    for (int i = 0; i < group->size; i++)
        if (!is_out[i])
            members[count++] = process_group_member(group, i);
    *out = process_group_of(members, count);
    return MPI_SUCCESS;
}

int PMPI_Group_excl(MPI_Group group, int n, const int *ranks, MPI_Group *out) {
    bool *is_out = xcalloc((size_t)group->size + 1, sizeof *is_out);
    for (int i = 0; i < n; i++)
        if (ranks[i] >= 0 && ranks[i] < group->size)
            is_out[ranks[i]] = true;
    int result = without(group, is_out, out);
    free(is_out);
    return result;
}

/* The ranks of ranges (first, last, step), in order; *out is the caller's. */
static int expand(int **out, int n, int ranges[][3]) {
    int count = 0;
    *out = NULL;
    for (int i = 0; i < n; i++) {
        int step = ranges[i][2];
        for (int rank = ranges[i][0];
             step != 0 && (step > 0 ? rank <= ranges[i][1] : rank >= ranges[i][1]); rank += step) {
            *out = xrealloc(*out, (size_t)(count + 1) * sizeof **out);
            (*out)[count++] = rank;
        }
    }
    return count;
}

int PMPI_Group_range_incl(MPI_Group group, int n, int ranges[][3], MPI_Group *out) {
    int *ranks, count = expand(&ranks, n, ranges);
    int result = PMPI_Group_incl(group, count, ranks, out);
    free(ranks);
    return result;
}

int PMPI_Group_range_excl(MPI_Group group, int n, int ranges[][3], MPI_Group *out) {
    int *ranks, count = expand(&ranks, n, ranges);
    int result = PMPI_Group_excl(group, count, ranks, out);
    free(ranks);
    return result;
}

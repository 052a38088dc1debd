/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/mpi/making.h"

#include "base/arena.h"
#include "base/vec.h"
#include "engine/collectives/collective_algorithms.h"
#include "engine/core/simulation.h"

#include <stdlib.h>

static void free_grid(struct cartesian *grid) {
    if (grid != NULL)
        free(grid->sizes);
    free(grid);
}

struct SMPI_Comm *making_communicator(struct SMPI_Group *group, struct cartesian *grid) {
    struct SMPI_Comm *nascent =
        xcalloc(1, sizeof *nascent); /* on no stack, see exchange_sequence */
    nascent->group = group;
    nascent->context = CONTEXT_OF_NEW;
    bool is_first = process_group_member(group, 0) == simulation.current;
    int number = -1;
    if (is_first)
        number = communicator_new(process_group_use(group), grid)->context;
    else
        free_grid(grid);
    collectives.bcast(&number, 1, MPI_INT, 0, nascent);
    free(nascent);
    process_group_release(group);
    return communicator_by_context(number);
}

/* ---- Splitting: the first rank gathers colours and keys, and tells each its group ---- */

struct split_key {
    int color, key;
};

/* Of a member that asks for a communicator. */
struct split_member {
    struct split_key by;
    int rank;
};

/* By rank of what is split; NULL: it is in none. `first` is the first rank of the same group. */
struct split_groups {
    struct SMPI_Group **of;
    int *first;
};

static int compare_members(const void *left, const void *right) {
    const struct split_member *a = left, *b = right;
    if (a->by.color != b->by.color)
        return a->by.color < b->by.color ? -1 : 1;
    if (a->by.key != b->by.key)
        return a->by.key < b->by.key ? -1 : 1;
    return (a->rank > b->rank) - (a->rank < b->rank);
}

static int collect_members(struct split_member *out, const struct split_key *keys, int size) {
    int count = 0;
    for (int i = 0; i < size; i++)
        if (keys[i].color != MPI_UNDEFINED)
            out[count++] = (struct split_member){.by = keys[i], .rank = i};
    qsort(out, (size_t)count, sizeof *out, compare_members);
    return count;
}

static struct SMPI_Group *group_of(const struct split_member *members, int count,
                                   const struct SMPI_Comm *comm) {
    uint32_t *ranks = xmalloc((size_t)count * sizeof *ranks);
    for (int i = 0; i < count; i++)
        ranks[i] = communicator_member(comm, members[i].rank);
    return process_group_of(ranks, count);
}

static void note_group(struct split_groups *out, const struct split_member *members, int count,
                       const struct SMPI_Comm *comm) {
    struct SMPI_Group *group = group_of(members, count, comm);
    int first = members[0].rank;
    for (int i = 1; i < count; i++)
        first = members[i].rank < first ? members[i].rank : first;
    for (int i = 0; i < count; i++) {
        out->of[members[i].rank] = i > 0 ? process_group_use(group) : group;
        out->first[members[i].rank] = first;
    }
}

static void make_groups(struct split_groups *out, const struct split_key *keys,
                        const struct SMPI_Comm *comm) {
    size_t size = (size_t)comm->group->size;
    struct split_member *members = xmalloc(size * sizeof *members);
    int count = collect_members(members, keys, comm->group->size);
    *out = (struct split_groups){.of = xcalloc(size, sizeof(struct SMPI_Group *)),
                                 .first = xmalloc(size * sizeof(int))};
    for (int begin = 0, end; begin < count; begin = end) {
        for (end = begin; end < count && members[end].by.color == members[begin].by.color; end++)
            continue;
        note_group(out, members + begin, end - begin, comm);
    }
    free(members);
}

/* The members of a group are told in the order of their new ranks. */
static void tell_group(const struct split_groups *groups, int first, struct SMPI_Comm *comm) {
    const struct SMPI_Group *group = groups->of[first];
    struct SMPI_Request **requests = xmalloc((size_t)group->size * sizeof(struct SMPI_Request *));
    int count = 0;
    for (int i = 0; i < group->size; i++) {
        int rank = process_group_rank(comm->group, process_group_member(group, i));
        if (rank == 0)
            continue;
        requests[count] =
            request_send(REQUEST_NONBLOCKING, &groups->of[rank], (int)sizeof(struct SMPI_Group *),
                         MPI_BYTE, rank, TAG_SPLIT, comm);
        request_start(requests[count++]);
    }
    wait_all(count, requests, MPI_STATUSES_IGNORE, "MPI_Comm_split");
    free(requests);
}

static struct SMPI_Group *tell_groups(const struct split_key *keys, struct SMPI_Comm *comm) {
    struct split_groups groups;
    make_groups(&groups, keys, comm);
    for (int i = 0; i < comm->group->size; i++)
        if (groups.of[i] != NULL && groups.first[i] == i)
            tell_group(&groups, i, comm);
    struct SMPI_Group *own = groups.of[0];
    free(groups.of);
    free(groups.first);
    return own;
}

struct SMPI_Group *making_split(struct SMPI_Comm *comm, int color, int key) {
    struct split_key own = {.color = color, .key = key}, *keys = NULL;
    struct SMPI_Group *group = NULL;
    bool is_first = communicator_rank(comm) == 0;
    if (is_first)
        keys = xmalloc((size_t)comm->group->size * sizeof *keys);
    gather_linear(&own, 2, MPI_INT, keys, 2, MPI_INT, 0, comm);
    if (is_first)
        group = tell_groups(keys, comm);
    else if (color != MPI_UNDEFINED)
        exchange_receive(&group, (int)sizeof group, MPI_BYTE, 0, TAG_SPLIT, comm,
                         MPI_STATUS_IGNORE);
    free(keys);
    return group;
}

/* ---- By host ---- */

/* One that some ranks of the host have taken, and others have not yet. */
struct host_communicator {
    struct SMPI_Comm *of, *made;
    uint32_t host;
    bool *has_taken; /* by rank in `made` */
    int takers;
};

static VEC(struct host_communicator) host_communicators;

static struct SMPI_Group *members_on_host(const struct SMPI_Comm *comm, uint32_t host) {
    uint32_t *ranks = xmalloc((size_t)comm->group->size * sizeof *ranks);
    int count = 0;
    for (int i = 0; i < comm->group->size; i++) {
        uint32_t member = communicator_member(comm, i);
        if (simulation.ranks[member].host == host)
            ranks[count++] = member;
    }
    return process_group_of(ranks, count);
}

static struct SMPI_Comm *take(struct host_communicator *from) {
    struct SMPI_Comm *made = from->made;
    from->has_taken[communicator_rank(made)] = true;
    if (++from->takers == made->group->size) {
        free(from->has_taken);
        *from = host_communicators.items[--host_communicators.count];
    }
    return made;
}

struct SMPI_Comm *making_on_host(struct SMPI_Comm *comm) {
    uint32_t host = current_rank()->host;
    for (size_t i = 0; i < host_communicators.count; i++) {
        struct host_communicator *known = &host_communicators.items[i];
        if (known->of == comm && known->host == host &&
            !known->has_taken[communicator_rank(known->made)])
            return take(known);
    }
    struct SMPI_Comm *made = communicator_new(members_on_host(comm, host), NULL);
    vec_push(
        &host_communicators,
        (struct host_communicator){.of = comm,
                                   .made = made,
                                   .host = host,
                                   .has_taken = xcalloc((size_t)made->group->size, sizeof(bool))});
    return take(&host_communicators.items[host_communicators.count - 1]);
}

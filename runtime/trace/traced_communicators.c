/* SPDX-License-Identifier: Apache-2.0
 *
 * Communicators of a rank: their numbers in the trace, and who their members are. A communicator is
 * known to all of its members by the same key, without a message: by its members, and by how many
 * with the same ones each of them made before.
 *
 * Not handled: those that join two groups (MPI_Intercomm_create); their messages have no ids.
 */
#include "runtime/trace/traced_parts.h"

#include <stdlib.h>
#include <string.h>

struct same_members {
    struct trace_node node;
    uint32_t count;
};

/* ---- Members ---- */

/* Their ranks in MPI_COMM_WORLD; NULL: out of memory. The caller frees it. */
static int32_t *find_members(MPI_Comm communicator, int size) {
    int *own = malloc(((size_t)size * 2 + 2) * sizeof *own);
    MPI_Group group, world;
    if (own == NULL)
        return NULL;
    for (int i = 0; i < size; i++)
        own[size + i] = i;
    PMPI_Comm_group(communicator, &group);
    PMPI_Comm_group(MPI_COMM_WORLD, &world);
    PMPI_Group_translate_ranks(group, size, own + size, world, own);
    PMPI_Group_free(&group);
    PMPI_Group_free(&world);
    return own;
}

static uint32_t count_same(struct bsim__traced_rank *rank, uint64_t hash) {
    struct same_members *same = (void *)trace_table_find(&rank->same_members, hash);
    if (same != NULL)
        return same->count++;
    same = calloc(1, sizeof *same);
    if (same != NULL && trace_table_add(&rank->same_members, &same->node, hash))
        same->count = 1;
    else
        free(same);
    return 0;
}

/* Of a Cartesian topology; of zeroes: there is none. */
struct traced_dimensions {
    int count;
    const int *of;
};

static void define(struct bsim__traced_communicator *out, struct bsim__traced_rank *rank,
                   MPI_Comm communicator, const struct traced_dimensions *dimensions) {
    struct bsim__traced_run *run = rank->run;
    int32_t *members = find_members(communicator, out->size);
    if (members == NULL)
        return;
    uint64_t hash = trace_members_hash(members, out->size);
    struct trace_communicator one = {.key = trace_communicator_key(hash, count_same(rank, hash)),
                                     .name = communicator == MPI_COMM_WORLD  ? "MPI_COMM_WORLD"
                                             : communicator == MPI_COMM_SELF ? "MPI_COMM_SELF"
                                                                             : "",
                                     .size = out->size,
                                     .members = members,
                                     .dimensions = dimensions->of,
                                     .dimension_count = dimensions->count};
    out->number = run->calls->trace_writer_communicator(run->writer, &one);
    if (out->number >= 0)
        out->members = run->calls->trace_writer_communicator_at(run->writer, out->number)->members;
    free(members);
}

/* All ranks have the same first one, which is not looked at again. */
static void define_world(struct bsim__traced_communicator *out, struct bsim__traced_rank *rank) {
    struct bsim__traced_run *run = rank->run;
    if (run->world == TRACE_NONE) {
        define(out, rank, MPI_COMM_WORLD, &(struct traced_dimensions){0});
        run->world = out->number;
        return;
    }
    const struct trace_communicator *world =
        run->calls->trace_writer_communicator_at(run->writer, run->world);
    out->number = run->world;
    out->members = world->members;
    count_same(rank, trace_members_hash(world->members, world->size));
}

static int add(struct bsim__traced_rank *rank, MPI_Comm communicator, uint64_t handle,
               const struct traced_dimensions *dimensions) {
    if (rank->communicator_count == rank->communicator_capacity) {
        int capacity = rank->communicator_capacity * 2 + 4;
        void *grown = realloc(rank->communicators, (size_t)capacity * sizeof *rank->communicators);
        if (grown == NULL)
            return -1;
        rank->communicators = grown;
        rank->communicator_capacity = capacity;
    }
    struct bsim__traced_communicator *of = &rank->communicators[rank->communicator_count];
    int joins = 0;
    *of = (struct bsim__traced_communicator){.handle = handle, .number = TRACE_NONE};
    PMPI_Comm_size(communicator, &of->size);
    PMPI_Comm_rank(communicator, &of->me);
    PMPI_Comm_test_inter(communicator, &joins);
    if (communicator == MPI_COMM_WORLD)
        define_world(of, rank);
    else if (!joins)
        define(of, rank, communicator, dimensions);
    return rank->communicator_count++;
}

/* ---- Handles ---- */

static int find_or_add(struct bsim__traced_rank *rank, MPI_Comm communicator,
                       const struct traced_dimensions *dimensions) {
    uint64_t handle = bsim__traced_handle(&communicator, sizeof communicator);
    int last = rank->last_communicator;
    if (communicator == MPI_COMM_NULL)
        return -1;
    if (last < rank->communicator_count && rank->communicators[last].handle == handle)
        return last;
    for (int i = rank->communicator_count - 1; i >= 0; i--)
        if (rank->communicators[i].handle == handle)
            return rank->last_communicator = i;
    return add(rank, communicator, handle, dimensions);
}

int bsim__traced_communicator(struct bsim__traced_rank *rank, MPI_Comm communicator) {
    return find_or_add(rank, communicator, &(struct traced_dimensions){0});
}

void bsim__traced_forget(const struct bsim__traced_call *call) {
    const struct bsim__function *function = &bsim__functions[call->id];
    for (int i = 0; function->class == MPI_CLASS_COMMUNICATOR && i < function->parameter_count; i++)
        if (function->parameters[i].role == MPI_ROLE_COMMUNICATOR_INOUT) {
            MPI_Comm communicator = **(MPI_Comm **)call->args[i];
            int index = bsim__traced_communicator(call->rank, communicator);
            if (index >= 0)
                call->rank->communicators[index].handle = UINT64_MAX; /* none has it */
        }
}

static void note_owner(const struct bsim__traced_call *call, int parameter, size_t size) {
    const void *out = bsim__traced_pointer(call, parameter);
    if (out == NULL)
        return;
    struct bsim__traced_request *of = bsim__traced_add(call->rank, bsim__traced_handle(out, size));
    if (of != NULL)
        of->communicator = bsim__traced_communicator_of(call);
}

void bsim__traced_note(const struct bsim__traced_call *call) {
    const struct bsim__traced_kind *kind = bsim__traced_kind(call->rank->run, call->id);
    const MPI_Comm *made = bsim__traced_pointer(call, kind->communicator_out);
    struct traced_dimensions dimensions = {0};
    if (call->id == BSIM__ID_MPI_Cart_create)
        dimensions =
            (struct traced_dimensions){*(int *)call->args[1], *(int *const *)call->args[2]};
    if (made != NULL && *made != MPI_COMM_NULL)
        find_or_add(call->rank, *made, &dimensions);
    note_owner(call, kind->window_out, sizeof(MPI_Win));
    note_owner(call, kind->file_out, sizeof(MPI_File));
}

static int owner(const struct bsim__traced_call *call, int parameter, size_t size) {
    const struct bsim__traced_request *of =
        bsim__traced_find(call->rank, bsim__traced_handle(call->args[parameter], size));
    return of != NULL ? of->communicator : -1;
}

int bsim__traced_communicator_of(const struct bsim__traced_call *call) {
    const struct bsim__traced_kind *kind = bsim__traced_kind(call->rank->run, call->id);
    int index = bsim__functions[call->id].communicator;
    if (index >= 0)
        return bsim__traced_communicator(call->rank, *(MPI_Comm *)call->args[index]);
    if (kind->window >= 0)
        return owner(call, kind->window, sizeof(MPI_Win));
    return kind->file >= 0 ? owner(call, kind->file, sizeof(MPI_File)) : -1;
}

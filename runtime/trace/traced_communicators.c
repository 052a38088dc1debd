/* SPDX-License-Identifier: Apache-2.0
 *
 * Communicators of a rank: their numbers in the trace, and who their members are. A communicator is
 * known to all of its members by the same key, without a message: by the collective call that made
 * it and by its first member; where only some ranks of another one made it (MPI_Comm_create_group),
 * by its members, and by how many with the same ones each of them made before.
 *
 * Not handled: those that join two groups (MPI_Intercomm_create); their messages have no ids.
 */
#include "runtime/trace/traced_parts.h"

#include <stdlib.h>
#include <string.h>

#define MOST_DIMENSIONS 16 /* of a Cartesian topology that is looked at */

struct same_members {
    struct trace_node node;
    uint32_t count;
};

/* ---- Members ---- */

/* The ranks in MPI_COMM_WORLD of these ones of the communicator. */
static void find_in_world(int *out, MPI_Comm communicator, int count, const int *ranks) {
    MPI_Group group, world;
    PMPI_Comm_group(communicator, &group);
    PMPI_Comm_group(MPI_COMM_WORLD, &world);
    PMPI_Group_translate_ranks(group, count, ranks, world, out);
    PMPI_Group_free(&group);
    PMPI_Group_free(&world);
}

/* Their ranks in MPI_COMM_WORLD; NULL: out of memory. The caller frees it. */
static int32_t *find_members(MPI_Comm communicator, int size) {
    int *own = malloc(((size_t)size * 2 + 2) * sizeof *own);
    if (own == NULL)
        return NULL;
    for (int i = 0; i < size; i++)
        own[size + i] = i;
    find_in_world(own, communicator, size, own + size);
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

/* How a new communicator came to be. */
struct traced_origin {
    uint64_t key; /* of the call that made it; 0: not known */
    int dimension_count;
    const int *dimensions;
};

/* Its first member tells it from others that the same call made. */
static uint64_t key_of_call(MPI_Comm communicator, const struct traced_origin *origin) {
    int first = 0, in_world = 0;
    find_in_world(&in_world, communicator, 1, &first);
    return trace_mix(origin->key, (uint64_t)(unsigned)in_world);
}

static uint64_t key_of_members(struct bsim__traced_rank *rank, MPI_Comm communicator,
                               const int32_t *members, int32_t size) {
    uint64_t hash = trace_members_hash(members, size);
    bool is_world = communicator == MPI_COMM_WORLD; /* the only one before which there is none */
    return trace_communicator_key(hash, is_world ? 0 : 1 + count_same(rank, hash));
}

/* All members but the first one that comes find it there, where they are in one process. */
static void define(struct bsim__traced_communicator *out, struct bsim__traced_rank *rank,
                   MPI_Comm communicator, const struct traced_origin *origin) {
    const struct trace_calls *calls = rank->run->calls;
    struct trace_writer *writer = rank->run->writer;
    uint64_t key = origin->key != 0 ? key_of_call(communicator, origin) : 0;
    out->number = key != 0 ? calls->trace_writer_find_communicator(writer, key) : TRACE_NONE;
    int32_t *members = out->number < 0 ? find_members(communicator, out->size) : NULL;
    if (members != NULL) {
        struct trace_communicator one = {
            .key = key != 0 ? key : key_of_members(rank, communicator, members, out->size),
            .name = communicator == MPI_COMM_WORLD  ? "MPI_COMM_WORLD"
                    : communicator == MPI_COMM_SELF ? "MPI_COMM_SELF"
                                                    : "",
            .size = out->size,
            .members = members,
            .dimensions = origin->dimensions,
            .dimension_count = origin->dimension_count};
        out->number = calls->trace_writer_communicator(writer, &one);
        free(members);
    }
    if (out->number >= 0)
        out->members = calls->trace_writer_communicator_at(writer, out->number)->members;
}

/* All ranks have the same first one, which is not looked at again. */
static void define_world(struct bsim__traced_communicator *out, struct bsim__traced_rank *rank) {
    struct bsim__traced_run *run = rank->run;
    if (run->world == TRACE_NONE) {
        define(out, rank, MPI_COMM_WORLD, &(struct traced_origin){0});
        run->world = out->number;
        return;
    }
    out->number = run->world;
    out->members = run->calls->trace_writer_communicator_at(run->writer, run->world)->members;
}

static int add(struct bsim__traced_rank *rank, MPI_Comm communicator, uint64_t handle,
               const struct traced_origin *origin) {
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
        define(of, rank, communicator, origin);
    return rank->communicator_count++;
}

/* ---- Handles ---- */

static int find_or_add(struct bsim__traced_rank *rank, MPI_Comm communicator,
                       const struct traced_origin *origin) {
    uint64_t handle = bsim__traced_handle(&communicator, sizeof communicator);
    int last = rank->last_communicator;
    if (communicator == MPI_COMM_NULL)
        return -1;
    if (last < rank->communicator_count && rank->communicators[last].handle == handle)
        return last;
    for (int i = rank->communicator_count - 1; i >= 0; i--)
        if (rank->communicators[i].handle == handle)
            return rank->last_communicator = i;
    return add(rank, communicator, handle, origin);
}

int bsim__traced_communicator(struct bsim__traced_rank *rank, MPI_Comm communicator) {
    return find_or_add(rank, communicator, &(struct traced_origin){0});
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

/* Also of what MPI_Cart_sub and MPI_Comm_dup make, where MPI knows all topologies. */
static void find_dimensions(struct traced_origin *out, MPI_Comm communicator, int *dimensions) {
    int kind = MPI_UNDEFINED, count = 0, periods[MOST_DIMENSIONS], own[MOST_DIMENSIONS];
    PMPI_Topo_test(communicator, &kind);
    if (kind == MPI_CART)
        PMPI_Cartdim_get(communicator, &count);
    if (count < 1 || count > MOST_DIMENSIONS)
        return;
    PMPI_Cart_get(communicator, count, dimensions, periods, own);
    out->dimension_count = count;
    out->dimensions = dimensions;
}

int32_t bsim__traced_made(const struct bsim__traced_call *call) {
    const struct bsim__traced_kind *kind = bsim__traced_kind(call->rank->run, call->id);
    const MPI_Comm *made = bsim__traced_pointer(call, kind->communicator_out);
    if (made == NULL || *made == MPI_COMM_NULL || kind->request >= 0)
        return TRACE_NONE;
    int index = bsim__traced_communicator(call->rank, *made);
    return index >= 0 ? call->rank->communicators[index].number : TRACE_NONE;
}

void bsim__traced_note(const struct bsim__traced_call *call) {
    const struct bsim__traced_kind *kind = bsim__traced_kind(call->rank->run, call->id);
    const MPI_Comm *made = bsim__traced_pointer(call, kind->communicator_out);
    struct traced_origin origin = {0};
    int dimensions[MOST_DIMENSIONS];
    if (call->collective != 0 && call->communicator >= 0) {
        int32_t parent = call->rank->communicators[call->communicator].number;
        origin.key = trace_mix(
            call->rank->run->calls->trace_writer_communicator_at(call->rank->run->writer, parent)
                ->key,
            call->collective + (1ull << 42));
    }
    if (call->id == BSIM__ID_MPI_Cart_create) {
        origin.dimension_count = *(int *)call->args[1];
        origin.dimensions = *(int *const *)call->args[2];
    }
    if (made != NULL && *made != MPI_COMM_NULL) {
        if (call->rank->run->has_details)
            find_dimensions(&origin, *made, dimensions);
        find_or_add(call->rank, *made, &origin);
    }
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

/* SPDX-License-Identifier: Apache-2.0
 *
 * See packed_call.h. A side is a payload with the parameters behind it: count(s), displacements,
 * datatype(s). It is looked at on this rank or not (MPI 3.1, chapter 5), and has a block for each
 * rank or one.
 *
 * Not handled, and left to SimGrid: more than 2 GB at one side, arguments that MPI forbids.
 */
#include "runtime/collectives/packed_call.h"

#include "runtime/collectives/typed_bytes.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

struct packed_block {
    char *begin; /* where the program has it */
    long count;
    MPI_Datatype type;
    int bytes, offset; /* where it is in what SimGrid is shown */
};

struct side {
    int payload; /* parameters, -1: none */
    int count, displacements, datatype;
    bool is_sent, is_received;
    bool is_nobodys; /* there is nothing to be packed or unpacked */
    int block_count;
    struct packed_block *blocks;
    char *bytes;
    int *counts, *offsets; /* for SimGrid, where it wants them by rank */
    MPI_Datatype *types;
};

struct packed_call {
    struct side out, in;
    int rank, size;
    bool is_in_place; /* the side that is missing is in the other one */
};

/* ---- Which sides there are ---- */

static bool is_payload(enum mpi_role role) {
#define PAYLOAD_OF(role, reads, writes, payload) payload,
    static const bool payloads[] = {MPI_ROLES(PAYLOAD_OF)};
#undef PAYLOAD_OF
    return payloads[role];
}

static bool is_one_of(enum bsim__id id, const enum bsim__id *ids, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (ids[i] == id)
            return true;
    return false;
}
#define IS_ONE_OF(id, ...)                                                                         \
    is_one_of(id, (const enum bsim__id[]){__VA_ARGS__},                                            \
              sizeof((const enum bsim__id[]){__VA_ARGS__}) / sizeof(enum bsim__id))

static bool is_alltoall(enum bsim__id id) {
    return IS_ONE_OF(id, BSIM__ID_MPI_Alltoall, BSIM__ID_MPI_Ialltoall, BSIM__ID_MPI_Alltoallv,
                     BSIM__ID_MPI_Ialltoallv, BSIM__ID_MPI_Alltoallw, BSIM__ID_MPI_Ialltoallw);
}

static bool is_allgather(enum bsim__id id) {
    return IS_ONE_OF(id, BSIM__ID_MPI_Allgather, BSIM__ID_MPI_Iallgather, BSIM__ID_MPI_Allgatherv,
                     BSIM__ID_MPI_Iallgatherv);
}

static bool moves_data(enum bsim__id id) {
    return is_alltoall(id) || is_allgather(id) ||
           IS_ONE_OF(id, BSIM__ID_MPI_Bcast, BSIM__ID_MPI_Ibcast, BSIM__ID_MPI_Gather,
                     BSIM__ID_MPI_Igather, BSIM__ID_MPI_Gatherv, BSIM__ID_MPI_Igatherv,
                     BSIM__ID_MPI_Scatter, BSIM__ID_MPI_Iscatter, BSIM__ID_MPI_Scatterv,
                     BSIM__ID_MPI_Iscatterv);
}

static bool is_at_root_only(enum mpi_role role) {
    return role == MPI_ROLE_PAYLOAD_IN_ROOT || role == MPI_ROLE_PAYLOAD_OUT_ROOT;
}

/* A block for each rank? */
static bool has_blocks(enum bsim__id id, enum mpi_role role) {
    return is_at_root_only(role) || is_alltoall(id) ||
           (is_allgather(id) && role == MPI_ROLE_PAYLOAD_OUT);
}

static struct side side_at(const struct bsim__function *function, int payload) {
    struct side side = {.payload = payload, .count = -1, .displacements = -1, .datatype = -1};
    for (int i = payload + 1;
         i < function->parameter_count && !is_payload(function->parameters[i].role); i++) {
        enum mpi_role role = function->parameters[i].role;
        if (role == MPI_ROLE_COUNT || role == MPI_ROLE_COUNTS)
            side.count = i;
        else if (role == MPI_ROLE_DISPLACEMENTS)
            side.displacements = i;
        else if (role == MPI_ROLE_DATATYPE || role == MPI_ROLE_DATATYPES)
            side.datatype = i;
    }
    return side;
}

static bool reads(enum mpi_role role, bool is_root) {
    return role == MPI_ROLE_PAYLOAD_IN || role == MPI_ROLE_PAYLOAD_IN_ROOT ||
           (role == MPI_ROLE_PAYLOAD_INOUT && is_root);
}

/* Those that are looked at here. */
static void find_sides(struct packed_call *packed, enum bsim__id id, void **args) {
    const struct bsim__function *function = &bsim__functions[id];
    bool is_root = function->root < 0 || *(int *)args[function->root] == packed->rank;
    packed->out.payload = packed->in.payload = -1;
    for (int i = 0; i < function->parameter_count; i++) {
        enum mpi_role role = function->parameters[i].role;
        if (!is_payload(role) || (is_at_root_only(role) && !is_root))
            continue;
        if (*(void **)args[i] == MPI_IN_PLACE) {
            packed->is_in_place = true;
            continue;
        }
        struct side side = side_at(function, i);
        side.block_count = has_blocks(id, role) ? packed->size : 1;
        side.is_sent = reads(role, is_root);
        side.is_received = !side.is_sent;
        *(side.is_sent ? &packed->out : &packed->in) = side;
    }
}

/* ---- What lies where ---- */

static bool is_by_rank(const struct bsim__function *function, const struct side *side) {
    return function->parameters[side->count].role == MPI_ROLE_COUNTS;
}

static MPI_Datatype type_of(const struct bsim__function *function, const struct side *side, int i,
                            void **args) {
    return function->parameters[side->datatype].role == MPI_ROLE_DATATYPES
               ? (*(const MPI_Datatype **)args[side->datatype])[i]
               : *(MPI_Datatype *)args[side->datatype];
}

static long count_of(const struct bsim__function *function, const struct side *side, int i,
                     void **args) {
    return is_by_rank(function, side) ? (*(const int **)args[side->count])[i]
                                      : *(int *)args[side->count];
}

/* Are these arguments that SimGrid does rightly with? */
static bool is_plain(const struct bsim__function *function, const struct side *side, void **args,
                     MPI_Datatype *type) {
    bool has_types = function->parameters[side->datatype].role == MPI_ROLE_DATATYPES;
    for (int i = 0; i < (has_types ? side->block_count : 1); i++) {
        MPI_Datatype own = type_of(function, side, i, args);
        if (own == MPI_DATATYPE_NULL)
            return true; /* an error, which SimGrid tells */
        if (!typed_bytes_is_predefined(own) ||
            (*type != NULL && *type != own && (*type == MPI_BYTE || own == MPI_BYTE)))
            return false;
        *type = own;
    }
    return true;
}

/* By their displacements, in elements or bytes, or one behind the other. */
static MPI_Aint place_of(const struct bsim__function *function, const struct side *side, int i,
                         void **args) {
    MPI_Aint lower, extent = 0;
    if (side->displacements < 0) {
        MPI_Type_get_extent(type_of(function, side, i, args), &lower, &extent);
        return extent * count_of(function, side, i, args) * i;
    }
    int displacement = (*(const int **)args[side->displacements])[i];
    if (function->parameters[side->datatype].role == MPI_ROLE_DATATYPES)
        return displacement;
    MPI_Type_get_extent(type_of(function, side, i, args), &lower, &extent);
    return extent * displacement;
}

/* false: SimGrid is to see it as it is. */
static bool lay_out(struct side *side, const struct bsim__function *function, void **args) {
    long long at = 0;
    if (side->payload < 0)
        return true;
    side->blocks = typed_bytes_memory((size_t)side->block_count * sizeof *side->blocks);
    for (int i = 0; i < side->block_count; i++) {
        struct packed_block *block = &side->blocks[i];
        MPI_Datatype type = type_of(function, side, i, args);
        long count = count_of(function, side, i, args);
        if (count < 0 || type == MPI_DATATYPE_NULL ||
            at + count * (long long)typed_bytes_size(type) > INT_MAX)
            return false;
        *block = (struct packed_block){.begin = *(char **)args[side->payload] +
                                                place_of(function, side, i, args),
                                       .count = count,
                                       .type = type,
                                       .bytes = (int)(count * (long)typed_bytes_size(type)),
                                       .offset = (int)at};
        at += block->bytes;
    }
    return true;
}

/* ---- Bytes ---- */

static void pack(const struct side *side) {
    for (int i = 0; i < side->block_count && !side->is_nobodys; i++)
        typed_bytes_pack(side->bytes + side->blocks[i].offset, side->blocks[i].begin,
                         side->blocks[i].count, side->blocks[i].type);
}

static void unpack(const struct side *side) {
    for (int i = 0; i < side->block_count && !side->is_nobodys; i++)
        typed_bytes_unpack(side->blocks[i].begin, side->bytes + side->blocks[i].offset,
                           side->blocks[i].count, side->blocks[i].type);
}

static size_t all_bytes(const struct side *side) {
    const struct packed_block *last = &side->blocks[side->block_count - 1];
    return (size_t)last->offset + (size_t)last->bytes;
}

static void show_arrays(struct side *side, const struct bsim__function *function, void **args) {
    size_t count = (size_t)side->block_count;
    side->counts = typed_bytes_memory(count * sizeof *side->counts);
    side->offsets = typed_bytes_memory(count * sizeof *side->offsets);
    for (int i = 0; i < side->block_count; i++) {
        side->counts[i] = side->blocks[i].bytes;
        side->offsets[i] = side->blocks[i].offset;
    }
    *(const int **)args[side->count] = side->counts;
    *(const int **)args[side->displacements] = side->offsets;
    if (function->parameters[side->datatype].role != MPI_ROLE_DATATYPES)
        return;
    side->types = typed_bytes_memory(count * sizeof(MPI_Datatype));
    for (int i = 0; i < side->block_count; i++)
        side->types[i] = MPI_BYTE;
    *(const MPI_Datatype **)args[side->datatype] = side->types;
}

static void show(struct side *side, const struct bsim__function *function, void **args) {
    if (side->payload < 0)
        return;
    if (!side->is_nobodys) {
        side->bytes = typed_bytes_memory(all_bytes(side));
        *(void **)args[side->payload] = side->bytes;
    }
    if (function->parameters[side->datatype].role == MPI_ROLE_DATATYPE)
        *(MPI_Datatype *)args[side->datatype] = MPI_BYTE;
    if (is_by_rank(function, side))
        show_arrays(side, function, args);
    else
        *(int *)args[side->count] = side->blocks[0].bytes;
}

/* SimGrid 3.32 frees its copy of what is in place when a nonblocking call returns, though a long
 * message is taken from there later. So it gets a copy of ours, with the same counts. */
static void send_a_copy(struct packed_call *packed, const struct bsim__function *function,
                        void **args) {
    struct side *out = &packed->out, *in = &packed->in;
    *out = side_at(function, 0);
    out->bytes = memcpy(typed_bytes_memory(all_bytes(in)), in->bytes, all_bytes(in));
    *(void **)args[0] = out->bytes;
    memcpy(args[out->count], args[in->count], function->parameters[in->count].size);
    memcpy(args[out->datatype], args[in->datatype], sizeof(void *));
    if (out->displacements >= 0)
        memcpy(args[out->displacements], args[in->displacements], sizeof(void *));
}

static void dispose(struct side *side) {
    free(side->blocks);
    free(side->bytes);
    free(side->counts);
    free(side->offsets);
    free(side->types);
}

/* ---- The call ---- */

static bool is_right_as_it_is(const struct packed_call *packed,
                              const struct bsim__function *function, bool needs_copy, void **args) {
    MPI_Datatype type = NULL;
    const struct side *sides[] = {&packed->out, &packed->in};
    for (int i = 0; i < 2; i++)
        if (sides[i]->payload >= 0 && !is_plain(function, sides[i], args, &type))
            return false;
    return !needs_copy;
}

struct packed_call *packed_call_show(enum bsim__id id, void **args,
                                     bool (*is_nobodys)(const void *memory)) {
    const struct bsim__function *function = &bsim__functions[id];
    struct packed_call found = {0};
    if (!moves_data(id) || *(MPI_Comm *)args[function->communicator] == MPI_COMM_NULL)
        return NULL;
    MPI_Comm_rank(*(MPI_Comm *)args[function->communicator], &found.rank);
    MPI_Comm_size(*(MPI_Comm *)args[function->communicator], &found.size);
    find_sides(&found, id, args);
    bool needs_copy = found.is_in_place && is_alltoall(id) && function->request_out >= 0;
    if (is_right_as_it_is(&found, function, needs_copy, args))
        return NULL;
    if (!lay_out(&found.out, function, args) || !lay_out(&found.in, function, args)) {
        dispose(&found.out);
        dispose(&found.in);
        return NULL;
    }
    struct side *sides[] = {&found.out, &found.in};
    for (int i = 0; i < 2; i++) {
        if (sides[i]->payload >= 0)
            sides[i]->is_nobodys = is_nobodys(*(void **)args[sides[i]->payload]);
        show(sides[i], function, args);
    }
    pack(&found.out);
    if (found.is_in_place)
        pack(&found.in);
    if (needs_copy && !found.in.is_nobodys)
        send_a_copy(&found, function, args);
    struct packed_call *packed = typed_bytes_memory(sizeof *packed);
    *packed = found;
    return packed;
}

void packed_call_finish(struct packed_call *packed, bool has_arrived) {
    if (has_arrived)
        unpack(&packed->in);
    dispose(&packed->out);
    dispose(&packed->in);
    free(packed);
}

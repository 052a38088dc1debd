/* SPDX-License-Identifier: Apache-2.0
 *
 * The arguments and results of a call as words of its record, by role: what has the same value in
 * original and skeleton. So no addresses, requests or payload, and nothing that MPI does not look
 * at (the other side's where a rank is not the root, what stands beside MPI_IN_PLACE).
 */
#include "runtime/simgrid/predefined_names.h"
#include "runtime/smpi/runtime.h"
#include "runtime/smpi/topologies.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HASH_SEED 14695981039346656037ull
#define SHORT_ARRAY 8

static const struct bsim__function *function_of(const struct bsim__call *call) {
    return &bsim__functions[call->id];
}

static long long integer(const struct bsim__call *call, int index) {
    size_t size = function_of(call)->parameters[index].size;
    return size == sizeof(int) ? *(int *)call->args[index] : *(long long *)call->args[index];
}

static void *pointer(const struct bsim__call *call, int index) {
    return *(void **)call->args[index];
}

static uint64_t hash(uint64_t seed, long long value) {
    for (int i = 0; i < 8; i++)
        seed = (seed ^ ((unsigned long long)value >> (8 * i) & 255)) * 1099511628211ull;
    return seed;
}

static MPI_Comm communicator_of(const struct bsim__call *call) {
    int index = function_of(call)->communicator;
    return index >= 0 ? pointer(call, index) : MPI_COMM_NULL;
}

static int communicator_size(const struct bsim__call *call) {
    int size = 0;
    if (communicator_of(call) != MPI_COMM_NULL)
        MPI_Comm_size(communicator_of(call), &size);
    return size;
}

static bool is_root(const struct bsim__call *call) {
    int rank = -1;
    MPI_Comm_rank(communicator_of(call), &rank);
    return rank == integer(call, function_of(call)->root);
}

static long long type_size(MPI_Datatype datatype) {
    int size = 0;
    if (datatype != MPI_DATATYPE_NULL)
        MPI_Type_size(datatype, &size);
    return size;
}

/* ---- What is looked at ---- */

static bool payload_counts(const struct bsim__call *call, int payload) {
    enum mpi_role role = function_of(call)->parameters[payload].role;
    if (pointer(call, payload) == MPI_IN_PLACE)
        return false;
    bool only_root = role == MPI_ROLE_PAYLOAD_IN_ROOT || role == MPI_ROLE_PAYLOAD_OUT_ROOT;
    return !only_root || is_root(call);
}

static bool is_looked_at(const struct bsim__call *call, int index) {
    unsigned owners = function_of(call)->parameters[index].owners;
    if (owners == 0)
        return true;
    for (int i = 0; owners >> i != 0; i++)
        if ((owners & 1u << i) != 0 && payload_counts(call, i))
            return true;
    return false;
}

/* ---- Parts ---- */

static bool is_among_neighbours(const struct bsim__call *call) {
    return strstr(function_of(call)->name, "eighbor_") != NULL;
}

static bool is_sent(const struct bsim__call *call, int index) {
    const struct bsim__function *function = function_of(call);
    int first = 0; /* payload that it belongs to */
    while ((function->parameters[index].owners >> first & 1u) == 0)
        first++;
    return function->parameters[first].role == MPI_ROLE_PAYLOAD_IN;
}

/* Of counts, displacements, datatypes: one for each rank, or neighbour that it is for. */
static int part_count(const struct bsim__call *call, int index) {
    if (is_among_neighbours(call))
        return topologies_neighbour_count(bsim__current_rank(), communicator_of(call),
                                          is_sent(call, index));
    return communicator_size(call);
}

/* ---- Bytes ---- */

/* Of rank `peer`'s part, where there is a datatype for each. */
static long long element_size(const struct bsim__call *call, int datatype, int peer) {
    if (datatype < 0)
        return 1;
    if (function_of(call)->parameters[datatype].role == MPI_ROLE_DATATYPES)
        return type_size(((MPI_Datatype *)pointer(call, datatype))[peer]);
    return type_size(pointer(call, datatype));
}

static double bytes_of(const struct bsim__call *call, int index) {
    const struct bsim__parameter *parameter = &function_of(call)->parameters[index];
    if (parameter->role == MPI_ROLE_COUNT)
        return (double)integer(call, index) * (double)element_size(call, parameter->datatype, 0);
    const int *counts = pointer(call, index);
    double sum = 0;
    for (int i = 0, count = part_count(call, index); i < count; i++)
        sum += (double)counts[i] * (double)element_size(call, parameter->datatype, i);
    return sum;
}

static bool is_count(enum mpi_role role) {
    return role == MPI_ROLE_COUNT || role == MPI_ROLE_COUNTS;
}

double bsim__call_bytes(const struct bsim__call *call) {
    const struct bsim__function *function = function_of(call);
    for (int i = 0; i < function->parameter_count; i++)
        if (is_count(function->parameters[i].role) && is_looked_at(call, i))
            return bytes_of(call, i);
    return 0;
}

double bsim__call_received_bytes(const struct bsim__call *call) {
    const struct bsim__function *function = function_of(call);
    int seen = 0;
    for (int i = 0; i < function->parameter_count; i++)
        if (is_count(function->parameters[i].role) && seen++ > 0 &&
            function->parameters[i].role == MPI_ROLE_COUNTS && is_looked_at(call, i))
            return bytes_of(call, i);
    return 0;
}

/* ---- Handles ---- */

static void text_handle(struct bsim__rank *rank, const char *label,
                        const struct bsim__handles *handles, const void *handle) {
    int index = handle != NULL ? bsim__handle_find(handles, handle) : -1;
    if (index >= 0)
        bsim__text(rank, " %s=%d", label, index);
    else
        bsim__text(rank, " %s=%s", label, handle == NULL ? "null" : "other");
}

static void text_communicator(struct bsim__rank *rank, const char *label, MPI_Comm communicator) {
    if (communicator != MPI_COMM_NULL && communicator == MPI_COMM_SELF)
        bsim__text(rank, " %s=self", label);
    else
        text_handle(rank, label, &rank->communicators, communicator);
}

/* ---- Datatypes, operations, groups ---- */

/* MPI looks at the extent only to get from one element to the next. That of a type over several
 * blocks of memory depends on where these lie, so it is no argument of a message of one element. */
static bool extent_counts(const struct bsim__call *call, int datatype) {
    const struct bsim__function *function = function_of(call);
    for (int i = 0; i < function->parameter_count && function->class == MPI_CLASS_P2P; i++)
        if (function->parameters[i].role == MPI_ROLE_COUNT &&
            function->parameters[i].datatype == datatype)
            return integer(call, i) > 1;
    return true;
}

static void text_datatype(struct bsim__rank *rank, const struct bsim__call *call, int index) {
    const char *label = function_of(call)->parameters[index].label;
    MPI_Datatype datatype = pointer(call, index);
    const char *name = predefined_datatype_name(datatype);
    MPI_Aint lower = 0, extent = 0;
    if (name != NULL) {
        bsim__text(rank, " %s=%s", label, name);
        return;
    }
    MPI_Type_get_extent(datatype, &lower, &extent);
    bsim__text(rank, " %s=derived(%lld", label, type_size(datatype));
    if (extent_counts(call, index))
        bsim__text(rank, ",%lld", (long long)extent);
    bsim__text(rank, ")");
}

static void text_operation(struct bsim__rank *rank, const char *label, MPI_Op operation) {
    const char *name = predefined_operation_name(operation);
    bsim__text(rank, " %s=%s", label, name != NULL ? name : "user");
}

static void text_group(struct bsim__rank *rank, const char *label, MPI_Group group) {
    int size = 0;
    MPI_Group world;
    MPI_Group_size(group, &size);
    int *ranks = bsim__grow(NULL, 0, ((size_t)size * 2 + 1) * sizeof *ranks);
    for (int i = 0; i < size; i++)
        ranks[i] = i;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_translate_ranks(group, size, ranks, world, ranks + size);
    MPI_Group_free(&world);
    uint64_t sum = HASH_SEED;
    for (int i = 0; i < size; i++)
        sum = hash(sum, ranks[size + i]);
    free(ranks);
    bsim__text(rank, " %s=%d#%016llx", label, size, (unsigned long long)sum);
}

/* ---- Numbers ---- */

static void text_rank(struct bsim__rank *rank, const char *label, long long value) {
    if (value == MPI_ANY_SOURCE || value == MPI_ANY_TAG)
        bsim__text(rank, " %s=any", label);
    else if (value == MPI_PROC_NULL)
        bsim__text(rank, " %s=null", label);
    else
        bsim__text(rank, " %s=%lld", label, value);
}

static void text_index(struct bsim__rank *rank, const char *label, int value) {
    if (value == MPI_UNDEFINED)
        bsim__text(rank, " %s=undefined", label);
    else
        bsim__text(rank, " %s=%d", label, value);
}

/* Short arrays as they are, long ones as a hash. */
static void text_array(struct bsim__rank *rank, const char *label, const int *values, int count) {
    uint64_t sum = HASH_SEED;
    bsim__text(rank, " %s=", label);
    if (values == NULL || count <= 0) {
        bsim__text(rank, "none");
        return;
    }
    for (int i = 0; i < count && count <= SHORT_ARRAY; i++)
        bsim__text(rank, "%s%d", i > 0 ? "," : "", values[i]);
    for (int i = 0; i < count; i++)
        sum = hash(sum, values[i]);
    if (count > SHORT_ARRAY)
        bsim__text(rank, "#%016llx", (unsigned long long)sum);
}

static void text_types(struct bsim__rank *rank, const char *label, const MPI_Datatype *types,
                       int count) {
    uint64_t sum = HASH_SEED;
    for (int i = 0; i < count; i++)
        sum = hash(sum, type_size(types[i]));
    bsim__text(rank, " %s=#%016llx", label, (unsigned long long)sum);
}

static void text_counts(struct bsim__rank *rank, const struct bsim__call *call, int index) {
    const char *label = function_of(call)->parameters[index].label;
    text_array(rank, label, pointer(call, index), part_count(call, index));
    bsim__text(rank, " bytes=%.0f", bytes_of(call, index));
}

/* Those in bytes are addresses where there is no buffer. */
static bool are_in_bytes(const struct bsim__call *call) {
    return call->id == BSIM__ID_MPI_Neighbor_alltoallw ||
           call->id == BSIM__ID_MPI_Ineighbor_alltoallw;
}

/* Of the same payload; NULL: it has none. */
static const int *counts_beside(const struct bsim__call *call, int index) {
    const struct bsim__function *function = function_of(call);
    for (int i = 0; i < function->parameter_count; i++)
        if (function->parameters[i].role == MPI_ROLE_COUNTS &&
            (function->parameters[i].owners & function->parameters[index].owners) != 0)
            return pointer(call, i);
    return NULL;
}

/* Those of parts without elements mean nothing, and programs leave there what was. */
static void text_meant(struct bsim__rank *rank, const struct bsim__call *call, int index,
                       int count) {
    const int *counts = counts_beside(call, index), *given = pointer(call, index);
    int *meant = bsim__grow(NULL, 0, ((size_t)count + 1) * sizeof *meant);
    for (int i = 0; i < count && given != NULL; i++)
        meant[i] = counts != NULL && counts[i] == 0 ? 0 : given[i];
    text_array(rank, function_of(call)->parameters[index].label, given != NULL ? meant : NULL,
               count);
    free(meant);
}

static void text_displacements(struct bsim__rank *rank, const struct bsim__call *call, int index) {
    const char *label = function_of(call)->parameters[index].label;
    int count = part_count(call, index);
    uint64_t sum = HASH_SEED;
    if (!are_in_bytes(call)) {
        text_meant(rank, call, index, count);
        return;
    }
    const int *counts = counts_beside(call, index);
    bool relative = pointer(call, is_sent(call, index) ? 0 : 4) != MPI_BOTTOM;
    for (int i = 0; i < count && relative; i++)
        sum = hash(sum, counts != NULL && counts[i] == 0
                            ? 0
                            : ((const MPI_Aint *)pointer(call, index))[i]);
    bsim__text(rank, " %s=#%016llx", label, (unsigned long long)sum);
}

static void text_string(struct bsim__rank *rank, const char *label, const char *text) {
    bsim__text(rank, " %s=", label);
    for (; text != NULL && *text != '\0'; text++) {
        unsigned char c = (unsigned char)*text;
        bsim__text(rank, c <= ' ' || c == '%' || c >= 127 ? "%%%02X" : "%c", c);
    }
}

/* ---- All inputs ---- */

static bool moves_one(enum mpi_class class) {
    return class == MPI_CLASS_P2P || class == MPI_CLASS_PROBE || class == MPI_CLASS_FILE;
}

/* Returned statuses tell who sent; where the program ignores them, the runtime still looks. */
static void catch_status(struct bsim__call *call, int index) {
    MPI_Status **status = call->args[index];
    if (*status == MPI_STATUS_IGNORE && moves_one(function_of(call)->class))
        *status = &call->status;
}

static void text_input(struct bsim__rank *rank, struct bsim__call *call, int index) {
    const struct bsim__parameter *parameter = &function_of(call)->parameters[index];
    const char *label = parameter->label;
    switch (parameter->role) {
    case MPI_ROLE_COUNT:
        bsim__text(rank, " %s=%.0f", label, bytes_of(call, index));
        break;
    case MPI_ROLE_COUNTS:
        text_counts(rank, call, index);
        break;
    case MPI_ROLE_DISPLACEMENTS:
        text_displacements(rank, call, index);
        break;
    case MPI_ROLE_ARRAY_IN:
        text_array(rank, label, pointer(call, index), (int)integer(call, parameter->length));
        break;
    case MPI_ROLE_DATATYPE:
        text_datatype(rank, call, index);
        break;
    case MPI_ROLE_DATATYPES:
        text_types(rank, label, pointer(call, index), part_count(call, index));
        break;
    case MPI_ROLE_OPERATION:
        text_operation(rank, label, pointer(call, index));
        break;
    case MPI_ROLE_GROUP:
        text_group(rank, label, pointer(call, index));
        break;
    case MPI_ROLE_COMMUNICATOR:
        text_communicator(rank, label, pointer(call, index));
        break;
    case MPI_ROLE_COMMUNICATOR_INOUT:
        text_communicator(rank, label, *(MPI_Comm *)pointer(call, index));
        break;
    case MPI_ROLE_WINDOW:
        text_handle(rank, label, &rank->windows, pointer(call, index));
        break;
    case MPI_ROLE_WINDOW_INOUT:
        text_handle(rank, label, &rank->windows, *(void **)pointer(call, index));
        bsim__handle_remove(&rank->windows, *(void **)pointer(call, index));
        break;
    case MPI_ROLE_FILE:
        text_handle(rank, label, &rank->files, pointer(call, index));
        break;
    case MPI_ROLE_FILE_INOUT:
        text_handle(rank, label, &rank->files, *(void **)pointer(call, index));
        bsim__handle_remove(&rank->files, *(void **)pointer(call, index));
        break;
    case MPI_ROLE_PEER:
    case MPI_ROLE_ROOT:
    case MPI_ROLE_TAG:
        text_rank(rank, label, integer(call, index));
        break;
    case MPI_ROLE_VALUE:
    case MPI_ROLE_LENGTH:
        bsim__text(rank, " %s=%lld", label, integer(call, index));
        break;
    case MPI_ROLE_STRING_IN:
        text_string(rank, label, pointer(call, index));
        break;
    case MPI_ROLE_STATUS_OUT:
        catch_status(call, index);
        break;
    default:
        break;
    }
}

void bsim__record_inputs(struct bsim__rank *rank, struct bsim__call *call) {
    for (int i = 0; i < function_of(call)->parameter_count; i++)
        if (is_looked_at(call, i))
            text_input(rank, call, i);
}

/* ---- All outputs ---- */

static void text_neighbours(struct bsim__rank *rank, MPI_Comm communicator) {
    const struct topology *topology = topologies_of(rank, communicator);
    if (topology != NULL && topology->kind != MPI_CART) {
        text_array(rank, "in", topology->sources.ranks, topology->sources.count);
        text_array(rank, "out", topology->destinations.ranks, topology->destinations.count);
    }
}

/* A new one is told by its size and this rank's place in it, too. */
static void text_new_communicator(struct bsim__rank *rank, const char *label, MPI_Comm *out) {
    int size = 0, place = 0;
    if (*out != MPI_COMM_NULL) {
        MPI_Comm_size(*out, &size);
        MPI_Comm_rank(*out, &place);
    }
    text_communicator(rank, label, *out);
    if (*out != MPI_COMM_NULL)
        bsim__text(rank, " size=%d rank=%d", size, place);
    text_neighbours(rank, *out);
}

static void text_status(struct bsim__rank *rank, bool of_file, MPI_Status *status) {
    int bytes = 0;
    MPI_Get_count(status, MPI_BYTE, &bytes);
    if (!of_file) {
        text_rank(rank, "from", status->MPI_SOURCE);
        text_rank(rank, "with", status->MPI_TAG);
    }
    bsim__text(rank, " received=%d", bytes);
}

/* MPI_Waitsome and MPI_Testsome tell the number of indices just before them. */
static void text_indices(struct bsim__rank *rank, const struct bsim__call *call, int index) {
    int count = *(int *)pointer(call, index - 1);
    text_array(rank, "indices", pointer(call, index), count == MPI_UNDEFINED ? 0 : count);
}

static void text_output(struct bsim__rank *rank, struct bsim__call *call, int index) {
    const struct bsim__function *function = function_of(call);
    void *out = pointer(call, index);
    const char *label = function->parameters[index].label;
    if (out == NULL)
        return;
    switch (function->parameters[index].role) {
    case MPI_ROLE_COMMUNICATOR_OUT:
        text_new_communicator(rank, label, out);
        break;
    case MPI_ROLE_WINDOW_OUT:
        bsim__handle_add(&rank->windows, *(void **)out);
        text_handle(rank, label, &rank->windows, *(void **)out);
        break;
    case MPI_ROLE_FILE_OUT:
        bsim__handle_add(&rank->files, *(void **)out);
        text_handle(rank, label, &rank->files, *(void **)out);
        break;
    case MPI_ROLE_FLAG_OUT:
        bsim__text(rank, " %s=%d", label, *(int *)out != 0);
        break;
    case MPI_ROLE_INDEX_OUT:
        text_index(rank, "index", *(int *)out);
        break;
    case MPI_ROLE_INDICES_OUT:
        text_indices(rank, call, index);
        break;
    case MPI_ROLE_STATUS_OUT:
        if (moves_one(function->class) &&
            (function->flag < 0 || *(int *)pointer(call, function->flag) != 0))
            text_status(rank, function->class == MPI_CLASS_FILE, out);
        break;
    default:
        break;
    }
}

void bsim__record_outputs(struct bsim__rank *rank, struct bsim__call *call) {
    const struct bsim__function *function = function_of(call);
    for (int i = 0; i < function->parameter_count; i++)
        if (function->parameters[i].size == sizeof(void *))
            text_output(rank, call, i);
}

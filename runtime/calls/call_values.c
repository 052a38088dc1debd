/* SPDX-License-Identifier: Apache-2.0
 *
 * The arguments and results of a call as words of its record, by role: what has the same value in
 * original and skeleton. So no addresses, requests or payload, and nothing that MPI does not look
 * at (the other side's where a rank is not the root, what stands beside MPI_IN_PLACE).
 */
#include "runtime/calls/call.h"
#include "runtime/calls/predefined_names.h"

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
    return index >= 0 ? *(MPI_Comm *)call->args[index] : MPI_COMM_NULL;
}

static int communicator_size(const struct bsim__call *call) {
    int size = 0;
    if (communicator_of(call) != MPI_COMM_NULL)
        PMPI_Comm_size(communicator_of(call), &size);
    return size;
}

static bool is_root(const struct bsim__call *call) {
    int rank = -1;
    PMPI_Comm_rank(communicator_of(call), &rank);
    return rank == integer(call, function_of(call)->root);
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
        return bsim__neighbour_count(communicator_of(call), is_sent(call, index));
    return communicator_size(call);
}

/* ---- Bytes ---- */

/* Of rank `peer`'s part, where there is a datatype for each. */
static long long element_size(const struct bsim__call *call, int datatype, int peer) {
    if (datatype < 0)
        return 1;
    if (function_of(call)->parameters[datatype].role == MPI_ROLE_DATATYPES)
        return bsim__type_size(((MPI_Datatype *)pointer(call, datatype))[peer]);
    return bsim__type_size(*(MPI_Datatype *)call->args[datatype]);
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

static void text_handle(struct bsim__record *record, const char *label,
                        const struct bsim__handles *handles, const void *handle, bool is_null) {
    int index = is_null ? -1 : bsim__handle_find(handles, handle);
    if (index >= 0)
        bsim__text(record, " %s=%d", label, index);
    else
        bsim__text(record, " %s=%s", label, is_null ? "null" : "other");
}

static void text_communicator(struct bsim__record *record, const char *label,
                              MPI_Comm communicator) {
    if (communicator != MPI_COMM_NULL && communicator == MPI_COMM_SELF)
        bsim__text(record, " %s=self", label);
    else
        text_handle(record, label, &record->known->communicators,
                    bsim__handle_at(&communicator, sizeof communicator),
                    communicator == MPI_COMM_NULL);
}

static void text_window(struct bsim__record *record, const char *label, const MPI_Win *window) {
    text_handle(record, label, &record->known->windows, bsim__handle_at(window, sizeof *window),
                *window == MPI_WIN_NULL);
}

static void text_file(struct bsim__record *record, const char *label, const MPI_File *file) {
    text_handle(record, label, &record->known->files, bsim__handle_at(file, sizeof *file),
                *file == MPI_FILE_NULL);
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

static void text_datatype(struct bsim__record *record, const struct bsim__call *call, int index) {
    const char *label = function_of(call)->parameters[index].label;
    MPI_Datatype datatype = *(MPI_Datatype *)call->args[index];
    const char *name = predefined_datatype_name(datatype);
    MPI_Aint lower = 0, extent = 0;
    if (name != NULL) {
        bsim__text(record, " %s=%s", label, name);
        return;
    }
    PMPI_Type_get_extent(datatype, &lower, &extent);
    bsim__text(record, " %s=derived(%lld", label, bsim__type_size(datatype));
    if (extent_counts(call, index))
        bsim__text(record, ",%lld", (long long)extent);
    bsim__text(record, ")");
}

static void text_operation(struct bsim__record *record, const char *label, MPI_Op operation) {
    const char *name = predefined_operation_name(operation);
    bsim__text(record, " %s=%s", label, name != NULL ? name : "user");
}

static void text_group(struct bsim__record *record, const char *label, MPI_Group group) {
    int size = 0;
    MPI_Group world;
    PMPI_Group_size(group, &size);
    int *ranks = bsim__grow(NULL, 0, ((size_t)size * 2 + 1) * sizeof *ranks);
    for (int i = 0; i < size; i++)
        ranks[i] = i;
    PMPI_Comm_group(MPI_COMM_WORLD, &world);
    PMPI_Group_translate_ranks(group, size, ranks, world, ranks + size);
    PMPI_Group_free(&world);
    uint64_t sum = HASH_SEED;
    for (int i = 0; i < size; i++)
        sum = hash(sum, ranks[size + i]);
    free(ranks);
    bsim__text(record, " %s=%d#%016llx", label, size, (unsigned long long)sum);
}

/* ---- Numbers ---- */

static void text_rank(struct bsim__record *record, const char *label, long long value) {
    if (value == MPI_ANY_SOURCE || value == MPI_ANY_TAG)
        bsim__text(record, " %s=any", label);
    else if (value == MPI_PROC_NULL)
        bsim__text(record, " %s=null", label);
    else
        bsim__text(record, " %s=%lld", label, value);
}

/* It has room for MPI_BSEND_OVERHEAD, which is another one in each MPI. */
static bool is_of_this_mpi(const struct bsim__call *call, const char *label) {
    return call->id == BSIM__ID_MPI_Buffer_attach && strcmp(label, "size") == 0;
}

static void text_index(struct bsim__record *record, const char *label, int value) {
    if (value == MPI_UNDEFINED)
        bsim__text(record, " %s=undefined", label);
    else
        bsim__text(record, " %s=%d", label, value);
}

/* Short arrays as they are, long ones as a hash. */
static void text_array(struct bsim__record *record, const char *label, const int *values,
                       int count) {
    uint64_t sum = HASH_SEED;
    bsim__text(record, " %s=", label);
    if (values == NULL || values == MPI_UNWEIGHTED || count <= 0) {
        bsim__text(record, "none");
        return;
    }
    for (int i = 0; i < count && count <= SHORT_ARRAY; i++)
        bsim__text(record, "%s%d", i > 0 ? "," : "", values[i]);
    for (int i = 0; i < count; i++)
        sum = hash(sum, values[i]);
    if (count > SHORT_ARRAY)
        bsim__text(record, "#%016llx", (unsigned long long)sum);
}

static void text_types(struct bsim__record *record, const char *label, const MPI_Datatype *types,
                       int count) {
    uint64_t sum = HASH_SEED;
    for (int i = 0; i < count; i++)
        sum = hash(sum, bsim__type_size(types[i]));
    bsim__text(record, " %s=#%016llx", label, (unsigned long long)sum);
}

static void text_counts(struct bsim__record *record, const struct bsim__call *call, int index) {
    const char *label = function_of(call)->parameters[index].label;
    text_array(record, label, pointer(call, index), part_count(call, index));
    bsim__text(record, " bytes=%.0f", bytes_of(call, index));
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
static void text_meant(struct bsim__record *record, const struct bsim__call *call, int index,
                       int count) {
    const int *counts = counts_beside(call, index), *given = pointer(call, index);
    int *meant = bsim__grow(NULL, 0, ((size_t)count + 1) * sizeof *meant);
    for (int i = 0; i < count && given != NULL; i++)
        meant[i] = counts != NULL && counts[i] == 0 ? 0 : given[i];
    text_array(record, function_of(call)->parameters[index].label, given != NULL ? meant : NULL,
               count);
    free(meant);
}

static void text_displacements(struct bsim__record *record, const struct bsim__call *call,
                               int index) {
    const char *label = function_of(call)->parameters[index].label;
    int count = part_count(call, index);
    uint64_t sum = HASH_SEED;
    if (!are_in_bytes(call)) {
        text_meant(record, call, index, count);
        return;
    }
    const int *counts = counts_beside(call, index);
    bool relative = pointer(call, is_sent(call, index) ? 0 : 4) != MPI_BOTTOM;
    for (int i = 0; i < count && relative; i++)
        sum = hash(sum, counts != NULL && counts[i] == 0
                            ? 0
                            : ((const MPI_Aint *)pointer(call, index))[i]);
    bsim__text(record, " %s=#%016llx", label, (unsigned long long)sum);
}

static void text_string(struct bsim__record *record, const char *label, const char *text) {
    bsim__text(record, " %s=", label);
    for (; text != NULL && *text != '\0'; text++) {
        unsigned char c = (unsigned char)*text;
        bsim__text(record, c <= ' ' || c == '%' || c >= 127 ? "%%%02X" : "%c", c);
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

static void text_input(struct bsim__record *record, struct bsim__call *call, int index) {
    const struct bsim__parameter *parameter = &function_of(call)->parameters[index];
    const char *label = parameter->label;
    switch (parameter->role) {
    case MPI_ROLE_COUNT:
        bsim__text(record, " %s=%.0f", label, bytes_of(call, index));
        break;
    case MPI_ROLE_COUNTS:
        text_counts(record, call, index);
        break;
    case MPI_ROLE_DISPLACEMENTS:
        text_displacements(record, call, index);
        break;
    case MPI_ROLE_ARRAY_IN:
        text_array(record, label, pointer(call, index), (int)integer(call, parameter->length));
        break;
    case MPI_ROLE_DATATYPE:
        text_datatype(record, call, index);
        break;
    case MPI_ROLE_DATATYPES:
        text_types(record, label, pointer(call, index), part_count(call, index));
        break;
    case MPI_ROLE_OPERATION:
        text_operation(record, label, *(MPI_Op *)call->args[index]);
        break;
    case MPI_ROLE_GROUP:
        text_group(record, label, *(MPI_Group *)call->args[index]);
        break;
    case MPI_ROLE_COMMUNICATOR:
        text_communicator(record, label, *(MPI_Comm *)call->args[index]);
        break;
    case MPI_ROLE_COMMUNICATOR_INOUT:
        text_communicator(record, label, *(MPI_Comm *)pointer(call, index));
        break;
    case MPI_ROLE_WINDOW:
        text_window(record, label, call->args[index]);
        break;
    case MPI_ROLE_WINDOW_INOUT:
        text_window(record, label, pointer(call, index));
        bsim__handle_remove(&record->known->windows,
                            bsim__handle_at(pointer(call, index), sizeof(MPI_Win)));
        break;
    case MPI_ROLE_FILE:
        text_file(record, label, call->args[index]);
        break;
    case MPI_ROLE_FILE_INOUT:
        text_file(record, label, pointer(call, index));
        bsim__handle_remove(&record->known->files,
                            bsim__handle_at(pointer(call, index), sizeof(MPI_File)));
        break;
    case MPI_ROLE_PEER:
    case MPI_ROLE_ROOT:
    case MPI_ROLE_TAG:
        text_rank(record, label, integer(call, index));
        break;
    case MPI_ROLE_VALUE:
    case MPI_ROLE_LENGTH:
        if (!is_of_this_mpi(call, label))
            bsim__text_value(record, label, integer(call, index));
        break;
    case MPI_ROLE_STRING_IN:
        text_string(record, label, pointer(call, index));
        break;
    case MPI_ROLE_STATUS_OUT:
        catch_status(call, index);
        break;
    default:
        break;
    }
}

void bsim__record_inputs(struct bsim__record *record, struct bsim__call *call) {
    for (int i = 0; i < function_of(call)->parameter_count; i++)
        if (is_looked_at(call, i))
            text_input(record, call, i);
}

/* ---- All outputs ---- */

static void text_neighbours(struct bsim__record *record, MPI_Comm communicator) {
    struct bsim__graph_neighbours graph;
    if (communicator == MPI_COMM_NULL || !bsim__graph_neighbours(&graph, communicator))
        return;
    text_array(record, "in", graph.sources, graph.source_count);
    text_array(record, "out", graph.destinations, graph.destination_count);
}

/* A new one is told by its size and this rank's place in it, too. */
static void text_new_communicator(struct bsim__record *record, const char *label, MPI_Comm *out) {
    int size = 0, place = 0;
    if (*out != MPI_COMM_NULL) {
        PMPI_Comm_size(*out, &size);
        PMPI_Comm_rank(*out, &place);
    }
    text_communicator(record, label, *out);
    if (*out != MPI_COMM_NULL)
        bsim__text(record, " size=%d rank=%d", size, place);
    text_neighbours(record, *out);
}

static void text_status(struct bsim__record *record, bool of_file, MPI_Status *status) {
    int bytes = 0;
    PMPI_Get_count(status, MPI_BYTE, &bytes);
    if (!of_file) {
        text_rank(record, "from", status->MPI_SOURCE);
        text_rank(record, "with", status->MPI_TAG);
    }
    bsim__text(record, " received=%d", bytes);
}

/* MPI_Waitsome and MPI_Testsome tell the number of indices just before them. */
static void text_indices(struct bsim__record *record, const struct bsim__call *call, int index) {
    int count = *(int *)pointer(call, index - 1);
    text_array(record, "indices", pointer(call, index), count == MPI_UNDEFINED ? 0 : count);
}

static void text_output(struct bsim__record *record, struct bsim__call *call, int index) {
    const struct bsim__function *function = function_of(call);
    void *out = pointer(call, index);
    const char *label = function->parameters[index].label;
    if (out == NULL)
        return;
    switch (function->parameters[index].role) {
    case MPI_ROLE_COMMUNICATOR_OUT:
        text_new_communicator(record, label, out);
        break;
    case MPI_ROLE_WINDOW_OUT:
        bsim__handle_add(&record->known->windows, bsim__handle_at(out, sizeof(MPI_Win)));
        text_window(record, label, out);
        break;
    case MPI_ROLE_FILE_OUT:
        bsim__handle_add(&record->known->files, bsim__handle_at(out, sizeof(MPI_File)));
        text_file(record, label, out);
        break;
    case MPI_ROLE_FLAG_OUT:
        bsim__text(record, " %s=%d", label, *(int *)out != 0);
        break;
    case MPI_ROLE_INDEX_OUT:
        text_index(record, "index", *(int *)out);
        break;
    case MPI_ROLE_INDICES_OUT:
        text_indices(record, call, index);
        break;
    case MPI_ROLE_STATUS_OUT:
        if (moves_one(function->class) && !call->has_failed &&
            (function->flag < 0 || *(int *)pointer(call, function->flag) != 0))
            text_status(record, function->class == MPI_CLASS_FILE, out);
        break;
    default:
        break;
    }
}

void bsim__record_outputs(struct bsim__record *record, struct bsim__call *call) {
    const struct bsim__function *function = function_of(call);
    for (int i = 0; i < function->parameter_count; i++)
        if (function->parameters[i].size == sizeof(void *))
            text_output(record, call, i);
}

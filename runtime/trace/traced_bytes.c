/* SPDX-License-Identifier: Apache-2.0
 *
 * The bytes of a call's first payload that MPI looks at on this rank: not those that only the root
 * gives, nor what stands beside MPI_IN_PLACE. The same as in simulations
 * (runtime/calls/call_values.c), whose own topologies MPI does not know, and where pairs for
 * MPI_MAXLOC have the size of their struct.
 */
#include "runtime/trace/traced_parts.h"

#include <mpi.h>
#include <stddef.h>
#include <string.h>

struct bytes_call {
    const struct bsim__function *of;
    void *const *args;
};

static MPI_Comm communicator(const struct bytes_call *call) {
    return call->of->communicator >= 0 ? *(MPI_Comm *)call->args[call->of->communicator]
                                       : MPI_COMM_NULL;
}

static bool is_root(const struct bytes_call *call) {
    int rank = -1;
    if (communicator(call) == MPI_COMM_NULL || call->of->root < 0)
        return true;
    PMPI_Comm_rank(communicator(call), &rank);
    return rank == *(const int *)call->args[call->of->root];
}

static bool payload_counts(const struct bytes_call *call, int payload) {
    enum mpi_role role = call->of->parameters[payload].role;
    if (*(void *const *)call->args[payload] == MPI_IN_PLACE)
        return false;
    bool only_root = role == MPI_ROLE_PAYLOAD_IN_ROOT || role == MPI_ROLE_PAYLOAD_OUT_ROOT;
    return !only_root || is_root(call);
}

static bool is_looked_at(const struct bytes_call *call, int parameter) {
    unsigned owners = call->of->parameters[parameter].owners;
    for (int i = 0; owners >> i != 0; i++)
        if ((owners & 1u << i) != 0 && payload_counts(call, i))
            return true;
    return owners == 0;
}

/* Not those whose parts follow each other without a gap. */
static bool is_padded_pair(MPI_Datatype type) {
    return type == MPI_SHORT_INT || type == MPI_LONG_INT || type == MPI_DOUBLE_INT ||
           type == MPI_LONG_DOUBLE_INT;
}

int bsim__traced_type_size(MPI_Datatype type) {
    int size = 1;
    MPI_Aint low = 0, extent = 0;
    if (type == MPI_DATATYPE_NULL)
        return 0;
    if (is_padded_pair(type)) {
        PMPI_Type_get_extent(type, &low, &extent);
        return (int)extent;
    }
    PMPI_Type_size(type, &size);
    return size;
}

static double size_of(const struct bytes_call *call, int datatype, int part) {
    if (datatype < 0)
        return 1;
    MPI_Datatype type = call->of->parameters[datatype].role == MPI_ROLE_DATATYPES
                            ? (*(MPI_Datatype *const *)call->args[datatype])[part]
                            : *(MPI_Datatype *)call->args[datatype];
    return bsim__traced_type_size(type);
}

/* Neighbours that are sent to; of a Cartesian topology two in each direction. */
static int neighbours(MPI_Comm of) {
    int kind = MPI_UNDEFINED, in = 0, out = 0, weighted = 0;
    PMPI_Topo_test(of, &kind);
    if (kind == MPI_CART) {
        PMPI_Cartdim_get(of, &out);
        return 2 * out;
    }
    if (kind == MPI_DIST_GRAPH)
        PMPI_Dist_graph_neighbors_count(of, &in, &out, &weighted);
    return out;
}

static int part_count(const struct bytes_call *call) {
    int size = 0;
    if (communicator(call) == MPI_COMM_NULL)
        return 0;
    if (call->of->pattern == MPI_PATTERN_NEIGHBOURS)
        return neighbours(communicator(call));
    PMPI_Comm_size(communicator(call), &size);
    return size;
}

/* A call with a negative count is an error that the program may handle: it moves nothing. */
static int moved(int count) {
    return count > 0 ? count : 0;
}

static double bytes_of(const struct bytes_call *call, int parameter) {
    const struct bsim__parameter *count = &call->of->parameters[parameter];
    if (count->role == MPI_ROLE_COUNT)
        return moved(*(const int *)call->args[parameter]) * size_of(call, count->datatype, 0);
    const int *counts = *(const int *const *)call->args[parameter];
    double sum = 0;
    for (int i = 0; i < part_count(call); i++)
        sum += moved(counts[i]) * size_of(call, count->datatype, i);
    return sum;
}

static int64_t extent_of(const struct bytes_call *call, int datatype) {
    MPI_Aint low = 0, extent = 0;
    if (datatype < 0)
        return 1;
    MPI_Datatype type = call->of->parameters[datatype].role == MPI_ROLE_DATATYPES
                            ? **(MPI_Datatype *const *)call->args[datatype]
                            : *(MPI_Datatype *)call->args[datatype];
    if (type != MPI_DATATYPE_NULL)
        PMPI_Type_get_extent(type, &low, &extent);
    return extent;
}

static int64_t elements_of(const struct bytes_call *call, int parameter) {
    if (call->of->parameters[parameter].role == MPI_ROLE_COUNT)
        return moved(*(const int *)call->args[parameter]);
    const int *counts = *(const int *const *)call->args[parameter];
    int64_t sum = 0;
    for (int i = 0; i < part_count(call); i++)
        sum += moved(counts[i]);
    return sum;
}

/* The next count behind that parameter; -1: there is none. */
static int next_count(const struct bytes_call *call, int behind) {
    for (int i = behind + 1; i < call->of->parameter_count; i++) {
        enum mpi_role role = call->of->parameters[i].role;
        if ((role == MPI_ROLE_COUNT || role == MPI_ROLE_COUNTS) && is_looked_at(call, i))
            return i;
    }
    return -1;
}

double bsim__traced_call_bytes(enum bsim__id id, void *const *args) {
    struct bytes_call call = {&bsim__functions[id], args};
    int first = next_count(&call, -1);
    return first >= 0 ? bytes_of(&call, first) : 0;
}

struct bsim__traced_payload bsim__traced_payload(enum bsim__id id, void *const *args) {
    struct bytes_call call = {&bsim__functions[id], args};
    struct bsim__traced_payload out = {0};
    int first = next_count(&call, -1), second = first >= 0 ? next_count(&call, first) : -1;
    if (first >= 0) {
        out.bytes = (int64_t)bytes_of(&call, first);
        out.count = elements_of(&call, first);
        out.extent = extent_of(&call, call.of->parameters[first].datatype);
    }
    if (second >= 0)
        out.other_bytes = (int64_t)bytes_of(&call, second);
    return out;
}

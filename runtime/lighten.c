/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes messages that nobody looks at cheap to simulate: what is sent from or received into the
 * scratch buffer goes as bytes instead of a derived datatype (which SMPI would pack block by
 * block, and which may reach to other blocks of memory), and a reduction of it computes nothing.
 * Sizes, and so simulated times, are the same. Linked into skeletons only; calls are recorded as
 * they are written, before this.
 */
#include "runtime/runtime.h"

#include <limits.h>

extern void *bsim__scratch __attribute__((visibility("hidden")));

static void nothing(void *in, void *inout, int *length, MPI_Datatype *datatype) {
    (void)in, (void)inout, (void)length, (void)datatype;
}

static _Thread_local MPI_Op no_operation = MPI_OP_NULL; /* of this rank */

static bool is_scratch(const struct bsim__call *call, int payload) {
    return bsim__scratch != NULL && *(void **)call->args[payload] == bsim__scratch;
}

/* Not those that are looked at on the root only: elsewhere their datatype may be anything. */
static bool is_payload(enum mpi_role role) {
    return role == MPI_ROLE_PAYLOAD_IN || role == MPI_ROLE_PAYLOAD_OUT ||
           role == MPI_ROLE_PAYLOAD_INOUT;
}

/* The payload's count or datatype, unless it is shared with another payload; -1: none. */
static int owned(const struct bsim__function *function, int payload, enum mpi_role role) {
    for (int i = 0; i < function->parameter_count; i++)
        if (function->parameters[i].role == role && function->parameters[i].owners == 1u << payload)
            return i;
    return -1;
}

static bool is_predefined(MPI_Datatype datatype) {
    int integers, addresses, datatypes, combiner = MPI_COMBINER_NAMED;
    if (datatype == MPI_DATATYPE_NULL)
        return true;
    MPI_Type_get_envelope(datatype, &integers, &addresses, &datatypes, &combiner);
    return combiner == MPI_COMBINER_NAMED;
}

/* False: it stays as it is. */
static bool send_as_bytes(struct bsim__call *call, const struct bsim__function *function,
                          int payload) {
    int count = owned(function, payload, MPI_ROLE_COUNT);
    int datatype = owned(function, payload, MPI_ROLE_DATATYPE), size = 0;
    if (count < 0 || datatype < 0 || function->parameters[count].size != sizeof(int))
        return false;
    MPI_Datatype *type = call->args[datatype];
    int *elements = call->args[count];
    if (is_predefined(*type))
        return false;
    MPI_Type_size(*type, &size);
    if (*elements < 0 || (size > 0 && *elements > INT_MAX / size))
        return false;
    *elements *= size;
    *type = MPI_BYTE;
    return true;
}

/* What the call has in this role; -1: nothing. */
static int parameter_of(const struct bsim__function *function, enum mpi_role role) {
    for (int i = 0; i < function->parameter_count; i++)
        if (function->parameters[i].role == role)
            return i;
    return -1;
}

static bool is_root(const struct bsim__call *call, const struct bsim__function *function) {
    int root = parameter_of(function, MPI_ROLE_ROOT), rank = -1;
    int communicator = parameter_of(function, MPI_ROLE_COMMUNICATOR);
    if (root < 0 || communicator < 0 || *(MPI_Comm *)call->args[communicator] == MPI_COMM_NULL)
        return false;
    MPI_Comm_rank(*(MPI_Comm *)call->args[communicator], &rank);
    return rank == *(int *)call->args[root];
}

/* The root's own part of a gather or scatter: SimGrid 3.32 copies it there, and not between bytes
 * and a derived datatype at one address, but returns at once. True if what the root has for all
 * can stay or goes as bytes. */
static bool is_alike_on_root(struct bsim__call *call, const struct bsim__function *function) {
    int all = parameter_of(function, MPI_ROLE_PAYLOAD_OUT_ROOT);
    if (all < 0)
        all = parameter_of(function, MPI_ROLE_PAYLOAD_IN_ROOT);
    if (all < 0 || !is_scratch(call, all) || !is_root(call, function))
        return true;
    return send_as_bytes(call, function, all);
}

static bool is_builtin(MPI_Op operation) {
    const MPI_Op builtin[] = {MPI_MAX,  MPI_MIN,  MPI_SUM, MPI_PROD, MPI_LAND,   MPI_LOR,
                              MPI_LXOR, MPI_BAND, MPI_BOR, MPI_BXOR, MPI_MAXLOC, MPI_MINLOC};
    for (size_t i = 0; i < sizeof builtin / sizeof *builtin; i++)
        if (operation == builtin[i])
            return true;
    return false;
}

static void skip_reduction(struct bsim__call *call, int index) {
    MPI_Op *operation = call->args[index];
    if (!is_builtin(*operation))
        return;
    if (no_operation == MPI_OP_NULL)
        MPI_Op_create(nothing, 1, &no_operation);
    *operation = no_operation;
}

void bsim__lighten(struct bsim__call *call) {
    const struct bsim__function *function = &bsim__functions[call->id];
    bool scratch = false;
    int operation = -1;
    if (bsim__scratch == NULL ||
        (function->class != MPI_CLASS_P2P && function->class != MPI_CLASS_COLLECTIVE))
        return;
    for (int i = 0; i < function->parameter_count; i++) {
        enum mpi_role role = function->parameters[i].role;
        if (role == MPI_ROLE_OPERATION)
            operation = i;
        scratch = scratch || (is_payload(role) && is_scratch(call, i));
    }
    if (operation >= 0 && scratch) {
        skip_reduction(call, operation);
        return;
    }
    if (!scratch || !is_alike_on_root(call, function))
        return;
    for (int i = 0; i < function->parameter_count; i++)
        if (is_payload(function->parameters[i].role) && is_scratch(call, i))
            send_as_bytes(call, function, i);
}

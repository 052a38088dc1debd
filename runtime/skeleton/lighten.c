/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes messages that nobody looks at cheap to simulate: what is sent from or received into the
 * scratch buffer goes as bytes instead of a derived datatype (which SMPI would pack block by
 * block, and which may reach to other blocks of memory), and a reduction of it computes nothing.
 * Sizes, and so simulated times, are the same. Linked into skeletons only; calls are recorded as
 * they are written, before this.
 */
#include "runtime/smpi/runtime.h"

#include <limits.h>

#define PARTED_BYTES 64 /* contents do not matter: what is copied may overlap */

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

/* `always`: also what is of a predefined datatype. */
static void send_as_bytes(struct bsim__call *call, const struct bsim__function *function,
                          int payload, bool always) {
    int count = owned(function, payload, MPI_ROLE_COUNT);
    int datatype = owned(function, payload, MPI_ROLE_DATATYPE), size = 0;
    if (count < 0 || datatype < 0 || function->parameters[count].size != sizeof(int))
        return;
    MPI_Datatype *type = call->args[datatype];
    int *elements = call->args[count];
    if (*type == MPI_DATATYPE_NULL || (!always && is_predefined(*type)))
        return;
    MPI_Type_size(*type, &size);
    if (*elements < 0 || (size > 0 && *elements > INT_MAX / size))
        return;
    *elements *= size;
    *type = MPI_BYTE;
}

/* The scratch buffer that is sent from or received into (`out`), also by the root alone; -1: none
 * is.
 */
static int side_of(const struct bsim__call *call, const struct bsim__function *function, bool out) {
    for (int i = 0; i < function->parameter_count; i++) {
        enum mpi_role role = function->parameters[i].role;
        bool is_side = out ? role == MPI_ROLE_PAYLOAD_OUT || role == MPI_ROLE_PAYLOAD_OUT_ROOT
                           : role == MPI_ROLE_PAYLOAD_IN || role == MPI_ROLE_PAYLOAD_IN_ROOT;
        if (is_side && is_scratch(call, i))
            return i;
    }
    return -1;
}

static MPI_Datatype datatype_of(const struct bsim__call *call,
                                const struct bsim__function *function, int payload) {
    for (int i = 0; i < function->parameter_count; i++)
        if (function->parameters[i].role == MPI_ROLE_DATATYPE &&
            (function->parameters[i].owners >> payload & 1u) != 0)
            return *(MPI_Datatype *)call->args[i];
    return MPI_DATATYPE_NULL;
}

/* What a rank sends to itself SimGrid 3.32 does not copy if it is at one address, but compares the
 * two counts, whatever the datatypes are, and may fail, which nobody notices. So both sides go as
 * bytes, or lie apart. */
static void part_sides(struct bsim__call *call, const struct bsim__function *function) {
    int out = side_of(call, function, true), in = out >= 0 ? side_of(call, function, false) : -1;
    if (in < 0)
        return;
    int other = datatype_of(call, function, in) == MPI_BYTE ? out : in;
    if (datatype_of(call, function, in + out - other) == MPI_BYTE &&
        is_payload(function->parameters[other].role))
        send_as_bytes(call, function, other, true);
    if (datatype_of(call, function, in) != datatype_of(call, function, out))
        *(char **)call->args[out] += PARTED_BYTES;
}

static bool is_builtin(MPI_Op operation) {
    const MPI_Op builtin[] = {MPI_MAX,  MPI_MIN,  MPI_SUM, MPI_PROD, MPI_LAND,   MPI_LOR,
                              MPI_LXOR, MPI_BAND, MPI_BOR, MPI_BXOR, MPI_MAXLOC, MPI_MINLOC};
    for (size_t i = 0; i < sizeof builtin / sizeof *builtin; i++)
        if (operation == builtin[i])
            return true;
    return false;
}

/* The engine knows scratch memory (scratch.c): it copies nothing from or into it, and leaves out
 * such a reduction by itself. */
void bsim__engine_scratch(void *begin, size_t bytes) __attribute__((weak));

static void skip_reduction(struct bsim__call *call, int index) {
    MPI_Op *operation = call->args[index];
    if (!is_builtin(*operation) || bsim__engine_scratch != NULL)
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
    if (function->class == MPI_CLASS_P2P && bsim__engine_scratch != NULL)
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
    for (int i = 0; i < function->parameter_count; i++)
        if (is_payload(function->parameters[i].role) && is_scratch(call, i))
            send_as_bytes(call, function, i, false);
    if (function->class == MPI_CLASS_COLLECTIVE)
        part_sides(call, function);
}

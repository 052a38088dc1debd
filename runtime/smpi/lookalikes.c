/* SPDX-License-Identifier: Apache-2.0
 *
 * SimGrid 3.32 ends a program with MPI_ERR_TYPE where sender and receiver name two datatypes for
 * the same elements, such as MPI_LONG and MPI_INT64_T, or MPI_2INT and two MPI_INT. No other MPI
 * compares them. So SimGrid is given one datatype for all that look alike
 * (mpi/representations.def), and for pairs one that it takes for derived, which it does not
 * compare. What does not look alike still ends the program: the skeleton was made without such
 * messages in mind.
 *
 * Where a program sends from MPI_BOTTOM, SimGrid is shown a datatype that is right from there
 * (runtime/simgrid/bottom.h).
 *
 * Calls are recorded before, as the program makes them. Reductions keep their datatypes, by which
 * operations go. Not handled: arrays of datatypes (MPI_Alltoallw).
 */
#include "runtime/smpi/lookalikes.h"

#include "runtime/simgrid/bottom.h"

#define BSIM_NO_MACROS
#include "bsim_calls.h"

struct lookalikes_row {
    MPI_Datatype of[16]; /* ends with NULL */
};

static MPI_Datatype representative(MPI_Datatype datatype) {
#define MPI_REPRESENTATION(...) {{__VA_ARGS__}},
    static const struct lookalikes_row rows[] = {
#include "mpi/representations.def"
    };
#undef MPI_REPRESENTATION
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int k = 0; rows[i].of[k] != NULL; k++)
            if (rows[i].of[k] == datatype)
                return rows[i].of[0];
    return datatype;
}

static MPI_Datatype pair_of(MPI_Datatype datatype) {
    static const MPI_Datatype pairs[LOOKALIKES_PAIRS] = {
        MPI_FLOAT_INT, MPI_DOUBLE_INT, MPI_LONG_INT, MPI_SHORT_INT, MPI_2INT, MPI_LONG_DOUBLE_INT};
    for (int i = 0; i < LOOKALIKES_PAIRS; i++) {
        MPI_Datatype *made = &bsim__current_rank()->pairs[i];
        if (pairs[i] != datatype)
            continue;
        if (*made == NULL) {
            MPI_Type_contiguous(1, datatype, made);
            MPI_Type_commit(made);
        }
        return *made;
    }
    return datatype;
}

/* Bytes match anything in SimGrid, too, and MPI_DATATYPE_NULL stays for SimGrid to see. */
static MPI_Datatype shown(MPI_Datatype datatype) {
    if (datatype == MPI_BYTE || datatype == MPI_DATATYPE_NULL)
        return datatype;
    MPI_Datatype one = representative(datatype);
    return one != datatype ? one : pair_of(datatype);
}

static bool moves_elements(const struct bsim__function *function) {
    bool moves = function->class == MPI_CLASS_P2P || function->class == MPI_CLASS_COLLECTIVE ||
                 function->class == MPI_CLASS_RMA;
    return moves && function->datatype >= 0 && function->operation < 0;
}

/* The engine, which does not compare datatypes, defines it. */
void bsim__engine_scratch(void *begin, size_t bytes) __attribute__((weak));

static bool compares_datatypes(void) {
    return bsim__engine_scratch == NULL;
}

/* Of the datatype of a payload that begins at MPI_BOTTOM. */
static void shift(struct bsim__call *call, int datatype, int payload) {
    MPI_Datatype *given = call->args[datatype], shifted = bottom_shifted(*given);
    if (shifted == NULL)
        return;
    *given = call->shifted[call->shifted[0] == NULL ? 0 : 1] = shifted;
    *(void **)call->args[payload] = BOTTOM_SHOWN;
}

static void show_bottom(struct bsim__call *call, const struct bsim__function *function) {
    for (int i = 0; i < function->parameter_count; i++) {
        unsigned payloads = function->parameters[i].owners;
        bool is_datatype = function->parameters[i].role == MPI_ROLE_DATATYPE;
        for (int k = 0; is_datatype && payloads >> k != 0; k++)
            if ((payloads & 1u << k) != 0 && *(void **)call->args[k] == MPI_BOTTOM)
                shift(call, i, k);
    }
}

void bsim__lookalikes_forget(struct bsim__call *call) {
    for (int i = 0; i < 2; i++)
        if (call->shifted[i] != NULL)
            PMPI_Type_free(&call->shifted[i]);
}

static bool is_payload(enum mpi_role role) {
#define PAYLOAD_OF(role, reads, writes, payload) payload,
    static const bool payloads[] = {MPI_ROLES(PAYLOAD_OF)};
#undef PAYLOAD_OF
    return payloads[role];
}

static bool begins_at_bottom(const struct bsim__call *call, const struct bsim__function *function) {
    for (int i = 0; i < function->parameter_count; i++)
        if (is_payload(function->parameters[i].role) && *(void **)call->args[i] == MPI_BOTTOM)
            return true;
    return false;
}

void bsim__lookalikes_show(struct bsim__call *call) {
    const struct bsim__function *function = &bsim__functions[call->id];
    if (!moves_elements(function))
        return;
    if (begins_at_bottom(call, function))
        show_bottom(call, function);
    for (int i = 0; i < function->parameter_count && compares_datatypes(); i++)
        if (function->parameters[i].role == MPI_ROLE_DATATYPE)
            *(MPI_Datatype *)call->args[i] = shown(*(MPI_Datatype *)call->args[i]);
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Handles that a rank has made, in the order in which it made them.
 *
 * The record numbers communicators, windows and files by them. And programs written for MPICH,
 * whose handles are ints, keep communicators in ints: of SimGrid's, which are pointers, only the
 * lower half survives that, and here the whole is found again. Not handled: other handles in ints,
 * and an int without four bytes to spare behind it, since MPI writes all of a new communicator
 * there.
 */
#include "runtime/smpi/replaced.h"
#include "runtime/smpi/runtime.h"

#define BSIM_NO_MACROS
#include "bsim_calls.h"

#include <string.h>

static bool is_int(const void *handle) {
    return (intptr_t)handle == (int32_t)(intptr_t)handle;
}

MPI_Comm bsim__communicator(MPI_Comm communicator) {
    void *found = NULL;
    if (communicator == MPI_COMM_NULL || !is_int(communicator))
        return communicator;
    const struct bsim__handles *known = &bsim__current_rank()->record.known->communicators;
    for (int i = 0; i < known->count; i++)
        if ((int32_t)(intptr_t)known->items[i] == (int32_t)(intptr_t)communicator) {
            if (found != NULL && found != known->items[i])
                return communicator; /* two with the same half */
            found = known->items[i];
        }
    return found != NULL ? found : communicator;
}

void bsim__handles_restore(struct bsim__call *call) {
    int index = bsim__functions[call->id].communicator;
    if (index >= 0)
        *(MPI_Comm *)call->args[index] = bsim__communicator(*(MPI_Comm *)call->args[index]);
}

/* ---- Attributes of MPI_COMM_SELF ---- */

/* MPI_Finalize first deletes them, the last that was set first, and their functions may still
 * communicate (MPI 3.1, section 8.7.1). SimGrid 3.32 calls these when that is an error. So they are
 * deleted here before. */

/* No key is NULL, which is a place without one. */
static void *item_of(int key) {
    return (void *)((intptr_t)key + 1);
}

void bsim__self_attributes_note(struct bsim__rank *rank, const struct bsim__call *call) {
    bool sets = call->id == BSIM__ID_MPI_Comm_set_attr || call->id == BSIM__ID_MPI_Attr_put;
    bool deletes =
        call->id == BSIM__ID_MPI_Comm_delete_attr || call->id == BSIM__ID_MPI_Attr_delete;
    if ((!sets && !deletes) || *(MPI_Comm *)call->args[0] != MPI_COMM_SELF)
        return;
    void *item = item_of(*(int *)call->args[1]);
    bsim__handle_remove(&rank->self_attributes, item);
    if (sets)
        bsim__handle_add(&rank->self_attributes, item);
}

void bsim__self_attributes_delete(struct bsim__rank *rank) {
    struct bsim__handles *keys = &rank->self_attributes;
    while (keys->count > 0) {
        void *item = keys->items[--keys->count];
        if (item != NULL)
            MPI_Comm_delete_attr(MPI_COMM_SELF, (int)((intptr_t)item - 1));
    }
}

/* ---- Local functions ---- */

/* No rank of a simulation has been spawned by another program. */
int bsim__MPI_Comm_get_parent(MPI_Comm *parent) {
    *parent = MPI_COMM_NULL;
    return MPI_SUCCESS;
}

#define BSIM__LOCALS
#include "bsim_table.h"

/* ---- Handles as integers of Fortran, and back (MPI-3.1, 17.2.4) ---- */

/* Its place in the rank's table, counted from 1. Those that the runtime has of its own are in it,
 * too; 0 is the null handle, for all of them are NULL in SimGrid's mpi.h. A status is its members
 * in their order. Not handled: Fortran that calls MPI with them. */
static MPI_Fint to_fortran(void *handle) {
    struct bsim__handles *known = &bsim__current_rank()->in_fortran;
    int index = handle != NULL ? bsim__handle_find(known, handle) : -1;
    if (handle == NULL)
        return 0;
    return (index >= 0 ? index : bsim__handle_add(known, handle)) + 1;
}

static void *from_fortran(MPI_Fint number) {
    const struct bsim__handles *known = &bsim__current_rank()->in_fortran;
    return number >= 1 && number <= known->count ? known->items[number - 1] : NULL;
}

#define BSIM__CONVERT(kind, type)                                                                  \
    MPI_Fint bsim__MPI_##kind##_c2f(type handle) {                                                 \
        return to_fortran(handle);                                                                 \
    }                                                                                              \
    type bsim__MPI_##kind##_f2c(MPI_Fint number) {                                                 \
        return from_fortran(number);                                                               \
    }
BSIM__CONVERT(Type, MPI_Datatype)
BSIM__CONVERT(Op, MPI_Op)
BSIM__CONVERT(Group, MPI_Group)
BSIM__CONVERT(Request, MPI_Request)
BSIM__CONVERT(Info, MPI_Info)
BSIM__CONVERT(Win, MPI_Win)
BSIM__CONVERT(Errhandler, MPI_Errhandler)
BSIM__CONVERT(File, MPI_File)
BSIM__CONVERT(Message, MPI_Message)

MPI_Fint bsim__MPI_Comm_c2f(MPI_Comm handle) {
    return to_fortran(bsim__communicator(handle));
}

MPI_Comm bsim__MPI_Comm_f2c(MPI_Fint number) {
    return from_fortran(number);
}

_Static_assert(sizeof(MPI_Status) == MPI_STATUS_SIZE * sizeof(MPI_Fint), "members are integers");

int bsim__MPI_Status_c2f(MPI_Status *c_status, MPI_Fint *f_status) {
    memcpy(f_status, c_status, sizeof *c_status);
    return MPI_SUCCESS;
}

int bsim__MPI_Status_f2c(MPI_Fint *f_status, MPI_Status *c_status) {
    memcpy(c_status, f_status, sizeof *c_status);
    return MPI_SUCCESS;
}

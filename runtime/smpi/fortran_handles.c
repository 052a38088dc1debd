/* SPDX-License-Identifier: Apache-2.0
 *
 * Handles as integers of Fortran and back (MPI-3.1, 17.2.4), for all kinds, those that the runtime
 * has of its own included. A handle's integer is its place in the rank's table, counted from 1; 0
 * is the null handle, for all of them are NULL in SimGrid's mpi.h. A status is its members in their
 * order. Not handled: Fortran that calls MPI with them.
 */
#include "runtime/smpi/replaced.h"
#include "runtime/smpi/runtime.h"

#include <string.h>

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

/* SPDX-License-Identifier: Apache-2.0
 *
 * MPI's functions by their own names: those of the profiling interface do the work, so that a
 * program may have a layer in between. Those that the engine lacks (lacking_calls.c) say so when
 * they are called.
 *
 * Where one fails, the error handler of the communicator or window among its arguments is called,
 * that of MPI_COMM_WORLD if there is none, as with SMPI.
 */
#include "engine/mpi/windows.h"
#include "engine/objects/failure.h"
#include "mpi/sequence.h"

#include <mpi.h>
#include <stdint.h>

struct failed_call {
    MPI_Comm comm;
    MPI_Win win;
};

static inline void note_comm(struct failed_call *out, const void *argument) {
    out->comm = *(MPI_Comm const *)argument;
}

static inline void note_win(struct failed_call *out, const void *argument) {
    out->win = *(MPI_Win const *)argument;
}

static inline void note_other(struct failed_call *out, const void *argument) {
    (void)out, (void)argument;
}

/* Only what is given as it is: a pointer to one is an output, or NULL. */
#define NOTE(name)                                                                                 \
    _Generic((name), MPI_Comm: note_comm, MPI_Win: note_win, default: note_other)(&failed, &name);

#define NOTES(sequence) MPI_SEQUENCE_END(NOTES_A sequence)
#define NOTES_A(role, type, name) NOTE(name) NOTES_B
#define NOTES_B(role, type, name) NOTE(name) NOTES_A
#define NOTES_A_END
#define NOTES_B_END

static void fail(const struct failed_call *call, int code, const char *name) {
    MPI_Win win = call->win;
    if (win != MPI_WIN_NULL)
        failure_handle(win->handler, &win, code, name);
    else
        failure_of_communicator(call->comm != MPI_COMM_NULL ? call->comm : MPI_COMM_WORLD, code,
                                name);
}

#define IS_CODE(value) _Generic((value), int: 1, default: 0)

#define MPI_ROW(name, class, criterion, support, result, sequence, ...)                            \
    result name(MPI_PROTOTYPE(sequence)) {                                                         \
        result got = P##name(MPI_ARGUMENTS(sequence));                                             \
        if (IS_CODE(got) && got != MPI_SUCCESS) {                                                  \
            struct failed_call failed = {MPI_COMM_NULL, MPI_WIN_NULL};                             \
            NOTES(sequence)                                                                        \
            fail(&failed, (int)(intptr_t)got, #name);                                              \
        }                                                                                          \
        return got;                                                                                \
    }
#define MPI_ROW_VARIADIC(name, class, criterion, support, result, sequence, ...)

#include "mpi/calls.def"

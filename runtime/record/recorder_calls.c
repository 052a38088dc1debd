/* SPDX-License-Identifier: Apache-2.0
 *
 * A function for each of MPI's that is recorded, from mpi/calls_of_traffic.def, by both of its
 * names. MPI's own is found behind this library by its name with PMPI_. Functions of Fortran need
 * none of their own: MPI's library for Fortran calls those of C by one name or the other. Where
 * MPI, or a tool beside this one, calls one function within another, only the outer one is
 * recorded.
 */
#include "mpi/sequence.h"
#include "runtime/record/recorder.h"

#include <mpi.h>

#pragma GCC diagnostic ignored "-Wattribute-alias" /* MPI's own headers differ in a `const` */
#define BOTH_NAMES(name)                                                                           \
    extern __typeof__(P##name) P##name __attribute__((alias("bsim__record_" #name)));              \
    extern __typeof__(name) name __attribute__((alias("bsim__record_" #name)));

#define HERE                                                                                       \
    ((struct bsim__record_caller){(uint64_t)(uintptr_t)__builtin_return_address(0),                \
                                  (uint64_t)(uintptr_t)__builtin_frame_address(0)})

#define RECORDED(name, sequence)                                                                   \
    int bsim__record_##name(MPI_PROTOTYPE(sequence));                                              \
    int bsim__record_##name(MPI_PROTOTYPE(sequence)) {                                             \
        static __typeof__(&P##name) bsim_real;                                                     \
        if (bsim_real == NULL)                                                                     \
            bsim__record_find(&bsim_real, "P" #name);                                              \
        void *bsim_args[] = {MPI_ADDRESSES(sequence) NULL};                                        \
        struct bsim__record_call bsim_call;                                                        \
        if (!bsim__record_enter(&bsim_call, BSIM__ID_##name, bsim_args, HERE))                     \
            return bsim_real(MPI_ARGUMENTS(sequence));                                             \
        int bsim_result = bsim_real(MPI_ARGUMENTS(sequence));                                      \
        bsim__record_leave(&bsim_call, bsim_result != MPI_SUCCESS);                                \
        return bsim_result;                                                                        \
    }                                                                                              \
    BOTH_NAMES(name)

#define WRAP_P2P RECORDED
#define WRAP_COMPLETION RECORDED
#define WRAP_PROBE RECORDED
#define WRAP_COLLECTIVE RECORDED
#define WRAP_FILE RECORDED
#define WRAP_REQUEST RECORDED
#define WRAP_COMMUNICATOR RECORDED
#define WRAP_TOPOLOGY RECORDED
#define WRAP_RMA RECORDED

/* Lines only (recorder_lines.c): they are no events of a trace. */
#define WRAP_ENVIRONMENT RECORDED
#define WRAP_QUERY RECORDED
#define WRAP_DATATYPE RECORDED
#define WRAP_ATTRIBUTE RECORDED
#define WRAP_INFO RECORDED

#include "mpi/calls_of_traffic.def"

/* ---- Start and end ---- */

int bsim__record_MPI_Init(int *argc, char ***argv);
int bsim__record_MPI_Init(int *argc, char ***argv) {
    static __typeof__(&PMPI_Init) real;
    void *args[] = {&argc, &argv, NULL};
    if (real == NULL)
        bsim__record_find(&real, "PMPI_Init");
    struct bsim__record_call call;
    bool has_line = bsim__record_enter(&call, BSIM__ID_MPI_Init, args, HERE);
    int result = real(argc, argv);
    if (has_line)
        bsim__record_leave(&call, false);
    else if (result == MPI_SUCCESS)
        bsim__record_start();
    return result;
}
BOTH_NAMES(MPI_Init)

int bsim__record_MPI_Init_thread(int *argc, char ***argv, int required, int *provided);
int bsim__record_MPI_Init_thread(int *argc, char ***argv, int required, int *provided) {
    static __typeof__(&PMPI_Init_thread) real;
    void *args[] = {&argc, &argv, &required, &provided, NULL};
    if (real == NULL)
        bsim__record_find(&real, "PMPI_Init_thread");
    struct bsim__record_call call;
    bool has_line = bsim__record_enter(&call, BSIM__ID_MPI_Init_thread, args, HERE);
    int result = real(argc, argv, required, provided);
    if (has_line)
        bsim__record_leave(&call, false);
    else if (result == MPI_SUCCESS)
        bsim__record_start();
    return result;
}
BOTH_NAMES(MPI_Init_thread)

/* Told before MPI ends: a rank that is done first, and returns another code than 0, has mpirun end
 * all others. */
int bsim__record_MPI_Finalize(void);
int bsim__record_MPI_Finalize(void) {
    static __typeof__(&PMPI_Finalize) real;
    struct bsim__record_call call;
    void *args[] = {NULL};
    if (real == NULL)
        bsim__record_find(&real, "PMPI_Finalize");
    bool is_recorded = bsim__record_enter(&call, BSIM__ID_MPI_Finalize, args, HERE);
    bool ends_late = is_recorded && call.has_line && bsim__lines_end_late();
    if (is_recorded && !ends_late)
        bsim__record_leave(&call, false);
    bsim__record_finish();
    int result = real();
    if (ends_late)
        bsim__record_leave(&call, false);
    return result;
}
BOTH_NAMES(MPI_Finalize)

int bsim__record_MPI_Abort(MPI_Comm communicator, int code);
int bsim__record_MPI_Abort(MPI_Comm communicator, int code) {
    static __typeof__(&PMPI_Abort) real;
    struct bsim__record_call call;
    void *args[] = {&communicator, &code, NULL};
    if (real == NULL)
        bsim__record_find(&real, "PMPI_Abort");
    if (bsim__record_enter(&call, BSIM__ID_MPI_Abort, args, HERE) && !call.has_line)
        bsim__record_leave(&call, false);
    bsim__record_flush();
    return real(communicator, code);
}
BOTH_NAMES(MPI_Abort)

/* SPDX-License-Identifier: Apache-2.0
 *
 * bsim_MPI_X for each function that has to appear in a skeleton, made from mpi/calls.def: keep
 * pointers to the arguments, then MPI's own function between bsim__enter and bsim__leave. Those
 * may replace an argument (a status that the program ignores), since what is passed on is read
 * after them.
 */
#include "mpi/sequence.h"
#include "runtime/smpi/composites.h"
#include "runtime/smpi/io.h"
#include "runtime/smpi/kept_topologies.h"
#include "runtime/smpi/lookalikes.h"
#include "runtime/smpi/replaced.h"
#include "runtime/smpi/runtime.h"

#define BSIM_NO_MACROS
#include "bsim_calls.h"

/* A rank would be charged for what all others compute meanwhile (when computation is simulated at
 * all). */
static void bsim__pause_timer(const struct bsim__call *call) {
    if ((bsim__functions[call->id].facts & MPI_IS_UNTIMED) != 0)
        smpi_bench_end();
}

static void bsim__resume_timer(const struct bsim__call *call) {
    if ((bsim__functions[call->id].facts & MPI_IS_UNTIMED) != 0)
        smpi_bench_begin();
}

/* SimGrid 3.32 leaves the flag alone where there is no request and the status is ignored; what
 * waits for it (HPCC) waits forever. */
static void bsim__tell_nothing_to_wait_for(const struct bsim__call *call) {
    if (call->id != BSIM__ID_MPI_Test)
        return;
    const MPI_Request *request = *(MPI_Request *const *)call->args[0];
    int *flag = *(int *const *)call->args[1];
    if (*request == MPI_REQUEST_NULL)
        *flag = 1;
}

/* SimGrid 3.32 gives MPI_THREAD_SINGLE. Programs that ask for more and compute in threads, but
 * communicate in one, would end with an error where the computation that is left needs none. */
static void bsim__give_threads(const struct bsim__call *call) {
    if (call->id == BSIM__ID_MPI_Init_thread && *(int **)call->args[3] != NULL)
        **(int **)call->args[3] = *(const int *)call->args[2];
}

static void bsim__know_world(const struct bsim__call *call) {
    if ((call->id == BSIM__ID_MPI_Init || call->id == BSIM__ID_MPI_Init_thread) &&
        bsim__replace_worlds != NULL)
        bsim__replace_worlds();
}

/* Who makes the call: SimGrid, or the runtime by a function of its own with the same arguments. */
#define CALLEE_YES(name) name
#define CALLEE_NO(name) name
#define CALLEE_RUNTIME(name) bsim__##name

#define WRAP_CRITERION(name, support, result, sequence)                                            \
    result bsim_##name(const char *bsim_file, int bsim_line MPI_PARAMETERS(sequence)) {            \
        void *bsim_args[] = {MPI_ADDRESSES(sequence) NULL};                                        \
        struct bsim__call bsim_call = {                                                            \
            .id = BSIM__ID_##name, .file = bsim_file, .line = bsim_line, .args = bsim_args};       \
        bsim__enter(&bsim_call);                                                                   \
        bsim__kept_topologies_forget(&bsim_call);                                                  \
        bsim__windows_enter(&bsim_call);                                                           \
        bsim__lookalikes_show(&bsim_call);                                                         \
        bsim__pause_timer(&bsim_call);                                                             \
        bool bsim_made = bsim__data_of_library(&bsim_call) || bsim__data_show(&bsim_call) ||       \
                         bsim__idle_given(&bsim_call) || bsim__stall_probes(&bsim_call) ||         \
                         bsim__composites_complete(&bsim_call) ||                                  \
                         bsim__io_completes(&bsim_call) || bsim__idle_frees(&bsim_call);           \
        result bsim_result =                                                                       \
            bsim_made ? (result)bsim_call.code : CALLEE_##support(name)(MPI_ARGUMENTS(sequence));  \
        if (!bsim_made)                                                                            \
            bsim__idle_look_again(&bsim_call);                                                     \
        bsim__data_take(&bsim_call, (int)bsim_result);                                             \
        bsim__lookalikes_forget(&bsim_call);                                                       \
        bsim__resume_timer(&bsim_call);                                                            \
        bsim__tell_nothing_to_wait_for(&bsim_call);                                                \
        bsim__give_threads(&bsim_call);                                                            \
        bsim_call.has_failed = (int)bsim_result != MPI_SUCCESS;                                    \
        bsim__windows_leave(&bsim_call);                                                           \
        bsim__know_world(&bsim_call);                                                              \
        bsim__kept_topologies_note(&bsim_call);                                                    \
        bsim__leave(&bsim_call);                                                                   \
        bsim__composites_note(&bsim_call);                                                         \
        bsim__trace_leave(&bsim_call);                                                             \
        return bsim_result;                                                                        \
    }
#define WRAP_LOCAL(name, support, result, sequence) LOCAL_##support(name, result, sequence)
#define LOCAL_YES(name, result, sequence)
#define LOCAL_NO(name, result, sequence)                                                           \
    result bsim_##name(const char *bsim_file, int bsim_line MPI_PARAMETERS(sequence)) {            \
        bsim__refuse(BSIM__ID_##name, bsim_file, bsim_line);                                       \
        return name(MPI_ARGUMENTS(sequence));                                                      \
    }
#define LOCAL_RUNTIME(name, result, sequence)                                                      \
    result bsim_##name(const char *bsim_file, int bsim_line MPI_PARAMETERS(sequence)) {            \
        (void)bsim_file, (void)bsim_line;                                                          \
        return bsim__##name(MPI_ARGUMENTS(sequence));                                              \
    }
#define MPI_ROW(name, class, criterion, support, result, sequence, ...)                            \
    WRAP_##criterion(name, support, result, sequence)
#define MPI_ROW_VARIADIC(name, class, criterion, support, result, sequence, ...)

#include "mpi/calls.def"

/* The standard leaves its effect to profiling tools; in SimGrid it aborts. */
int bsim_MPI_Pcontrol(const char *bsim_file, int bsim_line, int bsim_level, ...) {
    (void)bsim_file, (void)bsim_line, (void)bsim_level;
    return MPI_SUCCESS;
}

/* Calls that are not written as such: through pointers, tables, `(MPI_Send)(...)`. In the program's
 * units each function has, beside the macro for its calls, the symbol bsim_pointer_MPI_X
 * (bsim_calls.h), so that its address is that of the function here. Where it is called from is not
 * known. They are in this file since SimGrid declares MPI's functions as weak, so that no address
 * of one makes the linker take a file of its own. */
#define BSIM__POINTER_PLACE "(pointer)", 0
#include "bsim_table.h"

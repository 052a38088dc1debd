/* SPDX-License-Identifier: Apache-2.0
 *
 * bsim_MPI_X for each function that has to appear in a skeleton, made from mpi/calls.def: keep
 * pointers to the arguments, then MPI's own function between bsim__enter and bsim__leave. Those
 * may replace an argument (a status that the program ignores), since what is passed on is read
 * after them.
 */
#include "mpi/sequence.h"
#include "runtime/runtime.h"

#define BSIM_NO_MACROS
#include "bsim_calls.h"

#define WRAP_CRITERION(name, result, sequence)                                                     \
    result bsim_##name(const char *bsim_file, int bsim_line MPI_PARAMETERS(sequence)) {            \
        void *bsim_args[] = {MPI_ADDRESSES(sequence) NULL};                                        \
        struct bsim__call bsim_call = {                                                            \
            .id = BSIM__ID_##name, .file = bsim_file, .line = bsim_line, .args = bsim_args};       \
        bsim__enter(&bsim_call);                                                                   \
        result bsim_result = name(MPI_ARGUMENTS(sequence));                                        \
        bsim__leave(&bsim_call);                                                                   \
        return bsim_result;                                                                        \
    }
#define WRAP_LOCAL(name, result, sequence)
#define MPI_ROW(name, class, criterion, support, result, sequence)                                 \
    WRAP_##criterion(name, result, sequence)
#define MPI_ROW_VARIADIC(name, class, criterion, support, result, sequence)                        \
    WRAP_##criterion(name, result, sequence)

#include "mpi/calls.def"

/* The standard leaves its effect to profiling tools; in SimGrid it aborts. */
int bsim_MPI_Pcontrol(const char *bsim_file, int bsim_line, int bsim_level, ...) {
    (void)bsim_file, (void)bsim_line, (void)bsim_level;
    return MPI_SUCCESS;
}

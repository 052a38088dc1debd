/* SPDX-License-Identifier: Apache-2.0
 *
 * Wrappers of MPI functions, from mpi/calls_of_traffic.def, through PMPI: each notes that it was
 * called, for cold caches (profile_cache.c) and open regions, counts (profile_counts.c), and where
 * the run is traced makes an event of it (profile_trace.c).
 */
#include "mpi/sequence.h"
#include "runtime/profile/profile.h"
#include "runtime/profile/profile_company.h"
#include "runtime/profile/profile_kept.h"
#include "runtime/profile/profile_trace.h"

#include <mpi.h>

static void enter_communicator(MPI_Comm comm) {
    if (bsim__cache_is_cold() && bsim__profile_measures())
        bsim__company_note(comm);
}

/* What a function makes that has only some ranks of another communicator. */
static void leave_part(enum bsim__id id, int result, MPI_Comm *made) {
    bool is_part = id == BSIM__ID_MPI_Comm_split || id == BSIM__ID_MPI_Cart_sub;
    if (is_part && bsim__cache_is_cold() && result == MPI_SUCCESS)
        bsim__company_part(*made);
}

/* enter_communicator(name); for the communicator of a call that has one. */
#define COMMUNICATORS(sequence) MPI_SEQUENCE_END(COMMUNICATORS_A sequence)
#define COMMUNICATORS_A(role, type, name) IF_COMMUNICATOR(IS_##role, name) COMMUNICATORS_B
#define COMMUNICATORS_B(role, type, name) IF_COMMUNICATOR(IS_##role, name) COMMUNICATORS_A
#define COMMUNICATORS_A_END
#define COMMUNICATORS_B_END
#define IF_COMMUNICATOR(role, name) THIRD(role, enter_communicator(name);, )
#define THIRD(...) THIRD_OF(__VA_ARGS__, , )
#define THIRD_OF(first, second, third, ...) third
#define IS_COMMUNICATOR ,

/* leave_part(...) for a communicator that the call makes. */
#define PARTS(id, sequence) MPI_SEQUENCE_END(PARTS_A sequence)
#define PARTS_A(role, type, name) IF_PART(MAKES_##role, name) PARTS_B
#define PARTS_B(role, type, name) IF_PART(MAKES_##role, name) PARTS_A
#define PARTS_A_END
#define PARTS_B_END
#define IF_PART(role, name) THIRD(role, leave_part(bsim_id, bsim_result, name);, )
#define MAKES_COMMUNICATOR_OUT ,

/* By the name with bsim_ the program's units call the function with PMPI_ (bsim_names.h); weak,
 * since the program may have its own. */
#pragma GCC diagnostic ignored "-Wattribute-alias" /* MPI's own headers differ in a `const` */
#define WRAP(name, sequence, enter, leave)                                                         \
    int bsim_##name(MPI_PROTOTYPE(sequence));                                                      \
    int bsim_##name(MPI_PROTOTYPE(sequence)) {                                                     \
        enum bsim__id bsim_id = BSIM__ID_##name;                                                   \
        void *bsim_args[] = {MPI_ADDRESSES(sequence) NULL};                                        \
        bsim__kept_pause();                                                                        \
        enter if (!bsim__traces()) {                                                               \
            int bsim_result = P##name(MPI_ARGUMENTS(sequence));                                    \
            leave bsim__kept_resume();                                                             \
            return bsim_result;                                                                    \
        }                                                                                          \
        struct bsim__traced_call bsim_call;                                                        \
        bsim__trace_enter(&bsim_call, bsim_id, bsim_args);                                         \
        int bsim_result = P##name(MPI_ARGUMENTS(sequence));                                        \
        bsim__trace_leave(&bsim_call);                                                             \
        leave bsim__kept_resume();                                                                 \
        return bsim_result;                                                                        \
    }                                                                                              \
    extern __typeof__(name) name __attribute__((weak, alias("bsim_" #name)));

/* Those that communicate end what is measured. */
#define COMMUNICATES(name, sequence)                                                               \
    WRAP(name, sequence, bsim__cache_due(); bsim__region_abandon();                                \
         bsim__calls_count(bsim_id, bsim_args); COMMUNICATORS(sequence), )
#define IS_TRACED(name, sequence) WRAP(name, sequence, bsim__calls_count(bsim_id, bsim_args);, )
#define MAKES(name, sequence) WRAP(name, sequence, , PARTS(bsim_id, sequence))

#define WRAP_P2P COMMUNICATES
#define WRAP_COMPLETION COMMUNICATES
#define WRAP_PROBE COMMUNICATES
#define WRAP_COLLECTIVE COMMUNICATES
#define WRAP_FILE COMMUNICATES
#define WRAP_REQUEST IS_TRACED
#define WRAP_COMMUNICATOR MAKES
#define WRAP_TOPOLOGY MAKES
#define WRAP_RMA IS_TRACED

#include "mpi/calls_of_traffic.def"

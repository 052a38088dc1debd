/* SPDX-License-Identifier: Apache-2.0
 *
 * Time in the original under SMPI. Where SMPI has been asked to simulate computation it is MPI's
 * own clock, which first takes account of the computation since the last call. Where it has not
 * (verify), asking for the time takes none, as in the skeleton, most of whose clocks are gone:
 * else messages would arrive in another order, and MPI_Waitany find another one first. A program
 * that waits for the clock sees it advance in the end. Linked into originals only.
 */
#include "runtime/runtime.h"

#define BSIM_NO_MACROS
#include "bsim_calls.h"

#include <simgrid/engine.h>

/* So many in direct succession, and each further one takes what `smpi/wtime` says. */
#define IDLE_WTIMES 100000

double bsim_MPI_Wtime(const char *bsim_file, int bsim_line) {
    (void)bsim_file, (void)bsim_line;
    struct bsim__shared *shared = bsim__shared();
    if (shared->computation_takes_time || ++bsim__current_rank()->idle_wtimes > IDLE_WTIMES)
        return MPI_Wtime() - shared->start_s;
    return simgrid_get_clock() - shared->start_s;
}

void bsim__lighten(struct bsim__call *call) {
    (void)call;
}

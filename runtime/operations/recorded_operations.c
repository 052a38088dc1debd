/* SPDX-License-Identifier: Apache-2.0
 *
 * Operations in simulations, of skeletons and of originals: their lines in the record of calls.
 */
#include "runtime/operations/asked_operation.h"
#include "runtime/smpi/runtime.h"

uint64_t bsim__queue_properties(uint64_t asked_for) {
    return asked_for;
}

/* Before it is made: while the host waits in it other ranks write theirs. */
void bsim__operation_begin(struct bsim__operation *operation, bool *wants_event) {
    struct bsim__rank *rank = bsim__current_rank();
    *wants_event = false;
    if (bsim__shared()->trace_directory != NULL && !rank->finalized)
        bsim__operation_line(&rank->record, operation);
}

void bsim__operation_end(struct bsim__operation *operation, void *event, bool is_own_event) {
    (void)operation, (void)event, (void)is_own_event;
}

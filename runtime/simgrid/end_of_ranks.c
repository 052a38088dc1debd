/* SPDX-License-Identifier: Apache-2.0
 *
 * A condition, which the last rank tells the others; see end_of_ranks.h.
 */
#include "runtime/simgrid/end_of_ranks.h"

#include <simgrid/cond.h>
#include <simgrid/mutex.h>
#include <stddef.h>

void end_of_ranks_note(struct end_of_ranks *end, uint64_t ranks) {
    if (end->mutex == NULL) {
        end->mutex = sg_mutex_init();
        end->all = sg_cond_init();
    }
    if (++end->ended == ranks)
        sg_cond_notify_all(end->all);
}

void end_of_ranks_wait(struct end_of_ranks *end, uint64_t ranks) {
    end_of_ranks_note(end, ranks);
    sg_mutex_lock(end->mutex);
    while (end->ended < ranks)
        sg_cond_wait(end->all, end->mutex);
    sg_mutex_unlock(end->mutex);
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * See waiting_ranks.h.
 */
#include "engine/core/waiting_ranks.h"

#include "base/arena.h"
#include "engine/core/simulation.h"

#include <stdlib.h>

void waiting_ranks_join(struct waiting_ranks *queue, const char *waits_in) {
    if (queue->count == queue->capacity) {
        queue->capacity = 2 * queue->capacity + 8;
        queue->of = xrealloc(queue->of, queue->capacity * sizeof *queue->of);
    }
    queue->of[queue->count++] = simulation.current;
    simulation_block(waits_in);
}

bool waiting_ranks_release(struct waiting_ranks *queue) {
    if (queue->first == queue->count)
        return false;
    simulation_wake(queue->of[queue->first++]);
    if (queue->first == queue->count)
        queue->first = queue->count = 0;
    return true;
}

void waiting_ranks_dispose(struct waiting_ranks *queue) {
    free(queue->of);
    *queue = (struct waiting_ranks){0};
}

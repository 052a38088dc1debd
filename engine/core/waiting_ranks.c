/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/core/waiting_ranks.h"

#include "base/arena.h"
#include "engine/core/simulation.h"

#include <stdlib.h>

void waiting_ranks_join(struct waiting_ranks *queue) {
    if (queue->count == queue->capacity) {
        queue->capacity = 2 * queue->capacity + 8;
        queue->of = xrealloc(queue->of, queue->capacity * sizeof *queue->of);
    }
    queue->of[queue->count++] = simulation.current;
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

static bool lock(struct rank_call *call) {
    (void)call;
    struct engine_mutex *mutex = current_rank()->object;
    bool is_free = !mutex->is_locked;
    if (!is_free)
        waiting_ranks_join(&mutex->queue);
    mutex->is_locked = true;
    return is_free;
}

/* Who waits takes it over. */
static bool unlock(struct rank_call *call) {
    (void)call;
    struct engine_mutex *mutex = current_rank()->object;
    mutex->is_locked = waiting_ranks_release(&mutex->queue);
    return true;
}

void engine_mutex_lock(struct engine_mutex *mutex, const char *waits_in) {
    simulation_ask(lock, mutex, waits_in);
}

void engine_mutex_unlock(struct engine_mutex *mutex) {
    simulation_ask(unlock, mutex, NULL);
}

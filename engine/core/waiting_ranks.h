/* SPDX-License-Identifier: Apache-2.0
 *
 * Ranks that wait for each other besides messages: a queue, from which it takes mutexes, conditions
 * and semaphores (SimGrid's, which the runtime in skeletons uses) and the barrier of MPI_Init.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct waiting_ranks { /* {0}: nobody waits */
    uint32_t *of;
    size_t first, count, capacity;
};

/* For calls of the kernel (simulation_ask): puts the current rank at the end of the queue. */
void waiting_ranks_join(struct waiting_ranks *queue);
/* Lets the first one go on; false: nobody waits. */
bool waiting_ranks_release(struct waiting_ranks *queue);
void waiting_ranks_dispose(struct waiting_ranks *queue);

struct engine_mutex { /* {0}: nobody has it */
    struct waiting_ranks queue;
    bool is_locked;
};

/* `waits_in` as in simulation_ask. */
void engine_mutex_lock(struct engine_mutex *mutex, const char *waits_in);
void engine_mutex_unlock(struct engine_mutex *mutex);

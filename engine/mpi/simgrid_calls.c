/* SPDX-License-Identifier: Apache-2.0
 *
 * What the runtime in skeletons, and programs by way of SMPI's mpi.h, ask of SimGrid besides MPI.
 */
#include "engine/core/simulation.h"
#include "engine/core/waiting_ranks.h"
#include "engine/messages/message_settings.h"
#include "engine/mpi/engine_options.h"
#include "engine/mpi/windows.h"
#include "engine/objects/failure.h"

#include "base/arena.h"

#include <getopt.h>
#include <simgrid/actor.h>
#include <simgrid/cond.h>
#include <simgrid/engine.h>
#include <simgrid/host.h>
#include <simgrid/mutex.h>
#include <simgrid/semaphore.h>
#include <simgrid/zone.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <xbt/config.h>

/* ---- Ranks, which are actors 1 and so on ---- */

sg_actor_t sg_actor_self(void) {
    return simulation.current != NO_RANK ? (sg_actor_t)current_rank() : NULL;
}

aid_t sg_actor_get_pid(const_sg_actor_t actor) {
    return (const struct simulated_rank *)(const void *)actor - simulation.ranks + 1;
}

aid_t sg_actor_self_get_pid(void) {
    return (aid_t)simulation.current + 1;
}

sg_actor_t sg_actor_by_pid(aid_t pid) {
    bool is_there = pid >= 1 && pid <= (aid_t)simulation.rank_count &&
                    !simulation.ranks[pid - 1].coroutine.has_ended;
    return is_there ? (sg_actor_t)&simulation.ranks[pid - 1] : NULL;
}

/* A handle that is different for each host. */
sg_host_t sg_actor_get_host(const_sg_actor_t actor) {
    const struct simulated_rank *rank = (const void *)actor;
    return (sg_host_t)(uintptr_t)(rank->host + 1);
}

void sg_actor_sleep_for(double seconds) {
    if (seconds > 0)
        simulation_sleep(seconds > PRECISION_S ? seconds : PRECISION_S);
}

void sg_actor_on_exit(void_f_int_pvoid_t call, void *data) {
    simulation_on_exit(call, data);
}

double simgrid_get_clock(void) {
    return simulation_clock_s();
}

/* ---- Settings ---- */

int sg_cfg_get_boolean(const char *name) {
    return strcmp(name, "smpi/simulate-computation") != 0 && engine_option_is_on(name);
}

double sg_cfg_get_double(const char *name) {
    return strcmp(name, "surf/precision") == 0 ? PRECISION_S : engine_option_number(name);
}

int sg_cfg_get_int(const char *name) {
    if (strcmp(name, "smpi/send-is-detached-thresh") == 0)
        return (int)message_settings.eager_bytes;
    return (int)engine_option_number(name);
}

/* Asked for by MPI-IO alone, whose transfers lie on the stacks of ranks and are in one list for all
 * (runtime/smpi/io_transfer.c), while here the stack of a rank that waits is elsewhere. */
sg_netzone_t sg_zone_get_by_name(const char *name) {
    (void)name;
    engine_lacks("MPI-IO");
}

const char *sg_zone_get_property_value(const_sg_netzone_t zone, const char *name) {
    (void)zone;
    return host_network_property(simulation.network, name);
}

/* ---- Mutexes, conditions, semaphores ---- */

sg_mutex_t sg_mutex_init(void) {
    return (sg_mutex_t)xcalloc(1, sizeof(struct engine_mutex));
}

void sg_mutex_lock(sg_mutex_t mutex) {
    engine_mutex_lock((struct engine_mutex *)mutex, "a mutex");
}

void sg_mutex_unlock(sg_mutex_t mutex) {
    engine_mutex_unlock((struct engine_mutex *)mutex);
}

struct engine_condition {
    struct waiting_ranks queue;
    struct engine_mutex *mutex; /* that all who wait have locked */
};

sg_cond_t sg_cond_init(void) {
    return (sg_cond_t)xcalloc(1, sizeof(struct engine_condition));
}

/* Both at once, or who notifies could come in between. */
static bool join_and_unlock(struct rank_call *call) {
    (void)call;
    struct engine_condition *own = current_rank()->object;
    waiting_ranks_join(&own->queue);
    own->mutex->is_locked = waiting_ranks_release(&own->mutex->queue);
    return false;
}

static bool notify_all(struct rank_call *call) {
    (void)call;
    struct engine_condition *own = current_rank()->object;
    while (waiting_ranks_release(&own->queue))
        continue;
    return true;
}

void sg_cond_wait(sg_cond_t condition, sg_mutex_t mutex) {
    struct engine_condition *own = (struct engine_condition *)condition;
    own->mutex = (struct engine_mutex *)mutex;
    simulation_ask(join_and_unlock, own, "the end of other ranks");
    sg_mutex_lock(mutex);
}

void sg_cond_notify_all(sg_cond_t condition) {
    simulation_ask(notify_all, condition, NULL);
}

struct engine_semaphore {
    struct waiting_ranks queue;
    int value;
};

sg_sem_t sg_sem_init(int value) {
    struct engine_semaphore *own = xcalloc(1, sizeof *own);
    own->value = value;
    return (sg_sem_t)own;
}

static bool acquire(struct rank_call *call) {
    (void)call;
    struct engine_semaphore *own = current_rank()->object;
    if (own->value == 0) {
        waiting_ranks_join(&own->queue);
        return false;
    }
    own->value--;
    return true;
}

static bool give_back(struct rank_call *call) {
    (void)call;
    struct engine_semaphore *own = current_rank()->object;
    if (!waiting_ranks_release(&own->queue))
        own->value++;
    return true;
}

void sg_sem_acquire(sg_sem_t semaphore) {
    simulation_ask(acquire, semaphore, "a lock of a window");
}

void sg_sem_release(sg_sem_t semaphore) {
    simulation_ask(give_back, semaphore, NULL);
}

void sg_sem_destroy(const_sg_sem_t semaphore) {
    struct engine_semaphore *own = (struct engine_semaphore *)(uintptr_t)semaphore;
    waiting_ranks_dispose(&own->queue);
    free(own);
}

/* ---- What SMPI's mpi.h puts in place of functions of the C library ---- */

void smpi_bench_begin(void) {
}
void smpi_bench_end(void) {
}

unsigned int smpi_sleep(unsigned int seconds) {
    sg_actor_sleep_for(seconds);
    return 0;
}

int smpi_usleep(useconds_t microseconds) {
    sg_actor_sleep_for(1e-6 * microseconds);
    return 0;
}

int smpi_nanosleep(const struct timespec *time, struct timespec *left) {
    (void)left;
    sg_actor_sleep_for((double)time->tv_sec + 1e-9 * (double)time->tv_nsec);
    return 0;
}

/* Ranks look through their arguments independently of each other; 0: from the beginning. */
static int getopt_of_rank(int (*find)(int, char *const *, const char *, const struct option *,
                                      int *),
                          int argc, char *const *argv, const char *options,
                          const struct option *long_options, int *index) {
    optind = current_rank()->option_index;
    int found = find(argc, argv, options, long_options, index);
    current_rank()->option_index = optind;
    return found;
}

static int find_letter(int argc, char *const *argv, const char *options,
                       const struct option *long_options, int *index) {
    (void)long_options, (void)index;
    return getopt(argc, argv, options);
}

int smpi_getopt(int argc, char *const *argv, const char *options) {
    return getopt_of_rank(find_letter, argc, argv, options, NULL, NULL);
}

int smpi_getopt_long(int argc, char *const *argv, const char *options,
                     const struct option *long_options, int *index) {
    return getopt_of_rank(getopt_long, argc, argv, options, long_options, index);
}

int smpi_getopt_long_only(int argc, char *const *argv, const char *options,
                          const struct option *long_options, int *index) {
    return getopt_of_rank(getopt_long_only, argc, argv, options, long_options, index);
}

void smpi_shared_free(void *data) {
    free(data);
}

pid_t smpi_getpid(void) {
    return (pid_t)simulation.current + 1;
}

/* The rank ends, the others go on. */
void smpi_exit(int code) {
    if (simulation.current == NO_RANK)
        exit(code);
    if (code != 0 && simulation.exit_code == 0)
        simulation.exit_code = code;
    simulation_catch_up();
    simulation_run_exit_callbacks(1);
    coroutine_end();
}

int smpi_global_size(void) {
    return (int)simulation.rank_count;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Points in processes of this machine; see sweep.h. So many at a time as there are jobs; each is
 * claimed just before it begins, so that two drivers of the same sweep share it. A process that
 * this one started ends with it, however it ends (base/process.c), so its points are free again as
 * soon as the driver is seen to be dead.
 */
#include "base/file.h"
#include "base/process.h"
#include "base/vec.h"
#include "simulator/driver.h"
#include "simulator/sweep.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define WAIT_MS 200
#define BETWEEN_LOOKS_S 1.0
#define TAKEN_OVER_AT_ONCE 16
#define PATIENCE_S 5.0 /* between SIGTERM and SIGKILL */

struct slot {
    pid_t pid;      /* 0: free */
    int process_fd; /* -1: the system has none (Linux before 5.3) */
    size_t point;
    struct claim claim;
    double start_s;
    bool timed_out;
    const char *stdout_file, *stderr_file;
};

struct pool {
    struct sweep *sweep;
    struct arena arena; /* of the slots and their files */
    const char *directory;
    struct slot *slots;
    size_t slot_count, busy;
    size_t elsewhere; /* where to go on looking for points whose driver died */
    double looked_s;
};

/* ---- Starting ---- */

/* Claims the point; *out is false if somebody else has it. */
static int claim(bool *out, int *lost, struct sweep *sweep, size_t index, struct error *error) {
    struct sweep_point *point = &sweep->points[index];
    enum claim_answer answer;
    struct claim_request request = {.points = &point->key.id,
                                    .count = 1,
                                    .batch = {.id = "", .driver = sweep->driver},
                                    .is_alive = driver_is_alive};
    if (store_claim(&answer, lost, sweep->store, &request, error) != 0)
        return -1;
    *out = answer == CLAIM_MINE;
    point->in_batch = false;
    point->state = *out ? STATE_OURS : STATE_ELSEWHERE; /* finished ones are looked up there */
    return 0;
}

static int start(struct pool *pool, struct slot *slot, size_t index, int lost,
                 struct error *error) {
    struct sweep *sweep = pool->sweep;
    struct sweep_point *point = &sweep->points[index];
    struct arena arena = {0};
    const char *stem = path_join(&pool->arena, pool->directory, point->key.id);
    slot->stdout_file = arena_printf(&pool->arena, "%s.json", stem);
    slot->stderr_file = arena_printf(&pool->arena, "%s.log", stem);
    /* Where `run` is killed, its temporary files go with ours. */
    const char *const environment[] = {arena_printf(&pool->arena, "TMPDIR=%s", pool->directory),
                                       NULL};
    const struct process_options options = {.extra_environment = environment,
                                            .stdout_file = slot->stdout_file,
                                            .stderr_file = slot->stderr_file};
    slot->point = index;
    slot->claim =
        (struct claim){.point = point->key.id, .driver = sweep->driver, .batch = "", .lost = lost};
    slot->start_s = clock_now_s();
    slot->timed_out = false;
    int result = process_start(&slot->pid,
                               point_command(&arena, sweep->mpiskel, sweep->bundle, &point->what),
                               &options, error);
    arena_dispose(&arena);
    if (result != 0)
        return -1;
    slot->process_fd = (int)syscall(SYS_pidfd_open, slot->pid, 0);
    pool->busy++;
    return 0;
}

static struct slot *free_slot(struct pool *pool) {
    for (size_t i = 0; i < pool->slot_count; i++)
        if (pool->slots[i].pid == 0)
            return &pool->slots[i];
    return NULL;
}

/* The next point that nobody had when we looked; sweep->count: none. */
static size_t next_missing(struct sweep *sweep) {
    while (sweep->cursor < sweep->count && sweep->points[sweep->cursor].state != STATE_MISSING)
        sweep->cursor++;
    return sweep->cursor;
}

static bool may_start(const struct pool *pool) {
    return pool->sweep->misuse == NULL && !process_interrupted();
}

static int try_to_start(struct pool *pool, size_t index, struct error *error) {
    bool ours = false;
    int lost = 0;
    if (claim(&ours, &lost, pool->sweep, index, error) != 0)
        return -1;
    pool->sweep->points[index].lost = lost;
    return ours ? start(pool, free_slot(pool), index, lost, error) : 0;
}

/* A point that was lost may have lacked memory: it gets the machine for itself. */
static bool has_room(const struct pool *pool, size_t point) {
    for (size_t i = 0; i < pool->slot_count; i++)
        if (pool->slots[i].pid != 0 && pool->sweep->points[pool->slots[i].point].lost > 0)
            return false;
    return pool->busy == 0 || pool->sweep->points[point].lost == 0;
}

static int start_missing(struct pool *pool, struct error *error) {
    while (pool->busy < pool->slot_count && may_start(pool)) {
        size_t index = next_missing(pool->sweep);
        if (index == pool->sweep->count || !has_room(pool, index))
            return 0;
        if (try_to_start(pool, index, error) != 0)
            return -1;
    }
    return 0;
}

/* Points of drivers that may have died meanwhile, a few at a time. */
static int take_over(struct pool *pool, struct error *error) {
    struct sweep *sweep = pool->sweep;
    size_t tried = 0;
    for (size_t i = 0; i < sweep->count && tried < TAKEN_OVER_AT_ONCE; i++) {
        pool->elsewhere = (pool->elsewhere + 1) % sweep->count;
        if (pool->busy == pool->slot_count || !may_start(pool))
            return 0;
        if (sweep->points[pool->elsewhere].state != STATE_ELSEWHERE ||
            !has_room(pool, pool->elsewhere))
            continue;
        tried++;
        if (try_to_start(pool, pool->elsewhere, error) != 0)
            return -1;
    }
    return 0;
}

static int look_after_others(struct pool *pool, struct error *error) {
    double now_s = clock_now_s();
    if (now_s - pool->looked_s < BETWEEN_LOOKS_S)
        return 0;
    pool->looked_s = now_s;
    struct sweep_counts counts = sweep_count(pool->sweep);
    if (counts.elsewhere == 0 && counts.ours == pool->busy) /* ours are also those of batches */
        return 0;
    if (sweep_tend_batches(pool->sweep, error) != 0 ||
        sweep_look_elsewhere(pool->sweep, error) != 0)
        return -1;
    return take_over(pool, error);
}

/* ---- Ending ---- */

static int end(struct pool *pool, struct slot *slot, struct error *error) {
    struct process_result process;
    struct point_outcome outcome;
    struct sweep *sweep = pool->sweep;
    int result = process_wait(&process, slot->pid, NULL, NULL, error);
    if (slot->process_fd >= 0)
        close(slot->process_fd);
    slot->pid = 0;
    pool->busy--;
    if (result != 0)
        return -1;
    const struct point_traces traces = {.exit_code = process.exit_code,
                                        .wall_s = clock_now_s() - slot->start_s,
                                        .timeout_s = sweep->settings.timeout_s,
                                        .timed_out = slot->timed_out,
                                        .stdout_file = slot->stdout_file,
                                        .stderr_file = slot->stderr_file};
    point_outcome_read(&outcome, sweep->arena, &traces);
    unlink(slot->stdout_file);
    unlink(slot->stderr_file);
    if (outcome.end == POINT_LOST && process_interrupted())
        return sweep_free_point(sweep, slot->point, &slot->claim, error);
    return sweep_end_point(sweep, slot->point, &slot->claim, &outcome, error);
}

static bool has_ended(const struct slot *slot) {
    siginfo_t info = {0};
    return waitid(P_PID, (id_t)slot->pid, &info, WEXITED | WNOHANG | WNOWAIT) != 0 ||
           info.si_pid == slot->pid;
}

static void end_late(struct pool *pool) {
    double limit_s = pool->sweep->settings.timeout_s;
    for (size_t i = 0; i < pool->slot_count; i++) {
        struct slot *slot = &pool->slots[i];
        double over_s = clock_now_s() - slot->start_s - limit_s;
        if (slot->pid == 0 || !(limit_s > 0) || over_s < 0)
            continue;
        if (!slot->timed_out || over_s > PATIENCE_S)
            kill(-slot->pid, slot->timed_out ? SIGKILL : SIGTERM);
        slot->timed_out = true;
    }
}

/* Until one of them ends, but not for long. */
static void wait_for_any(const struct pool *pool, struct arena *arena) {
    struct pollfd *wanted = ARENA_ARRAY(arena, struct pollfd, pool->slot_count + 1);
    size_t count = 0;
    bool blind = false;
    for (size_t i = 0; i < pool->slot_count; i++) {
        if (pool->slots[i].pid == 0)
            continue;
        blind = blind || pool->slots[i].process_fd < 0;
        wanted[count++] = (struct pollfd){.fd = pool->slots[i].process_fd, .events = POLLIN};
    }
    poll(wanted, count, blind ? WAIT_MS / 10 : WAIT_MS);
}

static int collect(struct pool *pool, struct error *error) {
    for (size_t i = 0; i < pool->slot_count; i++) {
        struct slot *slot = &pool->slots[i];
        if (slot->pid != 0 && has_ended(slot) && end(pool, slot, error) != 0)
            return -1;
    }
    return 0;
}

/* What still runs is ended: the driver cannot go on, or may not. */
static void end_all(struct pool *pool) {
    struct error error = {0};
    for (size_t i = 0; i < pool->slot_count; i++)
        if (pool->slots[i].pid != 0)
            kill(-pool->slots[i].pid, SIGTERM);
    for (size_t i = 0; i < pool->slot_count; i++)
        if (pool->slots[i].pid != 0)
            end(pool, &pool->slots[i], &error);
}

/* ---- The loop ---- */

static bool is_done(const struct pool *pool) {
    struct sweep_counts counts = sweep_count(pool->sweep);
    if (pool->busy > 0)
        return false;
    return !may_start(pool) || counts.finished == pool->sweep->count ||
           (!pool->sweep->settings.wait && next_missing(pool->sweep) == pool->sweep->count);
}

static int run_pool(struct pool *pool, struct error *error) {
    struct arena passing = {0};
    int result = 0;
    while (result == 0) {
        result = start_missing(pool, error);
        if (result == 0)
            result = look_after_others(pool, error);
        if (result == 0)
            result = sweep_tick(pool->sweep, error);
        if (result != 0 || is_done(pool))
            break;
        wait_for_any(pool, &passing);
        arena_dispose(&passing);
        end_late(pool);
        if (process_interrupted())
            break;
        result = collect(pool, error);
    }
    end_all(pool);
    arena_dispose(&passing);
    return result;
}

int sweep_run_locally(struct sweep *sweep, struct error *error) {
    struct pool pool = {.sweep = sweep};
    arena_init(&pool.arena);
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    pool.slot_count = sweep->settings.jobs > 0 ? sweep->settings.jobs
                      : processors > 0         ? (size_t)processors
                                               : 1;
    if (pool.slot_count > sweep->count)
        pool.slot_count = sweep->count;
    pool.slots = ARENA_ARRAY(&pool.arena, struct slot, pool.slot_count);
    pool.directory = directory_temporary(&pool.arena, "mpiskel-sweep", error);
    int result = pool.directory != NULL ? run_pool(&pool, error) : -1;
    if (pool.directory != NULL && directory_remove(pool.directory, error) != 0)
        result = -1;
    arena_dispose(&pool.arena);
    return result;
}

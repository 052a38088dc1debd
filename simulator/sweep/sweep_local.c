/* SPDX-License-Identifier: Apache-2.0
 *
 * Points in processes of this machine; see sweep.h. So many at a time as there are jobs; each is
 * claimed just before it begins, so that two drivers of the same sweep share it. A process that
 * this one started ends with it, however it ends (base/process.c), so its points are free again as
 * soon as the driver is seen to be dead.
 */
#include "base/clock.h"
#include "base/file.h"
#include "base/pool.h"
#include "simulator/run/launch.h"
#include "simulator/sweep/driver.h"
#include "simulator/sweep/sweep.h"

#include <unistd.h>

#define WAIT_MS 200
#define BETWEEN_LOOKS_S 1.0
#define TAKEN_OVER_AT_ONCE 16

struct slot {
    bool busy;    /* claimed, or its simulation runs */
    bool claimed; /* to be started once the store has the claim */
    size_t point;
    struct claim claim;
    const char *stdout_file, *stderr_file;
};

struct sweep_local_work {
    struct sweep *sweep;
    struct pool pool;   /* its jobs are slots */
    struct arena arena; /* of the slots and their files */
    const char *directory;
    struct slot *slots;
    size_t slot_count;
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

static int start(struct sweep_local_work *work, struct slot *slot, struct error *error) {
    struct sweep *sweep = work->sweep;
    struct sweep_point *point = &sweep->points[slot->point];
    struct arena arena = {0};
    const char *stem = path_join(&work->arena, work->directory, point->key.id);
    slot->stdout_file = arena_printf(&work->arena, "%s.json", stem);
    slot->stderr_file = arena_printf(&work->arena, "%s.log", stem);
    /* Where `run` is killed, its temporary files go with ours. */
    const char *const environment[] = {arena_printf(&work->arena, "TMPDIR=%s", work->directory),
                                       NULL};
    const struct process_options options = {.extra_environment = environment,
                                            .stdout_file = slot->stdout_file,
                                            .stderr_file = slot->stderr_file};
    int result = pool_start(&work->pool, (size_t)(slot - work->slots),
                            point_command(&arena, sweep->mpiskel, sweep->bundle, &point->what),
                            &options, error);
    arena_dispose(&arena);
    slot->claimed = false;
    slot->busy = result == 0;
    return result;
}

/* After the transaction with the claims: a driver that is killed before would leave a simulation
 * that nobody knows of, and lose the point that ended. */
static int start_claimed(struct sweep_local_work *work, struct error *error) {
    int result = 0;
    for (size_t i = 0; i < work->slot_count && result == 0; i++)
        if (work->slots[i].claimed)
            result = start(work, &work->slots[i], error);
    return result;
}

static size_t count_busy(const struct sweep_local_work *work) {
    size_t count = 0;
    for (size_t i = 0; i < work->slot_count; i++)
        count += work->slots[i].busy;
    return count;
}

static struct slot *free_slot(struct sweep_local_work *work) {
    for (size_t i = 0; i < work->slot_count; i++)
        if (!work->slots[i].busy)
            return &work->slots[i];
    return NULL;
}

/* The next point that nobody had when we looked; sweep->count: none. */
static size_t next_missing(struct sweep *sweep) {
    while (sweep->cursor < sweep->count && sweep->points[sweep->cursor].state != STATE_MISSING)
        sweep->cursor++;
    return sweep->cursor;
}

static bool may_start(const struct sweep_local_work *work) {
    return work->sweep->misuse == NULL && !process_interrupted();
}

static int try_to_claim(struct sweep_local_work *work, size_t index, struct error *error) {
    struct sweep *sweep = work->sweep;
    struct sweep_point *point = &sweep->points[index];
    bool ours = false;
    int lost = 0;
    if (claim(&ours, &lost, sweep, index, error) != 0)
        return -1;
    point->lost = lost;
    if (ours)
        *free_slot(work) = (struct slot){
            .busy = true,
            .claimed = true,
            .point = index,
            .claim = {.point = point->key.id, .driver = sweep->driver, .batch = "", .lost = lost}};
    return 0;
}

/* A point that was lost may have lacked memory: it gets the machine for itself. */
static bool has_room(const struct sweep_local_work *work, size_t point) {
    for (size_t i = 0; i < work->slot_count; i++)
        if (work->slots[i].busy && work->sweep->points[work->slots[i].point].lost > 0)
            return false;
    return count_busy(work) == 0 || work->sweep->points[point].lost == 0;
}

static int claim_missing(struct sweep_local_work *work, struct error *error) {
    while (count_busy(work) < work->slot_count && may_start(work)) {
        size_t index = next_missing(work->sweep);
        if (index == work->sweep->count || !has_room(work, index))
            return 0;
        if (try_to_claim(work, index, error) != 0)
            return -1;
    }
    return 0;
}

/* Points of drivers that may have died meanwhile, a few at a time. */
static int take_over(struct sweep_local_work *work, struct error *error) {
    struct sweep *sweep = work->sweep;
    size_t tried = 0;
    for (size_t i = 0; i < sweep->count && tried < TAKEN_OVER_AT_ONCE; i++) {
        work->elsewhere = (work->elsewhere + 1) % sweep->count;
        if (count_busy(work) == work->slot_count || !may_start(work))
            return 0;
        if (sweep->points[work->elsewhere].state != STATE_ELSEWHERE ||
            !has_room(work, work->elsewhere))
            continue;
        tried++;
        if (try_to_claim(work, work->elsewhere, error) != 0)
            return -1;
    }
    return 0;
}

static int look_after_others(struct sweep_local_work *work, struct error *error) {
    double now_s = clock_realtime_s();
    if (now_s - work->looked_s < BETWEEN_LOOKS_S)
        return 0;
    work->looked_s = now_s;
    struct sweep_counts counts = sweep_count(work->sweep);
    if (counts.elsewhere == 0 &&
        counts.ours == count_busy(work)) /* ours are also those of batches */
        return 0;
    if (sweep_tend_batches(work->sweep, error) != 0 ||
        sweep_look_elsewhere(work->sweep, error) != 0)
        return -1;
    return take_over(work, error);
}

/* ---- Ending ---- */

static int end(struct sweep_local_work *work, struct slot *slot,
               const struct process_result *process, struct error *error) {
    struct point_outcome outcome;
    struct sweep *sweep = work->sweep;
    const struct point_traces traces = {.exit_code = process->exit_code,
                                        .signal = process->signal,
                                        .wall_s = process->wall_s,
                                        .timeout_s = sweep->settings.timeout_s,
                                        .timed_out = process->timed_out,
                                        .stdout_file = slot->stdout_file,
                                        .stderr_file = slot->stderr_file};
    point_outcome_read(&outcome, sweep->arena, &traces);
    unlink(slot->stdout_file);
    unlink(slot->stderr_file);
    slot->busy = false;
    if (outcome.end == POINT_LOST && work->pool.asked_to_end_s > 0)
        return sweep_free_point(sweep, slot->point, &slot->claim, error);
    return sweep_end_point(sweep, slot->point, &slot->claim, &outcome, error);
}

/* As one transaction with the claims of the next points: each waits for the disk several times. */
static int end_and_start(struct sweep_local_work *work, struct slot *slot,
                         const struct process_result *process, struct error *error) {
    struct store *store = work->sweep->store;
    if (store_begin(store, error) != 0)
        return -1;
    int result = end(work, slot, process, error);
    if (result == 0)
        result = claim_missing(work, error);
    return store_end(store, result, error) == 0 ? start_claimed(work, error) : -1;
}

/* What still runs is ended: the driver cannot go on, or may not. */
static void end_all(struct sweep_local_work *work) {
    struct process_result process;
    struct error error = {0};
    size_t slot = 0;
    pool_end(&work->pool);
    while (work->pool.running.count > 0)
        if (pool_wait(&slot, &process, &work->pool, NULL, NULL, &error) == 0)
            end(work, &work->slots[slot], &process, &error);
    pool_dispose(&work->pool);
}

/* ---- The loop ---- */

static bool is_done(const struct sweep_local_work *work) {
    struct sweep_counts counts = sweep_count(work->sweep);
    if (work->pool.running.count > 0)
        return false;
    return !may_start(work) || counts.finished == work->sweep->count ||
           (!work->sweep->settings.wait && next_missing(work->sweep) == work->sweep->count);
}

/* Not for long: points of others may be free meanwhile. */
static int wait_for_one(struct sweep_local_work *work, struct error *error) {
    struct process_result process;
    size_t slot = 0;
    bool ended = false;
    if (pool_wait_for(&ended, &slot, &process, &work->pool, WAIT_MS, error) != 0)
        return -1;
    return ended ? end_and_start(work, &work->slots[slot], &process, error) : 0;
}

static int run_all(struct sweep_local_work *work, struct error *error) {
    int result = 0;
    while (result == 0 && !process_interrupted()) {
        result = claim_missing(work, error);
        if (result == 0)
            result = look_after_others(work, error);
        if (result == 0)
            result = start_claimed(work, error);
        if (result == 0)
            result = sweep_tick(work->sweep, error);
        if (result != 0 || is_done(work))
            break;
        result = wait_for_one(work, error);
    }
    end_all(work);
    return result;
}

static size_t most_ranks(const struct sweep *sweep) {
    size_t most = 0;
    for (size_t i = 0; i < sweep->count; i++)
        if (sweep->points[i].what.ranks > most)
            most = sweep->points[i].what.ranks;
    return most;
}

int sweep_run_locally(struct sweep *sweep, struct error *error) {
    struct sweep_local_work work = {.sweep = sweep, .pool = {.limit_s = sweep->settings.timeout_s}};
    arena_init(&work.arena);
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    work.slot_count = sweep->settings.jobs > 0 ? sweep->settings.jobs
                      : processors > 0         ? (size_t)processors
                                               : 1;
    if (work.slot_count > sweep->count)
        work.slot_count = sweep->count;
    work.slots = ARENA_ARRAY(&work.arena, struct slot, work.slot_count);
    work.directory = launch_directory(&work.arena, "mpiskel-sweep",
                                      path_join(&work.arena, sweep->bundle, "skeleton"),
                                      most_ranks(sweep) * work.slot_count, error);
    int result = work.directory != NULL ? run_all(&work, error) : -1;
    if (work.directory != NULL && directory_remove(work.directory, error) != 0)
        result = -1;
    arena_dispose(&work.arena);
    return result;
}

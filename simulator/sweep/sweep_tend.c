/* SPDX-License-Identifier: Apache-2.0
 *
 * Results of batches are collected, and losses found; see sweep_batch.c.
 *
 * In: the batches of the store, whoever made them. A point with a result is finished. A point
 * without one is at work as long as its launcher knows its task: Slurm is asked for its queue; GNU
 * parallel ends with its driver. A task that left Slurm's queue has a while to let its result
 * appear, for network file systems show new files late; then the point is lost and simulated again.
 * Only points of this sweep are looked after; a batch goes when none of its points is claimed.
 */
#include "base/clock.h"
#include "base/file.h"
#include "base/json.h"
#include "base/status_line.h"
#include "simulator/sweep/driver.h"
#include "simulator/sweep/launchers.h"
#include "simulator/sweep/sweep_batch.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What Slurm says. */
struct queue {
    bool known; /* false: it was not asked, or did not answer */
    const struct slurm_task *tasks;
    size_t count;
};

struct tending {
    struct sweep *sweep;
    struct arena arena;
    struct batch *batches;
    struct driver *drivers;
    size_t count;
    struct queue queue;
};

static const char *file_of(struct arena *arena, const struct batch *batch, const char *folder,
                           const struct claim *claim) {
    return arena_printf(arena, "%s/%s/%lld.json", batch->directory, folder, claim->task);
}

/* ---- Results ---- */

/* *out is false if there is no result yet. One that is damaged (the disk was full) counts as lost.
 */
static bool read_outcome(struct point_outcome *out, struct tending *tending,
                         const struct batch *batch, const struct claim *claim) {
    struct error error = {0};
    json_t *json = NULL;
    const char *path = file_of(&tending->arena, batch, "results", claim);
    if (!file_exists(path))
        return false;
    if (json_read(&json, path, &error) == 0 &&
        point_outcome_of_json(out, tending->sweep->arena, json, claim->point) == 0) {
        json_decref(json);
        return true;
    }
    json_decref(json);
    *out = (struct point_outcome){
        .end = POINT_LOST,
        .result = {.message = "its result is damaged", .host = "", .finished = "", .report = ""}};
    return true;
}

/* The point's place in the sweep if it has to be looked after; sweep->count: it has not. */
static size_t place_of(const struct sweep *sweep, const struct claim *claim) {
    size_t index = sweep_find(sweep, claim->point);
    bool finished = index < sweep->count && sweep->points[index].state == STATE_FINISHED;
    return finished ? sweep->count : index;
}

/* ---- Losses ---- */

static bool is_queued(const struct queue *queue, const struct batch *batch,
                      const struct claim *claim) {
    long long task = claim->task / (batch->per_task > 0 ? batch->per_task : 1);
    for (size_t i = 0; i < queue->count; i++)
        if (queue->tasks[i].task == task && strcmp(queue->tasks[i].batch, batch->id) == 0)
            return true;
    return false;
}

/* A task that comes late finds nothing to do. */
static void take_away(struct tending *tending, const struct batch *batch,
                      const struct claim *claim) {
    unlink(file_of(&tending->arena, batch, "points", claim));
}

static const char *last_line_of_log(struct tending *tending, const struct batch *batch,
                                    const struct claim *claim) {
    struct error error = {0};
    char *text = NULL;
    size_t length = 0;
    long long task = claim->task / (batch->per_task > 0 ? batch->per_task : 1);
    const char *path = arena_printf(&tending->arena, "%s/task-%lld.log", batch->directory, task);
    if (file_read(&text, &length, path, &error) != 0)
        return "";
    while (length > 0 && text[length - 1] == '\n')
        text[--length] = '\0';
    const char *line = strrchr(text, '\n');
    line = line != NULL ? line + 1 : text;
    json_t *utf8 = json_string(line);
    const char *copy =
        utf8 != NULL && length > 0 ? arena_printf(tending->sweep->arena, ": %.300s", line) : "";
    json_decref(utf8);
    free(text);
    return copy;
}

static int lose(struct tending *tending, size_t index, const struct batch *batch,
                const struct claim *claim, struct error *error) {
    struct arena *arena = tending->sweep->arena;
    struct point_outcome outcome = {
        .end = POINT_LOST,
        .result = {.message = arena_printf(arena,
                                           "its task ended without a result (killed, cancelled, "
                                           "or its node failed)%s",
                                           last_line_of_log(tending, batch, claim)),
                   .host = "",
                   .finished = "",
                   .report = ""}};
    take_away(tending, batch, claim);
    return sweep_end_point(tending->sweep, index, claim, &outcome, error);
}

static int give_up(struct tending *tending, size_t index, const struct batch *batch,
                   const struct claim *claim, struct error *error) {
    take_away(tending, batch, claim);
    return sweep_free_point(tending->sweep, index, claim, error);
}

static void keep(struct sweep_point *point) {
    point->state = STATE_OURS;
    point->in_batch = true;
}

static int judge_slurm(struct tending *tending, size_t index, const struct batch *batch,
                       const struct claim *claim, bool has_driver, struct error *error) {
    struct sweep *sweep = tending->sweep;
    struct sweep_point *point = &sweep->points[index];
    double now_s = clock_realtime_s();
    if (batch->job[0] != '\0' || !has_driver || batch->driver == sweep->driver)
        keep(point); /* whoever sees to it first */
    if (!tending->queue.known)
        return 0;
    if (is_queued(&tending->queue, batch, claim)) {
        point->gone_since_s = 0;
        return batch->job[0] != '\0' || has_driver
                   ? 0
                   : store_set_job(sweep->store, batch->id, batch->id, error);
    }
    if (batch->job[0] == '\0')
        return has_driver ? 0 : give_up(tending, index, batch, claim, error);
    if (point->gone_since_s == 0)
        point->gone_since_s = now_s;
    return now_s - point->gone_since_s < sweep->settings.grace_s
               ? 0
               : lose(tending, index, batch, claim, error);
}

static int judge_parallel(struct tending *tending, size_t index, const struct batch *batch,
                          const struct claim *claim, bool has_driver, struct error *error) {
    struct sweep *sweep = tending->sweep;
    bool is_ours = batch->driver == sweep->driver;
    const struct running_parallel *running = sweep->parallel;
    bool runs = running != NULL && running->pid != 0 && strcmp(running->batch, batch->id) == 0;
    if (is_ours && !runs && !process_interrupted())
        return lose(tending, index, batch, claim, error);
    if ((is_ours && !runs) || !has_driver)
        return give_up(tending, index, batch, claim, error);
    if (is_ours)
        keep(&sweep->points[index]);
    return 0;
}

/* ---- One batch ---- */

static int tend_claim(struct tending *tending, size_t number, const struct claim *claim,
                      struct error *error) {
    struct sweep *sweep = tending->sweep;
    const struct batch *batch = &tending->batches[number];
    const struct driver *driver = &tending->drivers[number];
    size_t index = place_of(sweep, claim);
    struct point_outcome outcome;
    if (index == sweep->count)
        return 0;
    if (read_outcome(&outcome, tending, batch, claim)) {
        take_away(tending, batch, claim);
        return sweep_end_point(sweep, index, claim, &outcome, error);
    }
    bool has_driver = driver->id != 0 && (driver->id == sweep->driver || driver_is_alive(driver));
    return strcmp(batch->launcher, "slurm") == 0
               ? judge_slurm(tending, index, batch, claim, has_driver, error)
               : judge_parallel(tending, index, batch, claim, has_driver, error);
}

/* Claims were released or became results: the batch may have served its purpose. A batch of a
 * driver that is about to hand it over has its claims from the beginning. */
static int remove_if_empty(struct tending *tending, const struct batch *batch,
                           struct error *error) {
    struct claim *claims = NULL;
    size_t count = 0;
    struct sweep *sweep = tending->sweep;
    if (store_batch_claims(&claims, &count, &tending->arena, sweep->store, batch->id, error) != 0)
        return -1;
    bool runs = sweep->parallel != NULL && sweep->parallel->pid != 0 &&
                strcmp(sweep->parallel->batch, batch->id) == 0;
    if (count > 0 || runs)
        return 0;
    /* Another driver may be at it, or a task write its log: then later. */
    struct error no_matter = {0};
    if (directory_remove(batch->directory, &no_matter) != 0)
        return 0;
    return store_remove_batch(sweep->store, batch->id, error);
}

/* Somebody removed its directory, `generate` for one when it replaces a bundle. */
static bool is_gone(const struct tending *tending, size_t number) {
    const struct driver *driver = &tending->drivers[number];
    bool has_driver =
        driver->id != 0 && (driver->id == tending->sweep->driver || driver_is_alive(driver));
    return !has_driver && !directory_exists(tending->batches[number].directory);
}

static int tend_batch(struct tending *tending, size_t number, struct error *error) {
    struct claim *claims = NULL;
    size_t count = 0;
    const struct batch *batch = &tending->batches[number];
    if (is_gone(tending, number))
        return store_remove_batch(tending->sweep->store, batch->id, error);
    if (store_batch_claims(&claims, &count, &tending->arena, tending->sweep->store, batch->id,
                           error) != 0)
        return -1;
    for (size_t i = 0; i < count; i++)
        if (tend_claim(tending, number, &claims[i], error) != 0)
            return -1;
    return remove_if_empty(tending, batch, error);
}

/* ---- All of them ---- */

/* Not more often than every poll_s seconds; without an answer nothing counts as lost. */
static void ask_queue(struct tending *tending) {
    struct sweep *sweep = tending->sweep;
    struct error error = {0};
    struct slurm_task *tasks = NULL;
    const char **names = ARENA_ARRAY(&tending->arena, const char *, tending->count + 1);
    size_t count = 0;
    double now_s = clock_realtime_s();
    for (size_t i = 0; i < tending->count; i++)
        if (strcmp(tending->batches[i].launcher, "slurm") == 0)
            names[count++] = tending->batches[i].id;
    if (count == 0 || now_s - sweep->asked_s < sweep->settings.poll_s)
        return;
    sweep->asked_s = now_s;
    tending->queue.known =
        slurm_queue(&tasks, &tending->queue.count, &tending->arena, names, count, &error) == 0;
    tending->queue.tasks = tasks;
    if (!tending->queue.known && !sweep->has_warned_of_queue) {
        status_line_hide();
        note("%s; going on to ask", error.text);
    }
    sweep->has_warned_of_queue = !tending->queue.known;
}

static int open_tending(struct tending *out, struct sweep *sweep, struct error *error) {
    *out = (struct tending){.sweep = sweep};
    arena_init(&out->arena);
    return store_batches(&out->batches, &out->drivers, &out->count, &out->arena, sweep->store,
                         error);
}

/* Another driver may have released what was in a batch, or have got its result. */
static void let_go(struct sweep *sweep) {
    for (size_t i = 0; i < sweep->count; i++)
        if (sweep->points[i].state == STATE_OURS && sweep->points[i].in_batch)
            sweep->points[i].state = STATE_ELSEWHERE;
}

int sweep_tend_batches(struct sweep *sweep, struct error *error) {
    struct tending tending;
    let_go(sweep);
    int result = open_tending(&tending, sweep, error);
    if (result == 0)
        ask_queue(&tending);
    for (size_t i = 0; i < tending.count && result == 0; i++)
        result = tend_batch(&tending, i, error);
    arena_dispose(&tending.arena);
    return result;
}

static int abandon_batch(struct tending *tending, size_t number, struct error *error) {
    struct sweep *sweep = tending->sweep;
    struct claim *claims = NULL;
    size_t count = 0;
    const struct batch *batch = &tending->batches[number];
    if (store_batch_claims(&claims, &count, &tending->arena, sweep->store, batch->id, error) != 0)
        return -1;
    for (size_t i = 0; i < count; i++) {
        size_t index = place_of(sweep, &claims[i]);
        if (index < sweep->count && give_up(tending, index, batch, &claims[i], error) != 0)
            return -1;
    }
    return remove_if_empty(tending, batch, error);
}

int sweep_abandon_batches(struct sweep *sweep, struct error *error) {
    struct tending tending;
    int result = open_tending(&tending, sweep, error);
    for (size_t i = 0; i < tending.count && result == 0; i++)
        if (tending.batches[i].driver == sweep->driver)
            result = abandon_batch(&tending, i, error);
    arena_dispose(&tending.arena);
    return result;
}

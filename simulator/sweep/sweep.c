/* SPDX-License-Identifier: Apache-2.0
 *
 * What all launchers share: points in the store, the end of a point, progress; see sweep.h.
 */
#include "simulator/sweep/sweep.h"

#include "base/clock.h"
#include "base/process.h"
#include "base/status_line.h"
#include "simulator/sweep/driver.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BETWEEN_LINES_S 0.5

/* ---- Finding ---- */

static const struct sweep *sorted; /* qsort passes no context */

static int compare_ids(const void *a, const void *b) {
    return strcmp(sorted->points[*(const size_t *)a].key.id,
                  sorted->points[*(const size_t *)b].key.id);
}

static void sort_ids(struct sweep *sweep) {
    sweep->by_id = ARENA_ARRAY(sweep->arena, size_t, sweep->count + 1);
    for (size_t i = 0; i < sweep->count; i++)
        sweep->by_id[i] = i;
    sorted = sweep;
    qsort(sweep->by_id, sweep->count, sizeof *sweep->by_id, compare_ids);
}

size_t sweep_find(const struct sweep *sweep, const char *id) {
    size_t low = 0, high = sweep->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = strcmp(sweep->points[sweep->by_id[middle]].key.id, id);
        if (order == 0)
            return sweep->by_id[middle];
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return sweep->count;
}

/* Takes the result over if the store has it. */
static int look_up(struct sweep *sweep, struct sweep_point *point, struct error *error) {
    bool found = false;
    if (store_find_point(&found, &point->result, sweep->arena, sweep->store, point->key.id,
                         error) != 0)
        return -1;
    if (found)
        point->state = STATE_FINISHED;
    return 0;
}

int sweep_look_up(struct sweep *sweep, struct error *error) {
    sort_ids(sweep);
    for (size_t i = 0; i < sweep->count; i++) {
        if (look_up(sweep, &sweep->points[i], error) != 0)
            return -1;
        sweep->points[i].was_there = sweep->points[i].state == STATE_FINISHED;
    }
    return 0;
}

int sweep_look_elsewhere(struct sweep *sweep, struct error *error) {
    for (size_t i = 0; i < sweep->count; i++)
        if (sweep->points[i].state == STATE_ELSEWHERE &&
            look_up(sweep, &sweep->points[i], error) != 0)
            return -1;
    return 0;
}

struct sweep_counts sweep_count(const struct sweep *sweep) {
    struct sweep_counts counts = {0};
    for (size_t i = 0; i < sweep->count; i++) {
        const struct sweep_point *point = &sweep->points[i];
        bool finished = point->state == STATE_FINISHED;
        counts.finished += finished;
        counts.failed += finished && point->result.failed;
        counts.were_there += finished && point->was_there;
        counts.ours += point->state == STATE_OURS;
        counts.elsewhere += point->state == STATE_ELSEWHERE;
    }
    return counts;
}

/* ---- The end of a point ---- */

static int finish(struct sweep *sweep, struct sweep_point *point, const struct point_result *result,
                  struct error *error) {
    bool added = false;
    if (store_finish_point(&added, sweep->store, &point->key, result, error) != 0)
        return -1;
    sweep->done_here++;
    sweep->weight_done += (double)point->what.ranks;
    if (!added)
        return look_up(sweep, point, error); /* somebody else was first */
    point->state = STATE_FINISHED;
    point->result = *result;
    point->result.report = "";
    return 0;
}

static int make_missing(struct sweep *sweep, size_t index, const struct claim *claim,
                        bool count_as_lost, struct error *error) {
    sweep->points[index].state = STATE_MISSING;
    sweep->points[index].gone_since_s = 0;
    if (index < sweep->cursor)
        sweep->cursor = index;
    return store_release(sweep->store, claim, count_as_lost, error);
}

int sweep_free_point(struct sweep *sweep, size_t index, const struct claim *claim,
                     struct error *error) {
    return make_missing(sweep, index, claim, false, error);
}

int sweep_end_point(struct sweep *sweep, size_t index, const struct claim *claim,
                    struct point_outcome *outcome, struct error *error) {
    struct sweep_point *point = &sweep->points[index];
    point->lost = claim->lost;
    if (outcome->end == POINT_MISUSED) {
        if (sweep->misuse == NULL)
            sweep->misuse = arena_strdup(sweep->arena, outcome->result.message);
        return sweep_free_point(sweep, index, claim, error);
    }
    if (outcome->end == POINT_LOST) {
        point->lost++;
        if ((size_t)point->lost < sweep->settings.attempts)
            return make_missing(sweep, index, claim, true, error);
        outcome->result.failed = true;
        outcome->result.message = arena_printf(sweep->arena, "lost %d times, at last: %s",
                                               point->lost, outcome->result.message);
        outcome->result.attempts = point->lost;
    } else {
        outcome->result.attempts = point->lost + 1;
    }
    return finish(sweep, point, &outcome->result, error);
}

/* ---- Progress ---- */

/* Simulations take about as long as there are ranks; that is all that is known beforehand. */
static double weight_left(const struct sweep *sweep) {
    double weight = 0;
    for (size_t i = 0; i < sweep->count; i++)
        if (sweep->points[i].state != STATE_FINISHED)
            weight += (double)sweep->points[i].what.ranks;
    return weight;
}

static void add_time_left(struct str *out, const struct sweep *sweep, double now_s) {
    if (!(sweep->weight_done > 0))
        return;
    double left_s = (now_s - sweep->start_s) * weight_left(sweep) / sweep->weight_done;
    if (left_s >= 5400)
        str_printf(out, ", %.1f h left", left_s / 3600);
    else if (left_s >= 90)
        str_printf(out, ", %.0f min left", left_s / 60);
    else
        str_printf(out, ", %.0f s left", left_s);
}

static void show(struct sweep *sweep, double now_s) {
    struct sweep_counts counts = sweep_count(sweep);
    struct str line = {0};
    str_printf(&line, "%zu of %zu points", counts.finished, sweep->count);
    if (counts.failed > 0)
        str_printf(&line, ", %zu failed", counts.failed);
    str_printf(&line, ", %zu at work", counts.ours);
    if (counts.elsewhere > 0)
        str_printf(&line, " and %zu elsewhere", counts.elsewhere);
    add_time_left(&line, sweep, now_s);
    status_line_show("%s", line.text);
    str_dispose(&line);
    sweep->shown_s = now_s;
}

int sweep_tick(struct sweep *sweep, struct error *error) {
    double now_s = clock_realtime_s();
    if (sweep->settings.show_progress && now_s - sweep->shown_s > BETWEEN_LINES_S)
        show(sweep, now_s);
    if (now_s - sweep->beat_s < DRIVER_BEAT_S)
        return 0;
    sweep->beat_s = now_s;
    return store_see_driver(sweep->store, sweep->driver, now_s, error);
}

/* ---- The run ---- */

static int forget_failures(struct sweep *sweep, struct error *error) {
    for (size_t i = 0; i < sweep->count; i++) {
        struct sweep_point *point = &sweep->points[i];
        if (point->state != STATE_FINISHED || !point->result.failed)
            continue;
        if (store_forget_failure(sweep->store, point->key.id, error) != 0)
            return -1;
        point->state = STATE_MISSING;
        point->was_there = false;
    }
    return 0;
}

static int run_registered(struct sweep *sweep, struct error *error) {
    int result = sweep->settings.launcher == LAUNCHER_LOCAL ? sweep_run_locally(sweep, error)
                                                            : sweep_run_in_batches(sweep, error);
    status_line_hide();
    if (result == 0 && sweep->misuse != NULL)
        return error_set(error, "mpiskel run refuses its options: %s", sweep->misuse);
    if (result == 0 && process_interrupted())
        return error_set(error, "interrupted; the same command goes on with what is missing");
    return result;
}

int sweep_run(struct sweep *sweep, struct error *error) {
    struct driver self = driver_self(sweep->arena);
    if (sweep->settings.retry && forget_failures(sweep, error) != 0)
        return -1;
    if (sweep_tend_batches(sweep, error) != 0) /* a driver may have died before it tidied up */
        return -1;
    if (sweep_count(sweep).finished == sweep->count)
        return 0;
    if (store_add_driver(&sweep->driver, sweep->store, &self, driver_is_alive, error) != 0)
        return -1;
    sweep->start_s = sweep->beat_s = sweep->shown_s = clock_realtime_s();
    store_keep_journal(sweep->store, true);
    int result = run_registered(sweep, error);
    store_keep_journal(sweep->store, false);
    struct error no_matter = {0};
    if (store_remove_driver(sweep->store, sweep->driver, driver_is_alive,
                            result == 0 ? error : &no_matter) != 0)
        return -1;
    return result;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Points that a launcher simulates elsewhere: they are handed over in batches; see sweep.h.
 *
 * A batch is a directory: `points/N.json` says what to do, `results/N.json` what came of it. In the
 * store its claims are made before the launcher is asked, and its job is noted after: whoever finds
 * a batch of a dead driver without a job looks for one of the batch's name. So a driver may be
 * killed at any moment, and another one collects what its tasks left. How results are collected and
 * losses found is in sweep_tend.c.
 * Not handled: two names of one directory (the driver on a node that sees it under another path
 * than the workers).
 */
#include "simulator/sweep/sweep_batch.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/json.h"
#include "base/status_line.h"
#include "simulator/sweep/driver.h"
#include "simulator/sweep/launchers.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/wait.h>
#include <time.h>

#define LARGEST_ARRAY 1000 /* tasks; Slurm's MaxArraySize is 1001 unless somebody changed it */
#define SHORTEST_PAUSE_S 0.1
#define LONGEST_PAUSE_S 2.0
#define SLICE_S 0.05

struct handing_over {
    struct sweep *sweep;
    struct running_parallel parallel;
    double pause_s, refused_s; /* refused: when sbatch did not take any more; 0: it does */
    double looked_s;
};

/* ---- One batch ---- */

static const char *batch_name(struct arena *arena) {
    unsigned long long number = 0;
    if (getrandom(&number, sizeof number, 0) != (ssize_t)sizeof number)
        number = hash_bytes(HASH_SEED, &(double){clock_realtime_s()}, sizeof(double));
    return arena_printf(arena, "mpiskel-%016llx", number);
}

static int write_point(const struct sweep *sweep, const struct sweep_point *point,
                       const char *directory, size_t number, struct error *error) {
    struct arena arena = {0};
    json_t *command = json_array();
    const char *const *words = point_command(&arena, sweep->mpiskel, sweep->bundle, &point->what);
    for (; *words != NULL; words++)
        json_array_append_new(command, json_string(*words));
    json_t *json = json_pack("{s:s, s:i, s:s, s:o, s:f, s:s, s:I}", "format", "mpiskel-point",
                             "version", SWEEP_POINT_VERSION, "point", point->key.id, "command",
                             command, "timeout_s", sweep->settings.timeout_s, "bundle",
                             sweep->bundle, "ranks", (json_int_t)point->what.ranks);
    int result =
        json_write(json, arena_printf(&arena, "%s/points/%zu.json", directory, number), error);
    json_decref(json);
    arena_dispose(&arena);
    return result;
}

/* The points' files, in the order of the batch. */
static int write_batch(const struct sweep *sweep, const char *directory, const size_t *points,
                       size_t count, struct error *error) {
    struct arena arena = {0};
    int result = directory_make(path_join(&arena, directory, "points"), error);
    if (result == 0)
        result = directory_make(path_join(&arena, directory, "results"), error);
    for (size_t i = 0; i < count && result == 0; i++)
        result = write_point(sweep, &sweep->points[points[i]], directory, i, error);
    arena_dispose(&arena);
    return result;
}

static int launch(struct handing_over *handing, const struct batch *batch, size_t count,
                  struct error *error) {
    struct sweep *sweep = handing->sweep;
    const struct launch_request request = {.batch = batch->id,
                                           .directory = batch->directory,
                                           .mpiskel = sweep->mpiskel,
                                           .options = sweep->settings.launcher_options,
                                           .points = count,
                                           .per_task = sweep->settings.per_task,
                                           .jobs = sweep->settings.jobs};
    const char *job = NULL;
    if (sweep->settings.launcher == LAUNCHER_PARALLEL) {
        handing->parallel.batch = batch->id;
        return parallel_start(&handing->parallel.pid, sweep->arena, &request, error);
    }
    if (slurm_submit(&job, sweep->arena, &request, error) != 0)
        return -1;
    return store_set_job(sweep->store, batch->id, job, error);
}

/* Keeps what was claimed; -1 also if another error is set already. */
static int give_back(struct sweep *sweep, const struct batch *batch, const size_t *points,
                     size_t count, struct error *error) {
    for (size_t i = 0; i < count; i++) {
        struct claim claim = {.point = sweep->points[points[i]].key.id,
                              .driver = batch->driver,
                              .batch = batch->id,
                              .task = (long long)i};
        if (sweep_free_point(sweep, points[i], &claim, error) != 0)
            return -1;
    }
    if (store_remove_batch(sweep->store, batch->id, error) != 0)
        return -1;
    return directory_remove(batch->directory, error);
}

/* The launcher does not take the batch: an error, unless others of ours are still at work, for
 * then it may take it later (a limit of jobs in the queue). */
static int refused(struct handing_over *handing, const struct batch *batch, const size_t *points,
                   size_t count, struct error *error) {
    struct error why = *error, later = {0};
    *error = (struct error){0};
    if (give_back(handing->sweep, batch, points, count, &later) != 0) {
        *error = later;
        return -1;
    }
    if (sweep_count(handing->sweep).ours == 0) {
        *error = why;
        return -1;
    }
    status_line_hide();
    note("%s; trying again when points have finished", why.text);
    handing->refused_s = clock_realtime_s();
    return 0;
}

/* ---- Handing over ---- */

/* Those that nobody was at work on, and now and then those whose driver may have died. */
static size_t choose(size_t *points, const struct handing_over *handing, size_t most,
                     bool from_others) {
    const struct sweep *sweep = handing->sweep;
    size_t count = 0;
    for (size_t i = 0; i < sweep->count && count < most; i++)
        if (sweep->points[i].state == STATE_MISSING ||
            (from_others && sweep->points[i].state == STATE_ELSEWHERE))
            points[count++] = i;
    return count;
}

/* Leaves in `points` those that became ours. */
static int claim(struct sweep *sweep, const struct batch *batch, size_t *points, size_t *count,
                 struct error *error) {
    struct arena arena = {0};
    const char **ids = ARENA_ARRAY(&arena, const char *, *count + 1);
    enum claim_answer *answers = ARENA_ARRAY(&arena, enum claim_answer, *count + 1);
    int *lost = ARENA_ARRAY(&arena, int, *count + 1);
    size_t ours = 0;
    for (size_t i = 0; i < *count; i++)
        ids[i] = sweep->points[points[i]].key.id;
    struct claim_request request = {
        .points = ids, .count = *count, .batch = *batch, .is_alive = driver_is_alive};
    int result = store_claim(answers, lost, sweep->store, &request, error);
    for (size_t i = 0; i < *count && result == 0; i++) {
        struct sweep_point *point = &sweep->points[points[i]];
        point->state = answers[i] == CLAIM_MINE ? STATE_OURS : STATE_ELSEWHERE;
        point->in_batch = true;
        point->gone_since_s = 0;
        if (answers[i] == CLAIM_MINE)
            points[ours++] = points[i];
    }
    *count = ours;
    arena_dispose(&arena);
    return result;
}

static int hand_over_points(struct handing_over *handing, size_t *points, size_t count,
                            struct error *error) {
    struct sweep *sweep = handing->sweep;
    struct arena *arena = sweep->arena;
    const char *name = batch_name(arena);
    struct batch batch = {.id = name,
                          .driver = sweep->driver,
                          .launcher =
                              sweep->settings.launcher == LAUNCHER_SLURM ? "slurm" : "parallel",
                          .directory = path_join(arena, sweep->batches, name),
                          .per_task = (long long)sweep->settings.per_task,
                          .job = ""};
    if (claim(sweep, &batch, points, &count, error) != 0)
        return -1;
    if (count == 0)
        return 0;
    if (write_batch(sweep, batch.directory, points, count, error) != 0 ||
        launch(handing, &batch, count, error) != 0)
        return refused(handing, &batch, points, count, error);
    return 0;
}

static int hand_over(struct handing_over *handing, struct error *error) {
    struct sweep *sweep = handing->sweep;
    double now_s = clock_realtime_s();
    bool is_slurm = sweep->settings.launcher == LAUNCHER_SLURM;
    bool from_others = now_s - handing->looked_s > LONGEST_PAUSE_S;
    size_t most = is_slurm ? LARGEST_ARRAY * sweep->settings.per_task : sweep->count;
    if (handing->parallel.pid != 0 || now_s - handing->refused_s < sweep->settings.poll_s)
        return 0;
    if (from_others)
        handing->looked_s = now_s;
    struct arena arena = {0};
    size_t *points = ARENA_ARRAY(&arena, size_t, sweep->count + 1);
    int result = 0;
    do {
        size_t count = choose(points, handing, most, from_others);
        if (count == 0)
            break;
        from_others = false;
        result = hand_over_points(handing, points, count, error);
    } while (result == 0 && is_slurm && handing->refused_s < now_s);
    arena_dispose(&arena);
    return result;
}

/* ---- The loop ---- */

static bool parallel_ended(const struct handing_over *handing) {
    siginfo_t info = {0};
    return handing->parallel.pid != 0 &&
           (waitid(P_PID, (id_t)handing->parallel.pid, &info, WEXITED | WNOHANG | WNOWAIT) != 0 ||
            info.si_pid == handing->parallel.pid);
}

/* What it left is collected; what it did not is lost. */
static int end_parallel(struct handing_over *handing, struct error *error) {
    struct process_result process;
    pid_t pid = handing->parallel.pid;
    if (pid == 0)
        return 0;
    if (process_interrupted())
        kill(-pid, SIGTERM);
    if (process_wait(&process, pid, NULL, NULL, error) != 0)
        return -1;
    handing->parallel = (struct running_parallel){0};
    return 0;
}

static int pause_for_a_while(struct handing_over *handing, struct error *error) {
    struct timespec slice = {0, (long)(SLICE_S * 1e9)};
    double end_s = clock_realtime_s() + handing->pause_s;
    while (clock_realtime_s() < end_s && !process_interrupted() && !parallel_ended(handing)) {
        nanosleep(&slice, NULL);
        if (sweep_tick(handing->sweep, error) != 0)
            return -1;
    }
    handing->pause_s = fmin(LONGEST_PAUSE_S, 1.5 * handing->pause_s);
    return 0;
}

static bool is_done(const struct handing_over *handing) {
    const struct sweep *sweep = handing->sweep;
    struct sweep_counts counts = sweep_count(sweep);
    bool none_missing = counts.finished + counts.ours + counts.elsewhere == sweep->count;
    if (counts.finished == sweep->count || sweep->misuse != NULL || process_interrupted())
        return true;
    return !sweep->settings.wait && none_missing && sweep->settings.launcher == LAUNCHER_SLURM;
}

static int run(struct handing_over *handing, struct error *error) {
    struct sweep *sweep = handing->sweep;
    for (;;) {
        size_t before = sweep->done_here;
        bool ended = parallel_ended(handing);
        if (ended && end_parallel(handing, error) != 0)
            return -1;
        if (sweep_tend_batches(sweep, error) != 0 || sweep_look_elsewhere(sweep, error) != 0)
            return -1;
        if (is_done(handing))
            return 0;
        if (hand_over(handing, error) != 0)
            return -1;
        if (is_done(handing))
            return 0;
        if (sweep->done_here > before)
            handing->pause_s = SHORTEST_PAUSE_S;
        if (pause_for_a_while(handing, error) != 0)
            return -1;
    }
}

static void tell_what_stays(const struct sweep *sweep) {
    size_t ours = sweep_count(sweep).ours;
    if (ours > 0 && sweep->settings.launcher == LAUNCHER_SLURM)
        note("%zu points stay with Slurm (jobs mpiskel-*); the same command collects their "
             "results",
             ours);
}

int sweep_run_in_batches(struct sweep *sweep, struct error *error) {
    struct handing_over handing = {.sweep = sweep, .pause_s = SHORTEST_PAUSE_S};
    sweep->parallel = &handing.parallel;
    int result = run(&handing, error);
    status_line_hide();
    struct error later = {0};
    if (handing.parallel.pid != 0) {
        kill(-handing.parallel.pid, SIGTERM);
        if (end_parallel(&handing, &later) != 0 || sweep_tend_batches(sweep, &later) != 0)
            error_print(&later);
    }
    if (sweep->misuse != NULL && sweep_abandon_batches(sweep, &later) != 0)
        error_print(&later);
    if (result == 0 && sweep->misuse == NULL)
        tell_what_stays(sweep);
    sweep->parallel = NULL;
    return result;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Starts `mpiskel run --format=json` once for each point, several at a time, and reads its report;
 * see scale.h. Report and log of a point lie in a temporary directory until it has been read.
 */
#include "cli/scale.h"

#include "base/file.h"
#include "base/json.h"
#include "base/process.h"
#include "base/str.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define WHY_BYTES 400

struct started {
    struct scale_run *run;
    const char *report, *log;
    pid_t pid;
};

struct work {
    struct scale_options *options;
    const char *directory, *what;
    VEC(struct started) started; /* those from `next` on are running */
    size_t next, wanted;
    double start_s, shown_s;
    bool on_screen;
};

/* ---- Progress ---- */

static double now_s(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void hide_progress(struct work *work) {
    if (work->on_screen)
        fputs("\r\033[K", stderr);
    work->on_screen = false;
}

static void show_progress(void *context) {
    struct work *work = context;
    double time_s = now_s();
    if (work->options->no_progress || !isatty(STDERR_FILENO) || time_s - work->shown_s < 0.5)
        return;
    hide_progress(work);
    fprintf(stderr, "simulating %s: %zu of %zu done, %zu ranks now, %.0f s", work->what, work->next,
            work->wanted, work->started.items[work->next].run->ranks, time_s - work->start_s);
    fflush(stderr);
    work->shown_s = time_s;
    work->on_screen = true;
}

/* ---- One point ---- */

static int start(struct work *work, struct scale_run *run, struct error *error) {
    struct scale_options *options = work->options;
    struct arena *arena = &options->arena;
    VEC(const char *) words = {0};
    struct started one = {
        .run = run,
        .report = path_join(arena, work->directory, arena_printf(arena, "%zu.json", run->ranks)),
        .log = path_join(arena, work->directory, arena_printf(arena, "%zu.log", run->ranks)),
    };
    const char *const own[] = {path_executable(arena),
                               "run",
                               options->bundle,
                               "-np",
                               arena_printf(arena, "%zu", run->ranks),
                               "--format=json",
                               "--no-progress"};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        vec_push(&words, own[i]);
    for (size_t i = 0; i < options->run_options.count; i++)
        vec_push(&words, options->run_options.items[i]);
    vec_push(&words, "--");
    int result = 0;
    for (size_t i = 0; i < options->argument_count && result == 0; i++) {
        const char *argument = NULL;
        result = scale_argument(&argument, arena, options->arguments[i], run->ranks, error);
        vec_push(&words, argument);
    }
    vec_push(&words, NULL);
    struct process_options how = {.stdout_file = one.report, .stderr_file = one.log};
    if (result == 0)
        result = process_start(&one.pid, words.items, &how, error);
    if (result == 0)
        vec_push(&work->started, one);
    vec_dispose(&words);
    return result;
}

/* From its last error on, or all that it said. */
static const char *why_not(const struct started *one, struct arena *arena) {
    static const char mark[] = "error: ";
    char *text = NULL;
    struct error ignored = {0};
    if (file_read(&text, NULL, one->log, &ignored) != 0)
        return "it left no log";
    const char *said = text, *next = text;
    while ((next = strstr(next, mark)) != NULL)
        said = next += strlen(mark);
    const char *why = arena_printf(arena, "%.*s", WHY_BYTES, said[0] != '\0' ? said : "no report");
    free(text);
    return why;
}

static void read_report(const struct started *one, struct arena *arena) {
    struct scale_run *run = one->run;
    struct error ignored = {0};
    json_t *report = NULL;
    if (json_read(&report, one->report, &ignored) != 0) {
        run->why = why_not(one, arena);
        return;
    }
    const json_t *ranks = json_object_get(report, "per_rank");
    const json_t *cost = json_object_get(report, "simulation");
    run->time_s = json_get_number(report, "predicted_s", 0);
    run->computation_s = json_get_number(json_object_get(ranks, "compute_s"), "mean", -1);
    run->wall_s = json_get_number(cost, "wall_s", 0);
    run->peak_memory_kib = json_get_number(cost, "peak_memory_kib", 0);
    run->done = run->time_s > 0;
    if (!run->done)
        run->why = "the predicted time is 0";
    json_decref(report);
}

static int finish_one(struct work *work, struct error *error) {
    struct process_result result;
    const struct started one = work->started.items[work->next];
    int code = process_wait(&result, one.pid, show_progress, work, error);
    work->next++;
    if (code == 0)
        read_report(&one, &work->options->arena);
    return code;
}

/* ---- All of them ---- */

static int compare_runs(const void *left, const void *right) {
    const struct scale_run *a = *(struct scale_run *const *)left;
    const struct scale_run *b = *(struct scale_run *const *)right;
    return (a->ranks < b->ranks) - (a->ranks > b->ranks);
}

static int make_runs(struct work *work, struct scale_run **runs, struct error *error) {
    int result = 0;
    for (size_t i = 0; i < work->wanted && result == 0 && !process_interrupted(); i++) {
        if (work->started.count - work->next >= work->options->jobs)
            result = finish_one(work, error);
        if (result == 0 && !process_interrupted())
            result = start(work, runs[i], error);
    }
    while (work->next < work->started.count)
        if (finish_one(work, error) != 0)
            result = -1;
    hide_progress(work);
    if (result == 0 && process_interrupted())
        result = error_set(error, "interrupted");
    return result;
}

int scale_simulate(struct scale_run *runs, size_t count, struct scale_options *options,
                   const char *what, struct error *error) {
    struct work work = {.options = options, .what = what, .start_s = now_s()};
    struct scale_run **wanted = xmalloc((count + 1) * sizeof *wanted);
    for (size_t i = 0; i < count; i++)
        if (runs[i].wanted)
            wanted[work.wanted++] = &runs[i];
    qsort(wanted, work.wanted, sizeof *wanted, compare_runs);
    work.directory = directory_temporary(&options->arena, "mpiskel-scale", error);
    int result = work.directory != NULL ? make_runs(&work, wanted, error) : -1;
    if (work.directory != NULL && directory_remove(work.directory, error) != 0)
        result = -1;
    vec_dispose(&work.started);
    free(wanted);
    return result;
}

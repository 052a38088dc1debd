/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/common/simulations.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/pool.h"
#include "base/status_line.h"
#include "base/str.h"
#include "simulator/run/bundle.h"
#include "simulator/run/standard_input.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct simulations_work {
    struct simulation *simulations;
    size_t count, started, done;
    double start_s;
    struct arena *arena;
    const char *directory;
    struct pool pool;
};

/* ---- Progress ---- */

static void show_progress(void *context) {
    struct simulations_work *work = context;
    double elapsed_s = clock_monotonic_s() - work->start_s;
    struct str line = {0};
    str_printf(&line, "%zu of %zu simulations done, %.0f s", work->done, work->count, elapsed_s);
    if (work->done > 0)
        str_printf(&line, ", about %.0f s left",
                   elapsed_s / (double)work->done * (double)(work->count - work->done));
    status_line_show("%s", str_text(&line));
    str_dispose(&line);
}

/* ---- One run ---- */

static const char *file_of(const struct simulations_work *work, size_t index, const char *kind) {
    return path_join(work->arena, work->directory,
                     arena_printf(work->arena, "%zu.%s", index, kind));
}

/* Of the bundle among the options, built where it was left for later; NULL: it is not there, as the
 * run will say. */
static const char *skeleton_of(struct arena *arena, const struct simulation *simulation) {
    struct error told_by_run = {0};
    for (const char *const *word = simulation->options; *word != NULL; word++) {
        const struct bundle bundle = {.directory = *word};
        const char *path = path_join(arena, *word, "skeleton");
        if (file_exists(path_join(arena, *word, "regions.json")))
            return bundle_check_program(&bundle, path, &told_by_run) == 0 ? path : NULL;
    }
    return NULL;
}

static int start(struct simulations_work *work, size_t index, struct error *error) {
    const struct simulation *simulation = &work->simulations[index];
    struct process_options options = {.stdout_file = file_of(work, index, "json"),
                                      .stderr_file = file_of(work, index, "log")};
    const char *skeleton = skeleton_of(work->arena, simulation);
    VEC(const char *) words = {0};
    if (skeleton != NULL && standard_input_set(&options, skeleton, work->count > 1, error) != 0)
        return -1;
    vec_push(&words, path_executable(work->arena));
    vec_push(&words, "run");
    for (const char *const *word = simulation->options; *word != NULL; word++)
        vec_push(&words, *word);
    vec_push(&words, "--format=json");
    vec_push(&words, "--no-progress");
    vec_push(&words, "--");
    for (const char *const *word = simulation->arguments; *word != NULL; word++)
        vec_push(&words, *word);
    vec_push(&words, NULL);
    int result = pool_start(&work->pool, index, words.items, &options, error);
    vec_dispose(&words);
    return result;
}

static const char *copy_line(struct arena *arena, const char *line) {
    return arena_strndup(arena, line, strcspn(line, "\n"));
}

/* What the tool says, without its name; NULL: nothing. */
static const char *tools_error(struct arena *arena, const char *log) {
    static const char *const starts[] = {"mpiskel: error: ", "mpiskel run: "};
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
        const char *found = strstr(log, starts[i]);
        if (found != NULL && (found == log || found[-1] == '\n'))
            return copy_line(arena, found + strlen(starts[i]));
    }
    return NULL;
}

/* The first line with a place in it, `solver.c:120: error: ...`; NULL: there is none. */
static const char *placed_error(struct arena *arena, const char *log) {
    const char *found = log;
    while ((found = strstr(found, ": error: ")) != NULL) {
        const char *line = found;
        while (line > log && line[-1] != '\n')
            line--;
        line += strspn(line, " ");
        if (!text_has_prefix(line, "mpiskel: "))
            return copy_line(arena, line);
        found++;
    }
    return NULL;
}

/* One line that says why. */
static const char *line_of_error(struct arena *arena, const char *log) {
    const char *general = tools_error(arena, log), *placed = placed_error(arena, log);
    if (general == NULL || placed == NULL)
        return general != NULL ? general : placed;
    return arena_printf(arena, "%s: %s", general, placed);
}

static const char *lines_of_warnings(struct arena *arena, const char *log) {
    static const char start[] = "mpiskel: ";
    struct str lines = {0};
    for (const char *line = log, *end; *line != '\0'; line = *end != '\0' ? end + 1 : end) {
        end = line + strcspn(line, "\n");
        if (text_has_prefix(line, "mpiskel: warning: "))
            str_printf(&lines, "%.*s\n", (int)(end - line - (long)strlen(start)),
                       line + strlen(start));
    }
    return str_into(arena, &lines);
}

static void read_log(struct simulation *out, struct simulations_work *work, size_t index) {
    struct error error = {0};
    char *log = NULL;
    if (file_read(&log, NULL, file_of(work, index, "log"), &error) == 0) {
        out->warnings = lines_of_warnings(work->arena, log);
        if (out->report == NULL)
            out->error = line_of_error(work->arena, log);
    }
    free(log);
    if (out->report == NULL && out->error == NULL)
        out->error = arena_printf(work->arena, "mpiskel run ended with code %d and left no report",
                                  out->exit_code);
}

static void take(struct simulations_work *work, size_t index, const struct process_result *result) {
    struct simulation *simulation = &work->simulations[index];
    struct error error = {0};
    const char *path = file_of(work, index, "json");
    simulation->exit_code = result->exit_code;
    simulation->warnings = "";
    if (json_read(&simulation->report, path, &error) != 0 ||
        !json_is_number(json_object_get(simulation->report, "predicted_s"))) {
        json_decref(simulation->report);
        simulation->report = NULL;
    }
    simulation->error = simulation->report != NULL ? "" : NULL;
    read_log(simulation, work, index);
    unlink(path);
}

/* ---- All of them ---- */

static int run_all(struct simulations_work *work, size_t jobs, bool progress, struct error *error) {
    while (work->done < work->count && !process_interrupted()) {
        struct process_result result;
        size_t index = 0;
        while (work->started < work->count && work->pool.running.count < jobs)
            if (start(work, work->started++, error) != 0)
                return -1;
        if (pool_wait(&index, &result, &work->pool, progress ? show_progress : NULL, work, error) !=
            0)
            return -1;
        take(work, index, &result);
        work->done++;
    }
    if (process_interrupted())
        return error_set(error, "interrupted");
    return 0;
}

int simulations_run(struct simulation *simulations, size_t count, size_t jobs, bool show_progress,
                    struct arena *arena, struct error *error) {
    struct simulations_work work = {.simulations = simulations,
                                    .count = count,
                                    .start_s = clock_monotonic_s(),
                                    .arena = arena,
                                    .directory = directory_temporary(arena, "mpiskel-runs", error)};
    if (work.directory == NULL)
        return -1;
    int result = run_all(&work, jobs, show_progress, error);
    status_line_hide();
    pool_dispose(&work.pool);
    if (directory_remove(work.directory, error) != 0)
        result = -1;
    return result;
}

void simulation_tell_warnings(const struct simulation *simulation, const char *name) {
    const char *line = simulation->warnings;
    for (size_t length; *line != '\0'; line += length + (line[length] == '\n')) {
        length = strcspn(line, "\n");
        note("%s: %.*s", name, (int)length, line);
    }
}

void simulations_dispose(struct simulation *simulations, size_t count) {
    for (size_t i = 0; i < count; i++)
        json_decref(simulations[i].report);
}

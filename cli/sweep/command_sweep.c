/* SPDX-License-Identifier: Apache-2.0
 *
 * `mpiskel sweep`: all points of a grid, each simulated once (docs/how-to/sweep.md).
 *
 * Steps: expand the grid; give each point its identity; look what the store has; simulate the rest
 * (simulator/sweep/sweep.h); report. With `--work DIRECTORY FIRST COUNT`, which launchers call, it
 * is the worker of a batch.
 */
#include "base/str.h"
#include "cli/common/commands.h"
#include "cli/common/unexplained_note.h"

#include "base/file.h"
#include "base/process.h"
#include "base/words.h"
#include "cli/print/sweep_print.h"
#include "cli/sweep/sweep_options.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct sweep_job {
    struct arena arena;
    struct sweep_options options;
    struct bundle bundle;
    struct setup setup;
    struct sweep sweep;
    bool has_bundle;
};

/* ---- Points ---- */

static int compare_points(const void *a, const void *b) {
    const struct sweep_point *const *first = a, *const *second = b;
    int order = strcmp((*first)->key.id, (*second)->key.id);
    return order != 0 ? order : (*first > *second) - (*first < *second);
}

/* Different values may make the same point. The first of them stays. */
static void merge_same(struct sweep *sweep) {
    struct sweep_point **sorted = xmalloc((sweep->count + 1) * sizeof *sorted);
    size_t left = 0, before = sweep->count;
    for (size_t i = 0; i < before; i++)
        sorted[i] = &sweep->points[i];
    qsort(sorted, before, sizeof *sorted, compare_points);
    for (size_t i = 1; i < before; i++)
        sorted[i]->was_there = strcmp(sorted[i]->key.id, sorted[i - 1]->key.id) == 0;
    for (size_t i = 0; i < before; i++)
        if (!sweep->points[i].was_there)
            sweep->points[left++] = sweep->points[i];
    free(sorted);
    sweep->count = left;
    if (left < before)
        note("%zu of the grid's %zu points are the same as others", before - left, before);
}

static int make_points(struct sweep_job *job, struct error *error) {
    const struct sweep_options *options = &job->options;
    struct sweep *sweep = &job->sweep;
    sweep->count = options->point_count;
    sweep->points = ARENA_ARRAY(&job->arena, struct sweep_point, sweep->count + 1);
    for (size_t i = 0; i < sweep->count; i++) {
        sweep->points[i].what = options->points[i];
        if (point_identify(&sweep->points[i].key, &job->setup, &options->points[i], error) != 0)
            return -1;
    }
    merge_same(sweep);
    return 0;
}

/* ---- Preparing ---- */

static int check_launcher(struct sweep_job *job, struct error *error) {
    enum launcher launcher = job->options.settings.launcher;
    const char *needed = launcher == LAUNCHER_SLURM      ? "sbatch"
                         : launcher == LAUNCHER_PARALLEL ? "parallel"
                                                         : NULL;
    if (needed == NULL || program_find(&job->arena, needed) != NULL)
        return 0;
    return error_set(error, "there is no %s on the PATH, which --launcher %s needs", needed,
                     launcher == LAUNCHER_SLURM ? "slurm" : "parallel");
}

/* The files that a spec names are named as seen from its directory. */
static int go_to_spec(struct sweep_job *job, struct error *error) {
    struct sweep_options *options = &job->options;
    if (options->store != NULL)
        options->store = path_absolute(&job->arena, path_current(&job->arena), options->store);
    if (options->spec == NULL)
        return 0;
    const char *directory = path_directory(&job->arena, options->spec);
    if (chdir(directory) != 0)
        return error_set(error, "cannot go to %s: %s", directory, strerror(errno));
    return 0;
}

static int prepare(struct sweep_job *job, struct error *error) {
    struct sweep *sweep = &job->sweep;
    struct sweep_options *options = &job->options;
    bool is_even_if_wrong =
        words_contain(options->run_options.items, options->run_options.count, "--even-if-wrong");
    if (go_to_spec(job, error) != 0 || bundle_open(&job->bundle, options->bundle, error) != 0)
        return -1;
    job->has_bundle = true;
    const char *store = options->store != NULL
                            ? options->store
                            : path_join(&job->arena, job->bundle.directory, "store.db");
    sweep->arena = &job->arena;
    sweep->settings = options->settings;
    sweep->settings.show_progress = !options->no_progress && isatty(STDERR_FILENO);
    sweep->mpiskel = path_executable(&job->arena);
    sweep->bundle = job->bundle.directory;
    sweep->batches = path_join(&job->arena, path_directory(&job->arena, store), "sweeps");
    unexplained_note(sweep->bundle, NULL);
    if (check_launcher(job, error) != 0 || bundle_load_model(&job->bundle, error) != 0 ||
        bundle_check_verdict(&job->bundle, is_even_if_wrong, error) != 0 ||
        setup_make(&job->setup, &job->arena, &job->bundle, sweep->mpiskel, error) != 0 ||
        make_points(job, error) != 0 || store_open(&sweep->store, store, error) != 0)
        return -1;
    return sweep_look_up(sweep, error);
}

/* ---- The command ---- */

static void tell_extrapolated(const struct sweep *sweep) {
    size_t count = 0;
    for (size_t i = 0; i < sweep->count; i++) {
        const struct point_result *result = &sweep->points[i].result;
        count += result->message != NULL && text_has_prefix(result->message, POINT_EXTRAPOLATED);
    }
    if (count > 0)
        note("of %zu point%s the first iterations were simulated and the others extrapolated "
             "(--iterations all simulates all)",
             count, text_plural(count));
}

static void sum_up(const struct sweep *sweep) {
    struct sweep_counts counts = sweep_count(sweep);
    size_t rest = sweep->count - counts.finished;
    note("%zu of %zu points finished, %zu of them before; %zu failed%s", counts.finished,
         sweep->count, counts.were_there, counts.failed,
         counts.failed > 0 ? " (--retry simulates them again)" : "");
    tell_extrapolated(sweep);
    if (rest > 0 && counts.ours + counts.elsewhere > 0)
        note("%zu are at work, %zu are missing", counts.ours + counts.elsewhere,
             rest - counts.ours - counts.elsewhere);
}

static void print_report(const struct sweep_job *job) {
    const struct sweep_report report = {
        .sweep = &job->sweep,
        .grid = &job->options.grid,
        .program = job->bundle.regions.program,
        .bundle = job->options.bundle,
        .tries = job->options.tries.items,
    };
    sweep_print(&report, job->options.format);
}

static int sweep(struct sweep_job *job, struct error *error) {
    int result = prepare(job, error);
    if (result != 0)
        return -1;
    if (!job->options.dry_run)
        result = sweep_run(&job->sweep, error);
    if (result == 0) {
        print_report(job);
        result = output_finish(error);
    }
    sum_up(&job->sweep);
    return result;
}

static void clean_up(struct sweep_job *job) {
    store_close(job->sweep.store);
    setup_dispose(&job->setup);
    if (job->has_bundle)
        bundle_close(&job->bundle);
    sweep_options_dispose(&job->options);
    arena_dispose(&job->arena);
}

static int work(int argc, char **argv) {
    struct error error = {0};
    char *end = NULL;
    unsigned long long first = argc == 5 ? strtoull(argv[3], &end, 10) : 0;
    bool fine = end != NULL && *end == '\0';
    unsigned long long count = fine ? strtoull(argv[4], &end, 10) : 0;
    if (!fine || *end != '\0' || first > SIZE_MAX / 2 || count > SIZE_MAX / 2) {
        fprintf(stderr, "mpiskel sweep: --work DIRECTORY FIRST COUNT is for launchers\n");
        return EXIT_USAGE;
    }
    if (sweep_work(argv[2], (size_t)first, (size_t)count, &error) == 0)
        return EXIT_FINE;
    error_print(&error);
    return EXIT_FAILED;
}

int command_sweep(int argc, char **argv) {
    struct sweep_job job = {0};
    struct error error = {0};
    if (argc > 1 && strcmp(argv[1], "--work") == 0)
        return work(argc, argv);
    arena_init(&job.arena);
    int result = sweep_options_parse(&job.options, argc, argv, &error);
    if (result == 0)
        result = sweep(&job, &error);
    if (result != 0)
        error_print(&error);
    int exit_code = job.sweep.misuse != NULL                            ? EXIT_USAGE
                    : result != 0 || sweep_count(&job.sweep).failed > 0 ? EXIT_FAILED
                                                                        : EXIT_FINE;
    clean_up(&job);
    return exit_code;
}

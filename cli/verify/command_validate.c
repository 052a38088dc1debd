/* SPDX-License-Identifier: Apache-2.0
 *
 * `mpiskel validate`: how far predictions are off, in all and region by region.
 *
 * For each number of ranks and each set of arguments: simulate the skeleton; with --synthesis what
 * was synthesised of the program; simulate the original,
 * several times (validate_original.c); run the profiling build for the time
 * that each region really takes, and with --real once more, its regions untimed, for the time of
 * the whole run. Its samples are not added to the bundle's. Where there are more ranks than
 * --real-ranks nothing is run, and the report says so.
 */
#include "base/file.h"
#include "base/words.h"
#include "cli/common/commands.h"
#include "cli/common/mpi_program.h"
#include "cli/common/unexplained_note.h"
#include "cli/print/validated/validation_print.h"
#include "cli/run/parameters.h"
#include "cli/verify/validate_caches.h"
#include "cli/verify/validate_step.h"
#include "simulator/prediction/interval.h"
#include "simulator/prediction/prediction.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The other way to a prediction in `validate`: what was synthesised from recordings of the same
 * program, as if there were no source. */

/* Opens the bundle with its models: 0, or -1. The caller closes it. */
static int validate_synthesis_open(struct bundle *out, const char *directory, struct error *error) {
    if (bundle_open(out, directory, error) != 0)
        return -1;
    if (bundle_check_program(out, out->skeleton, error) == 0 &&
        bundle_load_model(out, error) == 0 && bundle_check_verdict(out, true, error) == 0)
        return 0;
    bundle_close(out);
    return -1;
}

/* The parameters become arguments. */
static int take_parameters(struct argument_set *out, const struct validate_step *step,
                           const char *directory, const char *parameters, struct error *error) {
    option_texts sets = {0};
    char *rest = arena_strdup(step->arena, parameters), *word;
    while ((word = strsep(&rest, ",")) != NULL)
        vec_push(&sets, word);
    struct synthesised_run run = {.bundle = directory,
                                  .ranks = step->placement.ranks,
                                  .sets = sets.items,
                                  .set_count = sets.count};
    int result = parameters_take(&run, step->arena, error);
    if (result == 0 && run.set_count > 0)
        result =
            error_set(error, "--set %s: %s has no parameter of that name", run.sets[0], directory);
    *out = (struct argument_set){run.arguments, run.argument_count};
    vec_dispose(&sets);
    return result;
}

/* Simulates it with these parameters ("n=512,steps=10") where the skeleton was simulated, and sets
 * what `out` has of it. `skeleton`: what that did. Refused where the synthesised calls do not fit
 * together. */
static int validate_synthesis(struct validated *out, const struct validate_step *step,
                              const struct bundle *bundle, const char *parameters,
                              const struct run_stats *skeleton, struct error *error) {
    struct run_stats stats;
    struct argument_set arguments;
    struct validate_step other = *step;
    if (take_parameters(&arguments, step, step->options->synthesis, parameters, error) != 0)
        return -1;
    other.bundle = bundle;
    other.arguments = &arguments;
    validate_tell(step, "simulating the synthesised program");
    if (validate_simulate(&stats, &other, NULL, error) != 0)
        return -1;
    out->synthesis.is_known = true;
    out->synthesis.predicted_s = stats.makespan_s;
    validated_add_functions(&out->synthesis, skeleton, &stats, step->arena);
    run_stats_dispose(&stats);
    return 0;
}

#define REAL_RUNS 3 /* the median of which counts */

/* ---- One configuration ---- */

struct validate_job {
    struct arena arena;
    struct bundle bundle;
    const char *directory;          /* temporary; NULL: not made yet */
    struct unexplained unexplained; /* of the profiling runs */
    bool has_bundle, has_synthesis;
    struct bundle synthesis;
    VEC(struct trained_bundle) trained; /* --caches */
    struct real_command command;        /* its launcher; each run has its own words and ranks */
    struct validation validation;
};

/* Models for a number of ranks. */
struct trained_bundle {
    size_t ranks;
    struct bundle bundle;
};

/* The bundle itself, or one that is trained for these ranks; NULL: that failed. */
static const struct bundle *bundle_for(struct validate_job *job,
                                       const struct validate_options *options, size_t ranks,
                                       struct error *error) {
    if (options->caches == NULL)
        return &job->bundle;
    for (size_t i = 0; i < job->trained.count; i++)
        if (job->trained.items[i].ranks == ranks)
            return &job->trained.items[i].bundle;
    struct trained_bundle made = {.ranks = ranks};
    const char *directory =
        path_join(&job->arena, job->directory, arena_printf(&job->arena, "%zu.skel", ranks));
    if (validate_train(&made.bundle, &job->bundle, options, ranks, directory, &job->arena, error) !=
        0)
        return NULL;
    vec_push(&job->trained, made);
    return &job->trained.items[job->trained.count - 1].bundle;
}

static int run_once(struct real_run *out, struct validate_job *job,
                    const struct validate_step *step, bool with_regions, struct error *error) {
    struct real_command command = job->command;
    command.ranks = step->placement.ranks;
    command.arguments = step->arguments->words;
    command.argument_count = step->arguments->count;
    command.with_regions = with_regions;
    if (directory_make(step->directory, error) != 0 ||
        real_run(out, &job->bundle, &command, step->directory, &job->arena, error) != 0)
        return -1;
    return directory_remove(step->directory, error);
}

/* Those that count take the same time each time. */
static size_t real_runs(const struct validate_job *job, const struct validate_options *options) {
    return options->repeat > 0                   ? options->repeat
           : job->bundle.regions.counted != NULL ? 1
                                                 : REAL_RUNS;
}

static int time_runs(struct times *out, struct validate_job *job, const struct validate_step *step,
                     struct error *error) {
    size_t count = real_runs(job, step->options);
    double *seconds = ARENA_ARRAY(&job->arena, double, count);
    double *processor_s = ARENA_ARRAY(&job->arena, double, count);
    for (size_t i = 0; i < count; i++) {
        struct real_run run;
        validate_tell(step,
                      arena_printf(&job->arena, "running it really (%zu of %zu)", i + 1, count));
        if (run_once(&run, job, step, false, error) != 0)
            return -1;
        seconds[i] = run.elapsed_s;
        processor_s[i] = run.processor_s / (double)step->placement.ranks;
    }
    *out = times_of(seconds, count);
    out->processor_s = times_of(processor_s, count).median_s;
    return 0;
}

/* The median of each region's times over the runs; parts of them, which are the same in each. */
static int time_regions(double *region_s, struct counted_parts *parts, struct validate_job *job,
                        const struct validate_step *step, struct error *error) {
    size_t count = real_runs(job, step->options), regions = (size_t)job->bundle.regions.count;
    double *seconds = ARENA_ARRAY(&job->arena, double, count *regions + 1);
    for (size_t i = 0; i < count; i++) {
        struct real_run run;
        validate_tell(step,
                      arena_printf(&job->arena, "measuring regions (%zu of %zu)", i + 1, count));
        if (run_once(&run, job, step, true, error) != 0)
            return -1;
        *parts = run.parts;
        for (size_t k = 0; k < regions; k++)
            seconds[k * count + i] = run.region_s[k];
    }
    for (size_t k = 0; k < regions; k++)
        region_s[k] = times_of(seconds + k * count, count).median_s;
    return 0;
}

/* Sets regions_from; NULL in it: they can be measured. */
static const char *why_no_regions(const struct validate_options *options, size_t ranks,
                                  struct arena *arena) {
    if (options->no_regions && options->launcher == NULL)
        return "not measured (--no-regions)";
    if (ranks > options->real_ranks)
        return arena_printf(arena,
                            "not measured: %zu ranks are more than --real-ranks %zu (by default "
                            "as many as there are processors)",
                            ranks, options->real_ranks);
    return NULL;
}

static int measure_regions(struct validated *out, struct validate_job *job,
                           const struct prediction *prediction, const struct validate_step *step,
                           struct error *error) {
    const struct validate_options *options = step->options;
    double *region_s = ARENA_ARRAY(&job->arena, double, (size_t)job->bundle.regions.count + 1);
    out->regions_from = why_no_regions(options, out->ranks, &job->arena);
    if (out->regions_from != NULL)
        return 0;
    if (options->launcher != NULL && time_runs(&out->real, job, step, error) != 0)
        return -1;
    out->is_crowded = out->ranks > (size_t)sysconf(_SC_NPROCESSORS_ONLN);
    out->regions_from = "not compared (--no-regions)";
    if (options->no_regions)
        return 0;
    if (time_regions(region_s, &out->parts, job, step, error) != 0)
        return -1;
    out->regions_from = "measured by the profiling build, seconds per rank";
    validated_add_regions(out, prediction, region_s);
    return 0;
}

/* What it is held against: the other way, the original, the profiling build. */
static int hold_against(struct validated *out, struct validate_job *job,
                        const struct prediction *prediction, struct validate_step *step,
                        struct error *error) {
    const struct validate_options *options = step->options;
    if (options->synthesis != NULL &&
        validate_synthesis(out, step, &job->synthesis,
                           options->sets.items[step->arguments - options->arguments.items],
                           prediction->stats, error) != 0)
        return -1;
    if (!options->no_original && validate_original(out, step, error) != 0)
        return -1;
    return measure_regions(out, job, prediction, step, error);
}

/* A warning: here it is seen what is right. */
static int check_arguments(struct validate_job *job, const struct validate_step *step,
                           struct error *error) {
    struct bundle_use use = {.name = step->options->bundle,
                             .ranks = step->placement.ranks,
                             .arguments = step->arguments->words,
                             .argument_count = step->arguments->count,
                             .even_if_unknown = true};
    return step->options->caches != NULL ? 0 : bundle_check_arguments(&job->bundle, &use, error);
}

static int validate_one(struct validated *out, struct validate_job *job, struct validate_step *step,
                        struct error *error) {
    struct run_stats stats;
    struct prediction prediction;
    struct disturbance_mark begun = disturbance_begin();
    const struct bundle *bundle = bundle_for(job, step->options, out->ranks, error);
    if (bundle == NULL || check_arguments(job, step, error) != 0)
        return -1;
    step->bundle = bundle;
    bool shares = out->ranks > 1 && bundle->regions.counted == NULL; /* else each has its own */
    out->original_caches = shares ? "cold" : "warm";
    out->is_counted = bundle->regions.counted != NULL;
    out->model_caches = validate_trained_caches(bundle, &job->arena);
    validate_tell(step, "simulating the skeleton");
    if (validate_simulate(&stats, step, NULL, error) != 0)
        return -1;
    int result =
        prediction_make(&prediction, &stats, &bundle->regions, bundle->model, NULL, false, error);
    if (result == 0) {
        out->predicted_s = stats.makespan_s;
        out->interval = prediction.interval;
        interval_widen(&out->interval, &job->unexplained);
        out->interval.known &= job->bundle.not_known.count == 0;
        result = hold_against(out, job, &prediction, step, error);
        struct disturbance disturbance = disturbance_since(&begun);
        if (bundle->regions.counted == NULL) /* nobody disturbs what counts */
            validated_find_doubts(out, &disturbance);
        prediction_dispose(&prediction);
    }
    run_stats_dispose(&stats);
    return result;
}

/* ---- The command ---- */

/* A wrong one is a warning: here it is seen by how much. */
static void tell_verdict(const struct bundle *bundle, const struct validate_options *options) {
    struct str text = {0};
    verdict_add_text(&text, &bundle->verdict);
    if (options->caches == NULL && bundle->verdict.state == VERDICT_RIGHT)
        note("%s", text.text);
    str_dispose(&text);
}

static int check_ranks(const struct bundle *bundle, struct validate_options *options,
                       struct error *error) {
    if (options->ranks.count == 0)
        vec_push(&options->ranks, options->placement.ranks);
    for (size_t i = 0; i < options->ranks.count; i++)
        if (bundle_check_ranks(bundle, options->ranks.items[i], error) != 0)
            return -1;
    return 0;
}

static int find_launcher(struct validate_job *job, const struct validate_options *options,
                         struct error *error) {
    struct real_command *command = &job->command;
    command->launcher = options->launcher;
    command->launcher_count = options->launcher_count;
    mpi_program_started(command, &job->bundle,
                        path_join(&job->arena, job->bundle.directory, "profile"), &job->arena);
    if (command->launcher_count == 0 || (options->launcher == NULL && options->no_regions) ||
        program_find(&job->arena, command->launcher[0]) != NULL)
        return 0;
    return error_set(error,
                     "there is no %s, which runs the profiling build: install it, give another one "
                     "with --real, or leave the regions out with --no-regions",
                     command->launcher[0]);
}

static int prepare(struct validate_job *job, struct validate_options *options,
                   struct error *error) {
    struct bundle *bundle = &job->bundle;
    if (bundle_open(bundle, options->bundle, error) != 0)
        return -1;
    job->has_bundle = true;
    if (check_ranks(bundle, options, error) != 0 ||
        bundle_check_clock(bundle, options->clock, error) != 0)
        return -1;
    job->validation.program = bundle->regions.program;
    job->validation.launcher = options->launcher_text;
    if (bundle_check_program(bundle, bundle->skeleton, error) != 0 ||
        (!options->no_original && bundle_check_program(bundle, bundle->original, error) != 0) ||
        (options->caches == NULL &&
         (bundle_load_model(bundle, error) != 0 || bundle_check_verdict(bundle, true, error) != 0)))
        return -1;
    tell_verdict(bundle, options);
    if (options->caches == NULL)
        job->unexplained = unexplained_note(options->bundle, NULL);
    if (options->synthesis != NULL) {
        if (validate_synthesis_open(&job->synthesis, options->synthesis, error) != 0)
            return -1;
        job->has_synthesis = true;
    }
    if (find_launcher(job, options, error) != 0)
        return -1;
    job->directory = directory_temporary(&job->arena, "mpiskel-validate", error);
    return job->directory != NULL ? 0 : -1;
}

static int validate(struct validate_job *job, const struct validate_options *options,
                    struct error *error) {
    for (size_t a = 0; a < options->arguments.count; a++)
        for (size_t r = 0; r < options->ranks.count; r++) {
            const struct argument_set *set = &options->arguments.items[a];
            struct validated one = {
                .ranks = options->ranks.items[r],
                .arguments = words_text(&job->arena, (const char *const *)set->words, set->count)};
            struct validate_step step = {.options = options,
                                         .arena = &job->arena,
                                         .placement = options->placement,
                                         .arguments = set,
                                         .directory =
                                             path_join(&job->arena, job->directory, "run")};
            step.placement.ranks = one.ranks;
            int result = validate_one(&one, job, &step, error);
            one.network = step.network;
            vec_push(&job->validation.items, one);
            if (result != 0)
                return -1;
        }
    validation_print(stdout, &job->validation, options->format, options->top);
    return fflush(stdout) == 0 ? 0 : error_set(error, "cannot write the report");
}

static int misses_quality(const struct validate_job *job, const struct validate_options *options) {
    double percent = 100 * validation_largest_error(&job->validation);
    if (percent <= options->max_error_percent)
        return 0;
    note("the largest error is %.1f%%, more than --max-error %g", percent,
         options->max_error_percent);
    return 1;
}

static void clean_up(struct validate_job *job, struct validate_options *options) {
    struct error error = {0};
    validation_dispose(&job->validation);
    for (size_t i = 0; i < job->trained.count; i++)
        bundle_close(&job->trained.items[i].bundle);
    vec_dispose(&job->trained);
    if (job->has_bundle)
        bundle_close(&job->bundle);
    if (job->has_synthesis)
        bundle_close(&job->synthesis);
    if (job->directory != NULL && directory_remove(job->directory, &error) != 0)
        error_print(&error);
    validate_options_dispose(options);
    arena_dispose(&job->arena);
}

int command_validate(int argc, char **argv) {
    struct validate_options options;
    struct validate_job job = {0};
    struct error error = {0};
    validate_options_parse(&options, argc, argv);
    arena_init(&job.arena);
    int result = prepare(&job, &options, &error);
    if (result == 0)
        result = validate(&job, &options, &error);
    if (result != 0)
        error_print(&error);
    int exit_code = result != 0                      ? EXIT_FAILED
                    : misses_quality(&job, &options) ? EXIT_MISSED
                                                     : EXIT_FINE;
    clean_up(&job, &options);
    return exit_code;
}

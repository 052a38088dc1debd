/* SPDX-License-Identifier: Apache-2.0
 *
 * `mpiskel verify`: does the skeleton make the same MPI calls as the application?
 *
 * Steps: run `original` and then `skeleton` under SMPI, both without any cost of computation, their
 * calls recorded (BSIM_TRACE); compare the records; say whether they agree, or where they first
 * part and by how much calls, messages and bytes differ, which may be tolerated. If the skeleton
 * reads clocks, and there are models, the same once more with regions that take what the models
 * say, on both sides: so what goes by clocks is compared as well. If one side fails,
 * its log is shown; if both fail in the same way after the same calls, that is told and counts as
 * agreement. The application's output goes into a log for each side.
 */
#include "cli/common/commands.h"

#include "base/file.h"
#include "base/output_format.h"
#include "base/words.h"
#include "cli/common/command_syntax.h"
#include "cli/common/left_behind.h"
#include "cli/print/real_print.h"
#include "cli/print/verify_print.h"
#include "cli/verify/crash_cause.h"
#include "cli/verify/real_side.h"
#include "cli/verify/verify_options.h"
#include "simulator/compare/given.h"
#include "simulator/compare/given_difference.h"
#include "simulator/compare/volume_difference.h"
#include "simulator/run/bundle.h"
#include "simulator/run/launch.h"
#include "simulator/run/outcome.h"
#include "simulator/run/placement.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct verify_job {
    struct arena arena;
    struct bundle bundle;
    struct line_map *map;
    const char *directory; /* temporary, or --keep; NULL: not made yet */
    const char *records[SIDE_COUNT];
    const char *left; /* by the original in the current directory; NULL: nothing */
    struct placement placement;
    struct launch_result results[SIDE_COUNT];
    struct outcome outcomes[SIDE_COUNT];
    struct comparison comparison;
    struct volume_difference volumes; /* only if the sides differ, likewise: */
    struct given_difference values;
    struct real_verdict real;
    bool has_bundle, has_comparison, has_volumes, has_values;
    bool with_latencies; /* regions take what the models say */
};

static bool is_empty(const char *path) {
    DIR *directory = opendir(path);
    size_t entries = 0;
    while (directory != NULL && readdir(directory) != NULL)
        entries++;
    if (directory != NULL)
        closedir(directory);
    return entries <= 2; /* . and .. */
}

static int make_directory(struct verify_job *job, const struct verify_options *options,
                          struct error *error) {
    if (options->keep == NULL) {
        job->directory = directory_temporary(&job->arena, "mpiskel-verify", error);
        return job->directory != NULL ? 0 : -1;
    }
    if (directory_make(options->keep, error) != 0)
        return -1;
    if (!is_empty(options->keep))
        return error_set(error,
                         "--keep %s: the directory is not empty; old records would mix with "
                         "new ones",
                         options->keep);
    job->directory = path_absolute(&job->arena, path_current(&job->arena), options->keep);
    return 0;
}

/* Only a warning: here the original says what is right. */
static int tell_not_known(struct bundle *bundle, const struct verify_options *options,
                          struct error *error) {
    struct bundle_use use = {.name = options->bundle,
                             .ranks = options->placement.ranks,
                             .arguments = options->arguments,
                             .argument_count = options->argument_count,
                             .even_if_unknown = true};
    return bundle_check_arguments(bundle, &use, error);
}

static int prepare(struct verify_job *job, const struct verify_options *options,
                   struct error *error) {
    struct bundle *bundle = &job->bundle;
    if (bundle_open(bundle, options->bundle, error) != 0)
        return -1;
    job->has_bundle = true;
    if (bundle_check_ranks(bundle, options->placement.ranks, error) != 0)
        return -1;
    source_hashes_tell_changes(&bundle->regions.sources, bundle->regions.root, options->bundle);
    bundle_tell_limits(bundle);
    if (bundle_check_program(bundle, bundle->original, error) != 0 ||
        bundle_check_program(bundle, bundle->skeleton, error) != 0 ||
        line_map_read(&job->map, bundle->regions_file, error) != 0 ||
        make_directory(job, options, error) != 0 ||
        (!options->replay && tell_not_known(bundle, options, error) != 0))
        return -1;
    return placement_prepare(&job->placement, &options->placement, job->directory, &job->arena,
                             error);
}

static struct launch launch_of(struct verify_job *job, enum verify_side side,
                               const struct verify_options *options) {
    const char *directory = path_join(&job->arena, job->directory, verify_side_names[side]);
    if (job->with_latencies)
        directory = arena_printf(&job->arena, "%s-with-latencies", directory);
    struct launch launch = {
        .program = side == SIDE_ORIGINAL ? job->bundle.original : job->bundle.skeleton,
        .arguments = options->arguments,
        .argument_count = options->argument_count,
        .work_directory = directory,
        .trace_directory = directory,
        .values_directory =
            options->replay ? path_join(&job->arena, job->directory, "values") : NULL,
        .clock_step_s = options->clock_step_s,
        .with_latencies = job->with_latencies,
        .noise = job->with_latencies ? "off" : NULL,
        .output = OUTPUT_TO_LOG,
        .show_progress = !options->no_progress,
        .shares_input = true,
        .has_one_thread = job->bundle.regions.one_thread != NULL,
    };
    placement_apply(&launch, &job->placement, &options->placement);
    return launch;
}

static int record(struct verify_job *job, enum verify_side side,
                  const struct verify_options *options, struct error *error) {
    struct launch launch = launch_of(job, side, options);
    job->records[side] = launch.trace_directory;
    if (directory_make(launch.work_directory, error) != 0 ||
        (launch.values_directory != NULL && directory_make(launch.values_directory, error) != 0) ||
        launch_run(&job->results[side], &launch, &job->arena, error) != 0)
        return -1;
    if (!process_interrupted())
        return 0;
    if (side == SIDE_SKELETON) /* it may be these by which it never ends */
        given_tell(job->results[side].given_file, &job->bundle.regions, options->placement.ranks,
                   options->replay);
    return error_set(error, "interrupted");
}

static int compare(struct verify_job *job, const struct verify_options *options,
                   struct error *error) {
    struct left_behind noted;
    struct outcome *original = &job->outcomes[SIDE_ORIGINAL];
    left_behind_begin(&noted);
    int result = record(job, SIDE_ORIGINAL, options, error);
    job->left = left_behind_end(&noted, &job->arena);
    if (result != 0)
        return -1;
    outcome_read(original, &job->results[SIDE_ORIGINAL], true);
    if (options->replay && original->kind == OUTCOME_CRASHED)
        return error_set(error, "the original failed, so that its values are incomplete: %s",
                         original->text);
    if (record(job, SIDE_SKELETON, options, error) != 0)
        return -1;
    comparison_make(&job->comparison, job->records, options->placement.ranks,
                    &(struct comparison_rules){.multiset = options->multiset});
    job->has_comparison = true;
    for (int side = 0; side < SIDE_COUNT; side++)
        outcome_read(&job->outcomes[side], &job->results[side], job->comparison.complete[side]);
    return 0;
}

/* What an error of MPI's use or a full stack is, has been told. */
static bool is_unexplained(const struct outcome *outcome) {
    return !outcome->is_of_stack && !outcome->is_of_memory &&
           strstr(outcome->text, "returned MPI_ERR_") == NULL;
}

static void tell_failure(struct verify_job *job, enum verify_side side,
                         const struct verify_options *options) {
    if (job->outcomes[side].kind == OUTCOME_FINE)
        return;
    note("error: the %s failed: %s", verify_side_names[side], job->outcomes[side].text);
    const char *libraries = job->bundle.regions.binary_mpi;
    bool is_crash = side == SIDE_ORIGINAL && job->outcomes[side].kind == OUTCOME_CRASHED;
    if (is_crash && libraries != NULL) {
        note("note: the likely cause is %s, but was not compiled for SimGrid's MPI (see the "
             "warning)",
             libraries);
    } else if (is_crash && is_unexplained(&job->outcomes[side])) {
        struct launch launch = launch_of(job, side, options);
        crash_cause_tell(&launch, &job->bundle, job->directory, &job->arena);
    }
    if (side == SIDE_SKELETON)
        given_tell(job->results[side].given_file, &job->bundle.regions, options->placement.ranks,
                   options->replay);
}

/* Both got through, or both called MPI_Abort (and left records that show where). */
static bool ended_alike(const struct verify_job *job) {
    enum outcome_kind kind = job->outcomes[SIDE_ORIGINAL].kind;
    return kind == job->outcomes[SIDE_SKELETON].kind &&
           (kind == OUTCOME_FINE || (kind == OUTCOME_ABORTED && job->comparison.calls > 0));
}

static void tell_endings(struct verify_job *job, bool identical,
                         const struct verify_options *options) {
    const struct outcome *outcomes = job->outcomes;
    const char *text = outcomes[SIDE_ORIGINAL].text;
    if (!ended_alike(job) || !identical) {
        tell_failure(job, SIDE_ORIGINAL, options);
        tell_failure(job, SIDE_SKELETON, options);
    } else if (outcomes[SIDE_ORIGINAL].kind == OUTCOME_ABORTED) {
        note("identical up to MPI_Abort, which both sides call after the same calls (%.*s)",
             (int)strcspn(text, "\n"), text);
    }
    if (ended_alike(job) && outcomes[SIDE_ORIGINAL].exit_code != outcomes[SIDE_SKELETON].exit_code)
        note("warning: the original returned %d, the skeleton %d",
             outcomes[SIDE_ORIGINAL].exit_code, outcomes[SIDE_SKELETON].exit_code);
}

static void compare_values(struct verify_job *job, const struct verify_options *options) {
    struct error error = {0};
    const char *const paths[] = {job->results[SIDE_ORIGINAL].given_file,
                                 job->results[SIDE_SKELETON].given_file};
    if (given_difference_make(&job->values, paths, &job->bundle.regions, options->placement.ranks,
                              &error) != 0) {
        error_print(&error);
        return;
    }
    job->has_values = job->values.values > 0;
    job->values.replayed = options->replay;
}

static void sum_up(struct verify_job *job, const struct verify_options *options) {
    struct error error = {0};
    if (volume_difference_make(&job->volumes, &job->comparison, job->records,
                               options->format == OUTPUT_JSON, &error) != 0) {
        if (!job->comparison.failed) /* or else records are known to be incomplete */
            note("%sno sums of calls and bytes: %s", options->tolerance >= 0 ? "error: " : "",
                 error.text);
        return;
    }
    job->has_volumes = true;
    job->volumes.tolerance = options->tolerance;
    job->volumes.rank_tolerance = options->rank_tolerance;
}

/* Of a skeleton that failed more has been told. */
static void tell_values(const struct verify_job *job, const struct verify_options *options) {
    int values = 0;
    for (int i = 0; i < job->bundle.regions.count; i++)
        values += job->bundle.regions.items[i].value != VALUE_NONE;
    if (values > 0 && !options->replay && job->outcomes[SIDE_SKELETON].kind == OUTCOME_FINE)
        note("the skeleton takes %d value%s as given, here from its models; --replay takes the "
             "original's",
             values, values > 1 ? "s" : "");
}

/* Of the original's second run, in a directory of its own; -1: it was not made. */
static int ranks_that_differ_again(struct verify_job *job, const struct verify_options *options) {
    struct launch launch = launch_of(job, SIDE_ORIGINAL, options);
    struct launch_result result;
    struct comparison comparison;
    struct error error = {0};
    launch.work_directory = launch.trace_directory =
        path_join(&job->arena, job->directory, "original-again");
    if (options->replay)
        launch.values_directory = path_join(&job->arena, job->directory, "values-again");
    if (directory_make(launch.work_directory, &error) != 0 ||
        (options->replay && directory_make(launch.values_directory, &error) != 0) ||
        launch_run(&result, &launch, &job->arena, &error) != 0 || process_interrupted())
        return -1;
    const char *records[SIDE_COUNT] = {job->records[SIDE_ORIGINAL], launch.trace_directory};
    comparison_make(&comparison, records, options->placement.ranks,
                    &(struct comparison_rules){.multiset = options->multiset});
    int different = (int)comparison.ranks_different;
    comparison_dispose(&comparison);
    return different;
}

/* Whose fault is the difference? */
static void run_original_again(struct verify_job *job, const struct verify_options *options) {
    if (!ended_alike(job))
        return;
    int different = ranks_that_differ_again(job, options);
    if (different > 0)
        note("the original, run once more, differs from its first run on %d of %zu ranks: it goes "
             "by random numbers, by the time, or by what the first run left here",
             different, options->placement.ranks);
    else if (different == 0)
        note("the original, run once more, makes the same calls as before: the difference is the "
             "skeleton's");
}

static enum exit_code judge(const struct verify_job *job, const struct verify_options *options) {
    if (job->comparison.failed || (options->tolerance >= 0 && !job->has_volumes))
        return EXIT_FAILED;
    return options->tolerance >= 0 && volume_difference_within(&job->volumes) ? EXIT_FINE
                                                                              : EXIT_MISSED;
}

/* ---- The real run ---- */

static int run_really(struct verify_job *job, const struct verify_options *options,
                      struct error *error) {
    enum outcome_kind original = job->outcomes[SIDE_ORIGINAL].kind;
    struct real_request request = {
        .options = &options->real,
        .bundle = &job->bundle,
        .directory = job->directory,
        .ranks = options->placement.ranks,
        .arguments = options->arguments,
        .argument_count = options->argument_count,
        .records = job->records,
        .original_aborts = original == OUTCOME_ABORTED,
        .sides_agree = job->comparison.ranks_different == 0 && ended_alike(job),
    };
    bool is_wanted = false;
    if ((original != OUTCOME_FINE && original != OUTCOME_ABORTED) || options->clock_step_s > 0)
        return 0;
    if (real_side_choose(&is_wanted, &request, &job->arena, error) != 0)
        return -1;
    return is_wanted ? real_side_compare(&job->real, &request, &job->arena, error) : 0;
}

/* What is wrong with the skeleton comes first. A limit is a failure only of a run that was asked
 * for. */
static enum exit_code with_real(const struct verify_job *job, const struct verify_options *options,
                                enum exit_code simulated) {
    if (simulated != EXIT_FINE)
        return simulated;
    if (job->real.kind == REAL_UNFINISHED && options->real.wanted)
        return EXIT_FAILED;
    return job->real.kind == REAL_DIFFERENT ? EXIT_SIMULATION : EXIT_FINE;
}

/* Of a bundle that has no models yet; for who reads it, not for scripts. */
static void tell_next(struct verify_job *job, const struct verify_options *options) {
    const char *profile = path_join(&job->arena, options->bundle, "profile");
    const struct regions *regions = &job->bundle.regions;
    printf("next: %s%s ARGUMENTS, with small sizes%s, then mpiskel fit %s\n",
           regions_launcher(regions), words_text(&job->arena, &profile, 1),
           regions->is_one_rank ? "" : " and on 1 to 4 ranks",
           words_text(&job->arena, &options->bundle, 1));
}

static enum exit_code conclude(struct verify_job *job, const struct verify_options *options) {
    struct comparison *comparison = &job->comparison;
    bool identical = comparison->ranks_different == 0;
    comparison->failed = !ended_alike(job);
    for (int side = 0; side < SIDE_COUNT; side++)
        comparison->crashed[side] = job->outcomes[side].kind == OUTCOME_CRASHED;
    tell_endings(job, identical, options);
    if (!identical) {
        tell_values(job, options);
        compare_values(job, options);
        sum_up(job, options);
    }
    struct verify_sums sums = {.real = &job->real,
                               .volumes = job->has_volumes ? &job->volumes : NULL,
                               .values = job->has_values ? &job->values : NULL};
    if (options->format == OUTPUT_JSON)
        comparison_print_json(stdout, comparison, job->map, &sums);
    else
        comparison_print(stdout, comparison, job->map, &sums);
    if (options->format != OUTPUT_JSON)
        real_verdict_print(stdout, &job->real, identical && !comparison->failed, job->map);
    if (identical) {
        enum exit_code code = with_real(job, options, comparison->failed ? EXIT_FAILED : EXIT_FINE);
        if (code == EXIT_FINE && options->format != OUTPUT_JSON && isatty(STDOUT_FILENO) &&
            !file_exists(job->bundle.model_file))
            tell_next(job, options);
        return code;
    }
    enum exit_code exit_code = judge(job, options);
    if (exit_code != EXIT_FINE)
        run_original_again(job, options);
    if (job->left != NULL)
        note("the original left %s here before the skeleton began; if the program does something "
             "else where that is already there, verify with arguments that avoid it",
             job->left);
    return with_real(job, options, exit_code);
}

static void dispose_results(struct verify_job *job) {
    if (job->has_volumes)
        volume_difference_dispose(&job->volumes);
    if (job->has_values)
        given_difference_dispose(&job->values);
    if (job->has_comparison)
        comparison_dispose(&job->comparison);
}

/* ---- Once more, with latencies ---- */

static bool is_alike(const struct verify_job *job) {
    return job->comparison.ranks_different == 0 && ended_alike(job) &&
           job->outcomes[SIDE_ORIGINAL].kind == OUTCOME_FINE;
}

static bool wants_latencies(const struct verify_job *job, const struct verify_options *options) {
    return job->bundle.regions.reads_clocks && options->clock_step_s <= 0 && !options->replay &&
           file_exists(job->bundle.model_file) && is_alike(job);
}

/* The side that failed: NULL: none did. */
static const struct outcome *failure_of(const struct verify_job *job) {
    for (int side = 0; side < SIDE_COUNT; side++)
        if (job->outcomes[side].kind != OUTCOME_FINE)
            return &job->outcomes[side];
    return NULL;
}

/* True: it tells more than the first comparison, by which the sides are alike. */
static bool differs_with_latencies(struct verify_job *again, const struct verify_options *options) {
    struct error error = {0};
    again->with_latencies = true;
    again->has_comparison = again->has_volumes = again->has_values = false;
    int result = compare(again, options, &error);
    const struct outcome *failure = result == 0 ? failure_of(again) : NULL;
    if (result != 0 || failure != NULL) {
        note("the skeleton reads clocks, and the models' latencies could not be compared with: %s",
             failure != NULL ? failure->text : error.text);
        return false;
    }
    bool differs = !is_alike(again);
    note(differs ? "identical where regions take no time, but where they take what the models say:"
                 : "identical, too, where regions take what the models say");
    return differs;
}

static enum exit_code conclude_twice(struct verify_job *job, const struct verify_options *options) {
    struct verify_job again = *job;
    bool differs = differs_with_latencies(&again, options);
    job->arena = again.arena;
    enum exit_code exit_code = conclude(differs ? &again : job, options);
    if (differs)
        job->arena = again.arena;
    dispose_results(&again);
    return exit_code;
}

static void clean_up(struct verify_job *job, const struct verify_options *options) {
    struct error error = {0};
    dispose_results(job);
    if (job->real.command != NULL)
        comparison_dispose(&job->real.comparison);
    line_map_free(job->map);
    if (job->has_bundle)
        bundle_close(&job->bundle);
    if (job->directory != NULL && options->keep == NULL &&
        directory_remove(job->directory, &error) != 0)
        error_print(&error);
    arena_dispose(&job->arena);
}

int command_verify(int argc, char **argv) {
    struct verify_options options = {
        .placement = placement_options_default(),
        .tolerance = -1,
        .rank_tolerance = -1,
        .real = {.limit_s = 60}, /* longer, and it is no small run to verify with */
    };
    struct verify_job job = {0};
    struct error error = {0};
    arena_init(&job.arena);
    command_syntax_split(&argc, argv, &options.arguments, &options.argument_count);
    command_syntax_parse(&verify_syntax, &options, argc, argv);
    int result = prepare(&job, &options, &error);
    if (result == 0)
        result = compare(&job, &options, &error);
    if (result == 0)
        result = run_really(&job, &options, &error);
    if (result != 0)
        error_print(&error);
    enum exit_code exit_code = result != 0                       ? EXIT_FAILED
                               : wants_latencies(&job, &options) ? conclude_twice(&job, &options)
                                                                 : conclude(&job, &options);
    clean_up(&job, &options);
    placement_options_dispose(&options.placement);
    arena_dispose(&options.real.arena);
    return exit_code;
}

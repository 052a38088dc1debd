/* SPDX-License-Identifier: Apache-2.0
 *
 * `mpiskel run`: the skeleton of a bundle under SMPI, and what that predicts.
 *
 * Steps: open the bundle and its model; write platform and hostfile; simulate; find out whether
 * every rank got through; report. With --original the application itself is simulated, its
 * computation timed while it runs here. With --distribution the skeleton is simulated again and
 * again with latencies drawn around models. The application's stdout comes before it, or on stderr.
 */
#include "cli/common/commands.h"
#include "cli/common/opened.h"
#include "cli/run/own_times.h"
#include "cli/run/parameters.h"
#include "cli/run/run_devices.h"
#include "cli/run/run_dump.h"
#include "cli/run/run_options.h"

#include "analysis/report/report_run.h"
#include "analysis/trace/trace_check.h"
#include "base/file.h"
#include "cli/print/prediction_print.h"
#include "model/findings/rough.h"
#include "model/store/model_set.h"
#include "simulator/changes/value_changes.h"
#include "simulator/compare/given.h"
#include "simulator/noise/machine_noise.h"
#include "simulator/prediction/interval.h"
#include "simulator/prediction/run_findings.h"
#include "simulator/run/again.h"
#include "simulator/run/bundle.h"
#include "simulator/run/ideal.h"
#include "simulator/run/launch.h"
#include "simulator/run/outcome.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* So many that the 95 % interval has a simulation beyond it on either side. */
#define DEFAULT_REPEAT 40
#define DEFAULT_SEED 1

/* What one run holds on to. */
struct run_job {
    struct arena arena;
    struct bundle bundle;
    const char *directory; /* temporary; NULL: not made yet */
    struct launch launch;
    struct asked_trace recording;
    named_regions regions;    /* between which times are told */
    struct output_file trace; /* with has_trace */
    struct launch_result result;
    struct run_stats stats;
    struct noise noise;
    struct interrupted interrupted;
    struct models models; /* whose latencies the run has */
    struct samples runs;  /* likewise, without samples */
    struct unexplained unexplained;
    struct findings findings;
    struct interval_basis basis;
    bool orders_connections;
    bool has_models, knows_costs;
    struct run_stats ideal; /* with has_ideal */
    struct attribution attribution;
    struct scenario scenario;
    struct iteration_report iterations;
    const char *network;   /* in words */
    const char *processor; /* that counts, in one line; NULL: none does */
    bool has_bundle, has_trace, has_stats, has_ideal, has_failed;
    int exit_code; /* the application's own */
};

/* What cannot be written is told before anything runs. */
static int prepare_output(struct launch *launch, const struct run_options *options,
                          struct error *error) {
    const char *given = options->app_output;
    bool is_file = given != NULL && strcmp(given, "none") != 0;
    launch->output_file = given == NULL || is_file ? given : "/dev/null";
    return is_file ? output_file_check(given, error) : 0;
}

/* A platform of the user's may have settings of SMPI; that an ideal network costs nothing is meant.
 */
static bool says_what_calls_cost(const struct placement_options *options) {
    return options->platform != NULL ||
           (options->network != NULL && strcmp(options->network, "ideal") == 0);
}

static unsigned long long seed_of(const struct run_options *options) {
    return (unsigned long long)(options->seed >= 0 ? options->seed : DEFAULT_SEED);
}

/* What interrupts ranks; the model has been loaded, and tells whose latencies it has. */
static int prepare_noise(struct run_job *job, const struct run_options *options,
                         struct error *error) {
    const struct bundle *bundle = &job->bundle;
    const char *machine = bundle->model != NULL ? bsim_model_machine(bundle->model) : NULL;
    struct machine_noise *noise = &job->interrupted.noise;
    if (options->no_noise || options->original)
        return 0;
    if (machine_noise_find(noise, options->noise_of, machine, bundle->directory, &job->arena,
                           error) != 0)
        return -1;
    if (noise->from == NULL)
        return options->seed < 0 || options->noise
                   ? 0
                   : error_set(error,
                               "--seed goes with --distribution, or with the noise of a machine, "
                               "which `mpiskel calibrate --noise --bundle` measures");
    job->interrupted.seed = seed_of(options);
    job->launch.interruptions =
        interruptions_setting(&job->arena, &noise->interruptions, seed_of(options), 0);
    if (options->noise_of != NULL)
        scenario_add(&job->scenario, "--noise-of", options->noise_of,
                     arena_printf(&job->arena, "interruptions take %.3g %% of the time",
                                  100 * interruptions_share(&noise->interruptions)));
    return 0;
}

/* Whether the given values are right, and known for these arguments. */
static int check_given(struct bundle *bundle, const struct run_options *options,
                       struct error *error) {
    struct bundle_use use = {
        .name = options->bundle,
        .ranks = options->placement.ranks,
        .arguments = options->arguments,
        .argument_count = options->argument_count,
        .even_if_unknown = options->even_if_unknown,
        .is_set = value_changes_regions(&bundle->arena, &options->changes, &bundle->regions)};
    return bundle_check_verdict(bundle, options->even_if_wrong, error) != 0
               ? -1
               : bundle_check_arguments(bundle, &use, error);
}

/* A trace grows in its place, so that one of a run that ends early is there; one for a device or a
 * pipe goes there when it is whole. */
static int prepare_trace(struct run_job *job, const struct run_options *options,
                         struct error *error) {
    job->recording = options->trace;
    if (own_times_ask(&job->regions, options, &job->bundle.regions, &job->arena, error) != 0)
        return -1;
    if (options->trace.file == NULL && (options->page != NULL || job->regions.count > 0))
        job->recording.file = path_join(&job->arena, job->directory, "run.trace");
    if (options->trace.file == NULL || options->estimate == ESTIMATE_ONLY)
        return 0;
    if (output_file_open(&job->trace, options->trace.file, error) != 0)
        return -1;
    job->has_trace = true;
    job->recording.file = job->trace.is_kept ? job->trace.file : job->trace.target;
    return 0;
}

static int finish_trace(struct run_job *job, int result, struct error *error) {
    if (!job->has_trace)
        return result;
    int sent = output_file_close(&job->trace, job->trace.is_kept ? 0 : -1, error);
    return job->trace.is_kept && sent != 0 ? -1 : result;
}

static int prepare(struct run_job *job, struct placement *placement, struct run_options *options,
                   struct error *error) {
    if (bundle_open(&job->bundle, options->bundle, error) != 0)
        return -1;
    job->has_bundle = true;
    if (value_changes_take(&options->changes, &job->bundle.regions, error) != 0)
        return -1;
    struct bundle *bundle = &job->bundle;
    if (bundle_check_ranks(bundle, options->placement.ranks, error) != 0 ||
        bundle_check_clock(bundle, options->clock, error) != 0)
        return -1;
    bundle_tell_limits(bundle);
    source_hashes_tell_changes(&bundle->regions.sources, bundle->regions.root, options->bundle);
    const char *program = options->original ? bundle->original : bundle->skeleton;
    if ((!options->original && check_given(bundle, options, error) != 0) ||
        bundle_check_program(bundle, program, error) != 0)
        return -1;
    job->directory = directory_temporary(&job->arena, "mpiskel-run", error);
    if (job->directory == NULL ||
        (!options->original && latencies_prepare(bundle, &options->latencies, &options->changes,
                                                 job->directory, &job->scenario, error) != 0) ||
        placement_prepare(placement, &options->placement, job->directory, &job->arena, error) != 0)
        return -1;
    double default_speed = options->original ? 1e9 : 0;
    job->launch = (struct launch){
        .program = program,
        .arguments = options->arguments,
        .argument_count = options->argument_count,
        .work_directory = job->directory,
        .model_file = bundle->model != NULL ? bundle->model_file : NULL,
        .host_speed_flops_per_s =
            options->host_speed_flops_per_s > 0 ? options->host_speed_flops_per_s : default_speed,
        .output = options->format == OUTPUT_TEXT ? OUTPUT_TO_STDOUT : OUTPUT_TO_STDERR,
        .show_log = true,
        .show_progress = !options->no_progress,
        .foretells = options->no_progress || options->original ? 0 : 2 * ITERATIONS_USUAL,
        .is_counted = options->original && bundle->regions.counted != NULL,
        .has_one_thread = bundle->regions.one_thread != NULL,
    };
    job->launch.engine = options->engine;
    if (devices_apply(&job->launch, &job->scenario, options, &job->arena, error) != 0)
        return -1;
    placement_apply(&job->launch, placement, &options->placement);
    placement_tell(&job->scenario, placement, &options->placement);
    if (options->no_jitter) {
        job->launch.noise = "off";
        scenario_add(&job->scenario, "--no-jitter", "",
                     "executions do not differ by chance, nor do ranks");
    }
    job->network = placement->network;
    job->basis.network_error = placement->network_error;
    job->orders_connections = placement->orders_connections;
    job->knows_costs = placement->has_overheads || says_what_calls_cost(&options->placement);
    if (prepare_noise(job, options, error) != 0 ||
        prepare_output(&job->launch, options, error) != 0 ||
        (options->page != NULL && output_file_check(options->page, error) != 0) ||
        prepare_trace(job, options, error) != 0)
        return -1;
    if (options->estimate != ESTIMATE_ONLY &&
        asked_trace_prepare(&job->launch, &job->recording, bundle->regions_file, job->network,
                            &job->arena, error) != 0)
        return -1;
    return changes_prepare(&job->launch, bundle, &options->changes, &job->arena, error);
}

/* The summary is read if there is one. */
static int simulate(struct run_job *job, struct error *error) {
    struct outcome outcome;
    struct error no_stats = {0};
    if (launch_run(&job->result, &job->launch, &job->arena, error) != 0)
        return -1;
    job->has_stats = run_stats_read(&job->stats, job->result.stats_file, &no_stats) == 0;
    bool finalized = job->has_stats && job->stats.ranks == job->launch.ranks &&
                     job->stats.finalized == job->launch.ranks;
    outcome_read(&outcome, &job->result, finalized);
    job->has_failed = outcome.kind != OUTCOME_FINE;
    if (job->has_failed)
        return error_set(error, "%s", outcome.text);
    trace_check_written(job->recording.file);
    job->exit_code = outcome.exit_code;
    if (outcome.exit_code != 0)
        note("warning: the application returned %d", outcome.exit_code);
    return 0;
}

/* Simulation number `repetition`, silently. */
static int simulate_with_noise(struct run_job *job, size_t repetition, struct error *error) {
    struct run_stats stats;
    struct launch launch = job->launch;
    launch.noise = arena_printf(&job->arena, "%llu %zu", job->noise.seed, repetition);
    if (launch.interruptions != NULL)
        launch.interruptions = interruptions_setting(
            &job->arena, &job->interrupted.noise.interruptions, job->noise.seed, repetition);
    const char *what = arena_printf(&job->arena, "with other draws (simulation %zu)", repetition);
    if (again_run(&stats, &launch, "noise", what, error) != 0)
        return -1;
    job->noise.times_s[repetition] = stats.makespan_s;
    run_stats_dispose(&stats);
    return 0;
}

static bool has_spread(const struct bundle *bundle) {
    for (int i = 0; i < bundle->regions.count && bundle->model != NULL; i++) {
        const struct bsim_region_model *region = bsim_model_region(bundle->model, i);
        if (region != NULL && bsim_region_spread(region) != NULL)
            return true;
    }
    return false;
}

static int add_noise(struct run_job *job, const struct run_options *options, struct error *error) {
    if (!has_spread(&job->bundle))
        return error_set(
            error,
            "--distribution: %s tells nothing of the errors of its models; profile at least "
            "two problem sizes, then mpiskel fit",
            job->bundle.model_file);
    size_t count = options->repeat > 0 ? options->repeat : DEFAULT_REPEAT;
    job->noise = (struct noise){
        .seed = seed_of(options), .count = count, .times_s = xmalloc(count * sizeof(double))};
    for (size_t i = 0; i < count; i++)
        if (simulate_with_noise(job, i, error) != 0)
            return -1;
    noise_sum_up(&job->noise);
    return 0;
}

static int simulate_ideal(struct run_job *job, struct error *error) {
    struct launch launch = job->launch;
    if (ideal_prepare(&launch, job->directory, &job->arena, error) != 0 ||
        again_run(&job->ideal, &launch, "ideal", "on an ideal network", error) != 0)
        return -1;
    job->has_ideal = true;
    return 0;
}

/* Before what is recorded, since the head of a trace tells the time of this one. A program that
 * fails is left to the run itself, which tells why. */
static int simulate_ideal_first(struct run_job *job, struct error *error) {
    struct error failed = {0};
    if (simulate_ideal(job, &failed) != 0)
        return 0;
    return recording_tell_ideal(&job->launch, job->ideal.makespan_s, error);
}

static int attribute(struct run_job *job, struct error *error) {
    if (!job->has_ideal && simulate_ideal(job, error) != 0)
        return -1;
    attribution_make(&job->attribution, &job->stats, &job->ideal);
    if (job->attribution.makespan_s > 0)
        job->basis.ideal_share = job->attribution.ideal_s / job->attribution.makespan_s;
    return 0;
}

static int write_page(const struct run_job *job, const struct run_options *options,
                      const struct prediction *prediction, struct error *error) {
    struct finished_run run = {.name = prediction->program,
                               .prediction = prediction_json(prediction, &job->result.process),
                               .trace = job->recording.file};
    int result = report_runs_write(options->page, options->bundle, &run, 1, error);
    json_decref(run.prediction);
    if (result == 0)
        note("%s: open it in a browser", options->page);
    return result;
}

/* What the store knows of the models, which model.bsim does not tell; it need not be there. */
static void read_models(struct run_job *job, const struct run_options *options) {
    const struct bundle *bundle = &job->bundle;
    const char *path = path_join(&job->arena, bundle->directory, "store.db");
    const char *machine = options->latencies.machine;
    struct store *store = NULL;
    struct error error = {0};
    if (machine == NULL && bundle->model != NULL)
        machine = bsim_model_machine(bundle->model);
    bool has_store = !options->original && machine != NULL && file_exists(path);
    if (has_store && store_open_to_read(&store, path, &error) != 0)
        note("warning: how far the models are off is not known: %s", error.text);
    if (store == NULL)
        return;
    job->has_models = model_set_read(&job->models, store, &bundle->regions, bundle->directory,
                                     machine, &error) == 0;
    store_runs(&job->runs, store, &bundle->regions, machine, &error);
    if (samples_are_counted(&job->runs))
        job->processor = latencies_processor(&options->latencies, &job->runs.runs[0], &job->arena);
    unexplained_add_runs(&job->unexplained, &job->runs);
    store_close(store);
}

/* What the user named has to be there; what the program measures is told where it is. */
static int read_own_times(struct run_job *job, const struct run_options *options,
                          struct prediction *prediction, struct error *error) {
    const struct regions *regions = &job->bundle.regions;
    struct error unread = {0};
    if (job->regions.count > 0 &&
        own_times_read(&prediction->own_times, job->recording.file, regions, &job->regions,
                       &job->arena, options->regions.count > 0 ? error : &unread) != 0 &&
        options->regions.count > 0)
        return -1;
    for (size_t i = 0; i < regions->clock_count && job->regions.count == 0; i++)
        if (!regions->clocks[i].is_kept && !options->original)
            prediction->untold_clock = &regions->clocks[i];
    return 0;
}

static void find_doubts(struct run_job *job, const struct prediction *prediction) {
    const struct run_findings_options options = {
        .models = job->has_models ? &job->models : NULL,
        .knows_costs = job->knows_costs,
        .knows_noise = job->launch.interruptions != NULL,
        .unexplained = &job->unexplained,
    };
    run_findings_make(&job->findings, prediction, &options);
}

static int report(struct run_job *job, const struct run_options *options, struct error *error) {
    struct prediction prediction;
    if (!options->original &&
        run_stats_tell_lines(&job->stats, job->bundle.regions_file, error) != 0)
        return -1;
    if (changes_tell(&job->iterations, &job->scenario, &options->changes, &job->bundle, &job->stats,
                     job->result.stats_file, &job->arena, error) != 0)
        return -1;
    if (prediction_make(&prediction, &job->stats, &job->bundle.regions, job->bundle.model,
                        &job->basis, options->original, error) != 0)
        return -1;
    if (read_own_times(job, options, &prediction, error) != 0) {
        prediction_dispose(&prediction);
        return -1;
    }
    traffic_read(&prediction.messages, job->result.messages_file);
    prediction.noise = options->noise ? &job->noise : NULL;
    if (job->launch.interruptions != NULL)
        interrupted_sum_up(&job->interrupted, &job->stats);
    prediction.interrupted = job->launch.interruptions != NULL ? &job->interrupted : NULL;
    read_models(job, options);
    prediction.processor = job->processor;
    prediction.rough = job->has_models ? rough_note(&job->models) : NULL;
    interval_widen(&prediction.interval, &job->unexplained);
    find_doubts(job, &prediction);
    prediction.findings = &job->findings;
    prediction.attribution = options->attribute ? &job->attribution : NULL;
    prediction.scenario = &job->scenario;
    if (job->launch.engine != ENGINE_SMPI)
        prediction.engine = job->result.by_engine ? "own" : "smpi";
    prediction.engine_lacks = job->result.engine_lacks;
    prediction.iterations = job->iterations.given ? &job->iterations : NULL;
    prediction.network = job->network;
    prediction.verdict = options->original ? NULL : &job->bundle.verdict;
    prediction.interval.not_known = job->bundle.verdict.not_known;
    prediction.interval.known &= job->bundle.verdict.not_known == NULL;
    prediction.arguments = (const char *const *)options->arguments;
    prediction.argument_count = options->argument_count;
    latencies_tell_unused(&options->latencies, &job->bundle, &job->stats);
    if (job->orders_connections && !job->result.by_engine)
        note("warning: the network's connections are ordered, but SMPI lets messages between two "
             "ranks share them; --engine own simulates the order");
    prediction_print(stdout, &prediction, options->format, options->top, &job->result.process);
    int result = fflush(stdout) == 0 ? 0 : error_set(error, "cannot write the report");
    if (result == 0 && options->page != NULL)
        result = write_page(job, options, &prediction, error);
    prediction_dispose(&prediction);
    return result;
}

static void clean_up(struct run_job *job) {
    struct error error = {0};
    if (job->has_stats)
        run_stats_dispose(&job->stats);
    if (job->has_ideal)
        run_stats_dispose(&job->ideal);
    noise_dispose(&job->noise);
    vec_dispose(&job->regions);
    findings_dispose(&job->findings);
    samples_dispose(&job->runs);
    if (job->has_models)
        models_dispose(&job->models);
    scenario_dispose(&job->scenario);
    if (job->has_bundle)
        bundle_close(&job->bundle);
    if (job->directory != NULL && directory_remove(job->directory, &error) != 0)
        error_print(&error);
    arena_dispose(&job->arena);
}

static int run(struct run_job *job, struct run_options *options, struct error *error) {
    struct placement placement;
    if (prepare(job, &placement, options, error) != 0)
        return -1;
    if (options->dumps != 0)
        return run_dump_network(stdout, &placement, &job->launch, &job->arena, error) != 0
                   ? -1
                   : output_finish(error);
    if (estimate_tell(options->words, options->estimate, job->launch.ranks,
                      options->format == OUTPUT_JSON, error) != 0)
        return -1;
    if (options->estimate == ESTIMATE_ONLY)
        return output_finish(error);
    bool is_ideal_first = options->attribute && job->launch.trace != NULL;
    if ((is_ideal_first && simulate_ideal_first(job, error) != 0) || simulate(job, error) != 0 ||
        (options->noise && add_noise(job, options, error) != 0) ||
        (options->attribute && attribute(job, error) != 0))
        return -1;
    return report(job, options, error);
}

static int take_parameters(struct run_options *options, struct arena *arena, struct error *error) {
    struct synthesised_run run = {.bundle = options->bundle,
                                  .ranks = options->placement.ranks,
                                  .arguments = options->arguments,
                                  .argument_count = options->argument_count,
                                  .sets = options->changes.sets.items,
                                  .set_count = options->changes.sets.count};
    int result = parameters_take(&run, arena, error);
    options->arguments = run.arguments;
    options->argument_count = run.argument_count;
    options->changes.sets.count = run.set_count;
    return result;
}

int command_run(int argc, char **argv) {
    struct run_options options;
    struct run_job job = {0};
    struct error error = {0};
    arena_init(&job.arena);
    run_options_parse(&options, argc, argv);
    int result = take_parameters(&options, &job.arena, &error);
    if (result == 0)
        result = finish_trace(&job, run(&job, &options, &error), &error);
    if (result != 0)
        error_print(&error);
    if (job.has_failed) {
        given_tell(job.result.given_file, &job.bundle.regions, job.launch.ranks, false);
        latencies_tell_missing(&options.latencies, &job.bundle);
        changes_tell_failed(&options.changes);
    }
    int exit_code = result != 0 ? EXIT_FAILED : job.exit_code;
    clean_up(&job);
    run_options_dispose(&options);
    return exit_code;
}

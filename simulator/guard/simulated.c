/* SPDX-License-Identifier: Apache-2.0
 *
 * A launch in a temporary directory, where the profiled run was, and what its summary says; see
 * simulated.h.
 */
#include "simulator/guard/simulated.h"

#include "base/file.h"
#include "simulator/run/launch.h"
#include "simulator/run/outcome.h"
#include "simulator/run/placement.h"
#include "simulator/run/stats.h"

#include <string.h>

/* `rank` -1: of all of them. */
static void add_calls(struct call_sums *out, int rank, const struct call_stats *calls,
                      size_t count) {
    for (size_t i = 0; i < count; i++)
        call_sums_add(out, rank, calls[i].name, calls[i].count, calls[i].bytes);
}

/* Skeletons of older bundles do not tell what each rank does. */
static void take_sums(struct call_sums *out, struct arena *arena, const struct run_stats *stats) {
    bool is_told = stats->ranks > 0 && stats->per_rank[0].functions != NULL;
    call_sums_make(out, arena, is_told ? (int)stats->ranks : 0);
    for (size_t rank = 0; rank < stats->ranks && is_told; rank++)
        add_calls(out, (int)rank, stats->per_rank[rank].functions,
                  stats->per_rank[rank].function_count);
    if (!is_told)
        add_calls(out, -1, stats->calls, stats->call_count);
}

static const char *first_line(struct arena *arena, const char *text) {
    return arena_strndup(arena, text, strcspn(text, "\n"));
}

static void take_end(struct simulated *out, struct arena *arena, const struct outcome *outcome,
                     const struct launch_result *result) {
    out->why = first_line(arena, outcome->text);
    if (result->over_limit) {
        out->end = SIMULATED_TOO_LONG;
        out->why = "does not end (or not in several times the program's own time and calls)";
    } else if (outcome->kind == OUTCOME_FINE) {
        out->end = SIMULATED_TO_THE_END;
        out->why = "";
    } else if (outcome->is_of_memory || outcome->is_of_stack) {
        out->end = SIMULATED_NOT;
    } else if (outcome->kind == OUTCOME_DEADLOCKED || outcome->kind == OUTCOME_CRASHED) {
        out->end = SIMULATED_WITHOUT_END;
    } else {
        out->end = SIMULATED_EARLY_END;
    }
}

static int read_result(struct simulated *out, struct arena *arena,
                       const struct launch_result *result, size_t ranks, struct error *error) {
    struct run_stats stats;
    struct outcome outcome;
    struct error no_stats = {0};
    bool has_stats = run_stats_read(&stats, result->stats_file, &no_stats) == 0;
    outcome_read(&outcome, result, has_stats && stats.finalized == ranks);
    out->seconds = result->process.user_s + result->process.system_s;
    take_end(out, arena, &outcome, result);
    if (out->end == SIMULATED_TO_THE_END)
        take_sums(&out->sums, arena, &stats);
    if (has_stats)
        run_stats_dispose(&stats);
    return outcome.kind == OUTCOME_INTERRUPTED ? error_set(error, "interrupted") : 0;
}

/* ---- Networks ---- */

struct guard_network {
    struct placement placement;
    size_t ranks;
    struct guard_network *next;
};

static int make_network(struct guard_networks *networks, const struct placement_options *options,
                        struct error *error) {
    struct guard_network *network = ARENA_NEW(networks->arena, struct guard_network);
    const char *directory = path_join(networks->arena, networks->directory,
                                      arena_printf(networks->arena, "np%zu", options->ranks));
    *network = (struct guard_network){.ranks = options->ranks, .next = networks->first};
    if (directory_make(directory, error) != 0 ||
        placement_prepare(&network->placement, options, directory, networks->arena, error) != 0)
        return -1;
    networks->first = network;
    return 0;
}

static int place(struct launch *launch, struct guard_networks *networks,
                 const struct placement_options *options, struct error *error) {
    const struct guard_network *network = networks->first;
    while (network != NULL && network->ranks != options->ranks)
        network = network->next;
    if (network == NULL && make_network(networks, options, error) != 0)
        return -1;
    placement_apply(launch, network != NULL ? &network->placement : &networks->first->placement,
                    options);
    return 0;
}

/* ---- One simulation ---- */

static int simulate(struct simulated *out, struct arena *arena, struct launch *launch,
                    struct guard_networks *networks, struct error *error) {
    struct placement_options options = placement_options_default();
    struct launch_result result;
    options.ranks = launch->ranks;
    int code = place(launch, networks, &options, error);
    if (code == 0)
        code = launch_run(&result, launch, arena, error);
    if (code == 0)
        code = read_result(out, arena, &result, launch->ranks, error);
    placement_options_dispose(&options);
    return code;
}

int guard_simulate(struct simulated *out, struct arena *arena,
                   const struct guard_simulation *simulation, struct error *error) {
    const struct profiled *run = simulation->run;
    *out = (struct simulated){.why = ""};
    const char *program =
        simulation->original ? simulation->bundle->original : simulation->bundle->skeleton;
    const char *directory =
        launch_directory(arena, "mpiskel-guard", program, (size_t)run->ranks, error);
    if (directory == NULL)
        return -1;
    struct launch launch = {.program = program,
                            .arguments = (char *const *)run->words,
                            .argument_count = run->word_count,
                            .ranks = (size_t)run->ranks,
                            .directory = directory_exists(run->directory) ? run->directory : NULL,
                            .work_directory = directory,
                            .model_file = simulation->model_file,
                            .values_directory = simulation->values_directory,
                            .values_of = simulation->values_of,
                            .with_calls_of_ranks = true,
                            .with_summary_only = true,
                            .output = OUTPUT_TO_LOG,
                            .has_one_thread = simulation->bundle->regions.one_thread != NULL,
                            .processor_limit_s = simulation->limits.processor_s,
                            .call_limit = simulation->limits.calls,
                            .engine = simulation->by_smpi ? ENGINE_SMPI : ENGINE_AUTO};
    int result = simulate(out, arena, &launch, simulation->networks, error);
    struct error ignored = {0};
    if (directory_remove(directory, result == 0 ? error : &ignored) != 0)
        result = -1;
    return result;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/verify/validate_step.h"

#include "base/file.h"
#include "simulator/compare/given.h"
#include "simulator/run/launch.h"
#include "simulator/run/outcome.h"

#include <unistd.h>

void validate_tell(const struct validate_step *step, const char *what) {
    if (!step->options->no_progress && isatty(STDERR_FILENO))
        note("%zu ranks: %s", step->placement.ranks, what);
}

int validate_simulate(struct run_stats *out, struct validate_step *step,
                      const struct launch_bursts *bursts, struct error *error) {
    const struct bundle *bundle = step->bundle;
    bool original = bursts != NULL;
    struct placement placement;
    struct launch_result result;
    struct outcome outcome;
    struct error no_stats = {0};
    double speed = step->options->host_speed_flops_per_s;
    struct launch launch = {
        .program = original ? bundle->original : bundle->skeleton,
        .arguments = step->arguments->words,
        .argument_count = step->arguments->count,
        .work_directory = step->directory,
        .model_file = original || bundle->model == NULL ? NULL : bundle->model_file,
        .host_speed_flops_per_s = !original   ? 0
                                  : speed > 0 ? speed
                                              : 1e9,
        .bursts = bursts,
        .output = OUTPUT_TO_LOG,
        .show_progress = !step->options->no_progress,
        .is_counted = original && bundle->regions.counted != NULL,
        .has_one_thread = bundle->regions.one_thread != NULL,
    };
    if (directory_make(step->directory, error) != 0 ||
        placement_prepare(&placement, &step->placement, step->directory, step->arena, error) != 0)
        return -1;
    placement_apply(&launch, &placement, &step->placement);
    step->network = placement.network;
    if (launch_run(&result, &launch, step->arena, error) != 0)
        return -1;
    bool has_stats = run_stats_read(out, result.stats_file, &no_stats) == 0;
    outcome_read(&outcome, &result,
                 has_stats && out->ranks == launch.ranks && out->finalized == launch.ranks);
    if (outcome.kind == OUTCOME_FINE)
        return directory_remove(step->directory, error);
    if (has_stats)
        run_stats_dispose(out);
    if (!original)
        given_tell(result.given_file, &bundle->regions, launch.ranks, false);
    return error_set(error, "the %s failed on %zu ranks: %s", original ? "original" : "skeleton",
                     launch.ranks, outcome.text);
}

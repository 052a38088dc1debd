/* SPDX-License-Identifier: Apache-2.0
 *
 * A launch in a temporary directory, and what its summary says; see trial.h.
 */
#include "simulator/experiments/trial.h"

#include "base/file.h"
#include "base/str.h"
#include "simulator/run/launch.h"
#include "simulator/run/outcome.h"
#include "simulator/run/placement.h"
#include "simulator/run/stats.h"

#include <stdlib.h>
#include <string.h>

/* ---- The model ---- */

static void add_guess(struct str *out, const struct region *region) {
    int count = region->feature_count;
    str_printf(out, "region %d %s features %d terms %d range", region->index, region->id, count,
               count + 1);
    for (int j = 0; j < count; j++)
        str_add(out, " 0 0");
    for (int i = 0; i <= count; i++) {
        str_add(out, "\nterm 1e-09");
        for (int j = 0; j < count; j++)
            str_add(out, i == j + 1 ? " 1" : " 0");
    }
    str_addc(out, '\n');
}

/* The bundle's model without its last line, "end N"; *out_count is N. */
static int add_model(struct str *out, int *out_count, const struct bundle *bundle,
                     struct error *error) {
    char *text = NULL;
    if (bundle->model == NULL) {
        str_printf(out, "mpiskel-model 1\nbundle %s\nmachine default\n", bundle->regions.bundle);
        return 0;
    }
    if (file_read(&text, NULL, bundle->model_file, error) != 0)
        return -1;
    char *end = strstr(text, "\nend ");
    if (end != NULL) {
        *out_count = atoi(end + strlen("\nend "));
        str_addn(out, text, (size_t)(end + 1 - text));
    }
    free(text);
    return end != NULL ? 0 : error_set(error, "%s has no end", bundle->model_file);
}

int trial_write_model(const char *path, int *out_guessed, const struct bundle *bundle,
                      struct error *error) {
    struct str text = {0};
    int count = 0;
    *out_guessed = 0;
    int result = add_model(&text, &count, bundle, error);
    for (int i = 0; i < bundle->regions.count && result == 0; i++) {
        const struct region *region = &bundle->regions.items[i];
        bool known = bundle->model != NULL && bsim_model_region(bundle->model, i) != NULL;
        if (known || region->value != VALUE_NONE)
            continue;
        add_guess(&text, region);
        ++*out_guessed;
    }
    str_printf(&text, "end %d\n", count + *out_guessed);
    if (result == 0)
        result = file_write(path, text.text, text.length, error);
    str_dispose(&text);
    return result;
}

/* ---- The simulation ---- */

/* Features, and behind them numbers of the run. */
static const double *join(struct arena *arena, const double *features, size_t feature_count,
                          const double *numbers, size_t number_count) {
    double *joined = ARENA_ARRAY(arena, double, feature_count + number_count);
    for (size_t i = 0; i < feature_count; i++)
        joined[i] = features[i];
    for (size_t i = 0; i < number_count; i++)
        joined[feature_count + i] = numbers[i];
    return joined;
}

static bool belongs(const struct region_stats *row, const struct regions *regions) {
    return row->index < (size_t)regions->count && row->executions > 0 &&
           regions->items[row->index].value == VALUE_NONE &&
           row->feature_count == (size_t)regions->items[row->index].feature_count;
}

static void take_stats(struct trial *out, struct arena *arena, const struct run_stats *stats,
                       const struct regions *regions) {
    out->makespan_s = stats->makespan_s;
    out->boxes = ARENA_ARRAY(arena, struct feature_box, stats->region_count);
    out->seconds = ARENA_ARRAY(arena, double, stats->region_count);
    for (size_t i = 0; i < stats->region_count; i++) {
        const struct region_stats *row = &stats->regions[i];
        if (!belongs(row, regions))
            continue;
        out->boxes[out->box_count] =
            (struct feature_box){.region = (int)row->index,
                                 .feature_count = (int)(row->feature_count + row->run_number_count),
                                 .min = join(arena, row->features_min, row->feature_count,
                                             row->run_numbers_min, row->run_number_count),
                                 .max = join(arena, row->features_max, row->feature_count,
                                             row->run_numbers_max, row->run_number_count)};
        out->seconds[out->box_count++] = row->seconds;
        out->seconds_sum += row->seconds;
    }
}

static void read_outcome(struct trial *out, struct arena *arena, const struct launch_result *result,
                         const struct regions *regions) {
    struct run_stats stats;
    struct error no_stats = {0};
    struct outcome outcome;
    bool has_stats = run_stats_read(&stats, result->stats_file, &no_stats) == 0;
    bool finalized = has_stats && stats.ranks == out->configuration.ranks &&
                     stats.finalized == out->configuration.ranks;
    outcome_read(&outcome, result, finalized);
    out->processor_s = result->process.user_s + result->process.system_s;
    out->fine = outcome.kind == OUTCOME_FINE && outcome.exit_code == 0;
    out->why = arena_strdup(arena, result->over_limit             ? "it takes too long to simulate"
                                   : outcome.kind == OUTCOME_FINE ? "its exit code is not 0"
                                                                  : outcome.text);
    if (out->fine)
        take_stats(out, arena, &stats, regions);
    if (has_stats)
        run_stats_dispose(&stats);
}

static int simulate(struct trial *out, struct arena *arena, const struct bundle *bundle,
                    struct launch *launch, struct error *error) {
    struct placement_options options = placement_options_default();
    struct placement placement;
    struct launch_result result;
    options.ranks = out->configuration.ranks;
    int code = placement_prepare(&placement, &options, launch->work_directory, arena, error);
    if (code == 0) {
        placement_apply(launch, &placement, &options);
        code = launch_run(&result, launch, arena, error);
    }
    if (code == 0)
        read_outcome(out, arena, &result, &bundle->regions);
    placement_options_dispose(&options);
    return code;
}

int trial_run(struct trial *out, struct arena *arena, const struct bundle *bundle,
              const char *model_file, const struct configuration *configuration, double limit_s,
              bool show_progress, struct error *error) {
    size_t count = configuration->words.count;
    char **arguments = ARENA_ARRAY(arena, char *, count + 1);
    *out = (struct trial){.configuration = *configuration};
    for (size_t i = 0; i < count; i++)
        arguments[i] = arena_strdup(arena, configuration->words.items[i]);
    const char *directory =
        launch_directory(arena, "mpiskel-plan", bundle->skeleton, configuration->ranks, error);
    if (directory == NULL)
        return -1;
    struct launch launch = {.program = bundle->skeleton,
                            .arguments = arguments,
                            .argument_count = count,
                            .work_directory = directory,
                            .model_file = model_file,
                            .output = OUTPUT_TO_LOG,
                            .show_progress = show_progress,
                            .processor_limit_s = limit_s,
                            .engine = ENGINE_AUTO,
                            .has_one_thread = bundle->regions.one_thread != NULL};
    int result = simulate(out, arena, bundle, &launch, error);
    if (directory_remove(directory, error) != 0)
        result = -1;
    return result;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * `mpiskel run` once for each point, by cli/common/simulations.h, the largest first since that
 * takes longest; see scale.h.
 */
#include "cli/scale/scale.h"

#include "cli/common/placeholders.h"
#include "cli/common/simulations.h"

#include <stdio.h>
#include <stdlib.h>

static const char *const *options_of(struct arena *arena, const struct scale_options *options,
                                     size_t ranks) {
    size_t count = options->run_options.count, used = 0;
    const char **words = ARENA_ARRAY(arena, const char *, count + 5);
    words[used++] = options->bundle;
    words[used++] = "-np";
    words[used++] = arena_printf(arena, "%zu", ranks);
    words[used++] = "--iterations=if-long"; /* before those of the user */
    for (size_t i = 0; i < count; i++)
        words[used++] = options->run_options.items[i];
    return words;
}

static int describe(struct simulation *out, struct scale_options *options, size_t ranks,
                    struct error *error) {
    struct arena *arena = &options->arena;
    const char **arguments = ARENA_ARRAY(arena, const char *, options->argument_count + 1);
    for (size_t i = 0; i < options->argument_count; i++)
        if (placeholders_replace(&arguments[i], arena, options->arguments[i], ranks, error) != 0)
            return -1;
    *out =
        (struct simulation){.options = options_of(arena, options, ranks), .arguments = arguments};
    return 0;
}

static void read_report(struct scale_run *run, const struct simulation *simulation) {
    const json_t *report = simulation->report;
    if (report == NULL) {
        run->why = simulation->error;
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
}

static int compare_runs(const void *left, const void *right) {
    const struct scale_run *a = *(struct scale_run *const *)left;
    const struct scale_run *b = *(struct scale_run *const *)right;
    return (a->ranks < b->ranks) - (a->ranks > b->ranks);
}

static size_t collect_wanted(struct scale_run **out, struct scale_run *runs, size_t count) {
    size_t wanted = 0;
    for (size_t i = 0; i < count; i++)
        if (runs[i].wanted)
            out[wanted++] = &runs[i];
    qsort(out, wanted, sizeof *out, compare_runs);
    return wanted;
}

int scale_simulate(struct scale_run *runs, size_t count, struct scale_options *options,
                   struct error *error) {
    struct arena *arena = &options->arena;
    struct scale_run **wanted = ARENA_ARRAY(arena, struct scale_run *, count + 1);
    struct simulation *simulations = ARENA_ARRAY(arena, struct simulation, count + 1);
    size_t wanted_count = collect_wanted(wanted, runs, count);
    for (size_t i = 0; i < wanted_count; i++)
        if (describe(&simulations[i], options, wanted[i]->ranks, error) != 0)
            return -1;
    int result = simulations_run(simulations, wanted_count, options->jobs, !options->no_progress,
                                 arena, error);
    for (size_t i = wanted_count; i-- > 0 && result == 0;) {
        read_report(wanted[i], &simulations[i]);
        simulation_tell_warnings(&simulations[i],
                                 arena_printf(arena, "on %zu ranks", wanted[i]->ranks));
    }
    simulations_dispose(simulations, wanted_count);
    return result;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "simulator/prediction/run_findings.h"

#include "model/findings/region_findings.h"

#include <float.h>
#include <math.h>

/* Of the predicted time: on all ranks, or on the one that spends most in it. */
static double share_of(const struct run_stats *stats, const struct region_stats *region) {
    double mean_s = region->seconds / (double)stats->ranks;
    return stats->makespan_s > 0 ? fmax(mean_s, region->most_seconds) / stats->makespan_s : 0;
}

static void find_regions(struct findings *out, const struct prediction *prediction,
                         const struct models *models) {
    const struct run_stats *stats = prediction->stats;
    double *shares = ARENA_ARRAY(&out->arena, double, (size_t)prediction->regions->count + 1);
    for (size_t i = 0; i < stats->region_count; i++)
        shares[stats->regions[i].index] = share_of(stats, &stats->regions[i]);
    region_findings_add(out, models, prediction->regions, shares, "the predicted time");
}

static void find_unvaried(struct findings *out, const struct prediction *prediction) {
    const struct unvaried *unvaried = &prediction->interval.unvaried;
    if (unvaried->region == NULL)
        return;
    findings_add(out, "unvaried", unvaried->weight,
                 "profile runs in which it varies (mpiskel plan), then mpiskel fit",
                 "%s:%d %s was %g in all profiling runs and is up to %g here",
                 unvaried->region->file, unvaried->region->line,
                 unvaried->region->features[unvaried->feature].name, unvaried->profiled,
                 unvaried->seen_max);
    out->items.items[out->items.count - 1].is_told = !prediction->interval.known;
}

/* All that is communicated may go by it. */
static void find_unvaried_values(struct findings *out, const struct prediction *prediction) {
    const struct run_stats *stats = prediction->stats;
    for (size_t i = 0; i < stats->unvaried_count; i++) {
        const struct unvaried_value *value = &stats->unvaried_values[i];
        const struct region *region = &prediction->regions->items[value->index];
        findings_add(out, "unvaried", 1, "profile runs in which it varies, then mpiskel fit",
                     "%s:%d, which is given, depends on %s, %g in all profiling runs and %g here: "
                     "whether communication is right was not checked",
                     region->file, region->line, prediction->unvaried_names[i], value->profiled,
                     value->seen);
    }
}

/* Others wait meanwhile, sooner or later. */
static void find_output(struct findings *out, const struct prediction *prediction) {
    const struct run_stats *stats = prediction->stats;
    for (size_t i = 0; i < stats->region_count; i++) {
        const struct region_stats *seen = &stats->regions[i];
        const struct region *region = &prediction->regions->items[seen->index];
        double share = stats->makespan_s > 0 ? seen->most_seconds / stats->makespan_s : 0;
        bool is_of_one_rank = seen->most_seconds > 0.9 * seen->seconds;
        if (region->prints && share > OUTPUT_SHARE_LEAST && (is_of_one_rank || stats->ranks == 1))
            findings_add(out, "output", share,
                         "profile with the output going where it goes in the real run, or write "
                         "less",
                         "%s:%d %s, %.0f %% of the predicted time, writes text on one rank",
                         region->file, region->line, region->function, 100 * share);
    }
}

/* Not in a model of the machine: the clock's own cost is subtracted, but what reading it hinders is
 * not. */
static void find_fine(struct findings *out, const struct prediction *prediction) {
    const struct run_stats *stats = prediction->stats;
    for (size_t i = 0; i < stats->region_count; i++) {
        const struct region_stats *seen = &stats->regions[i];
        const struct region *region = &prediction->regions->items[seen->index];
        double share = share_of(stats, seen);
        if (share > FINDING_SHARE_LEAST && seen->seconds < FINE_S * seen->executions)
            findings_add(
                out, "fine", share,
                "mpiskel explain tells why it is not part of a larger region (often a way to an "
                "error exit: generate --assume=no-abnormal-exit)",
                "%s:%d %s, %.0f %% of the predicted time, is executed %.3g times at %.3g ns: "
                "reading "
                "the clock takes longer, and measured times of it are too long",
                region->file, region->line, region->function, 100 * share, seen->executions,
                1e9 * seen->seconds / seen->executions);
    }
}

static void find_bursts(struct findings *out, const struct prediction *prediction,
                        const struct run_findings_options *options) {
    double calls = prediction->calls.mean, computed_s = prediction->compute_s.mean;
    double share = calls * BURST_CALL_S / fmax(prediction->stats->makespan_s, DBL_MIN);
    if ((options->knows_costs && options->knows_noise) || prediction->stats->ranks < 2 ||
        computed_s >= BURST_SHORT_S * calls || share < BURST_SHARE_LEAST)
        return;
    findings_add(out, "bursts", share,
                 !options->knows_costs ? "mpiskel calibrate --network, and run with --network"
                                       : "mpiskel calibrate --noise --bundle",
                 "ranks compute %.3g us between two MPI calls: %s decide, and %s",
                 1e6 * computed_s / calls,
                 options->knows_costs ? "interruptions" : "costs of calls",
                 options->knows_costs ? "the machine's noise was not measured"
                                      : "the network's description has none");
}

void run_findings_make(struct findings *out, const struct prediction *prediction,
                       const struct run_findings_options *options) {
    *out = (struct findings){0};
    if (prediction->original)
        return;
    if (options->models != NULL)
        find_regions(out, prediction, options->models);
    find_unvaried(out, prediction);
    find_unvaried_values(out, prediction);
    find_output(out, prediction);
    find_fine(out, prediction);
    find_bursts(out, prediction, options);
    findings_sort(out);
    if (options->unexplained != NULL)
        unexplained_add_finding(out, options->unexplained, prediction->regions);
}

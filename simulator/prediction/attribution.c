/* SPDX-License-Identifier: Apache-2.0 */
#include "simulator/prediction/attribution.h"

#include <math.h>
#include <string.h>

#define PRECISION_S 1e-9 /* SimGrid's: what is less comes from rounding */

struct computation {
    double mean_s, max_s;
};

static double rounded(double seconds) {
    return fabs(seconds) < PRECISION_S ? 0 : seconds;
}

static struct computation computation_of(const struct run_stats *stats) {
    struct computation out = {0};
    for (size_t i = 0; i < stats->ranks; i++) {
        double seconds = stats->per_rank[i].compute_s;
        out.mean_s += seconds / (double)stats->ranks;
        out.max_s = fmax(out.max_s, seconds);
    }
    return out;
}

static struct rank_parts rank_parts_of(const struct rank_stats *rank,
                                       const struct rank_stats *ideal, double makespan_s) {
    return (struct rank_parts){
        .computation_s = rank->compute_s,
        .waiting_s = rounded(ideal->mpi_s + makespan_s - rank->end_s),
        .communication_s = rounded(rank->mpi_s - ideal->mpi_s),
    };
}

static bool same_call(const struct call_stats *a, const struct call_stats *b) {
    bool same_place = a->line == b->line && (a->file == NULL) == (b->file == NULL) &&
                      (a->file == NULL || strcmp(a->file, b->file) == 0);
    return same_place && strcmp(a->name, b->name) == 0;
}

static void take_waiting(struct call_stats *calls, size_t count, const struct call_stats *ideal,
                         size_t ideal_count) {
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < ideal_count; k++)
            if (same_call(&calls[i], &ideal[k]))
                calls[i].waiting_s = rounded(ideal[k].seconds);
}

void attribution_make(struct attribution *out, struct run_stats *stats,
                      const struct run_stats *ideal) {
    struct computation computation = computation_of(stats);
    *out = (struct attribution){
        .makespan_s = rounded(stats->makespan_s),
        .ideal_s = rounded(ideal->makespan_s),
        .computation_s = computation.mean_s,
        .imbalance_s = rounded(computation.max_s - computation.mean_s),
        .dependencies_s = rounded(ideal->makespan_s - computation.max_s),
        .communication_s = rounded(stats->makespan_s - ideal->makespan_s),
        .ranks = ARENA_ARRAY(&stats->arena, struct rank_parts, stats->ranks),
        .rank_count = stats->ranks,
    };
    take_waiting(stats->calls, stats->call_count, ideal->calls, ideal->call_count);
    take_waiting(stats->sites, stats->site_count, ideal->sites, ideal->site_count);
    for (size_t i = 0; i < stats->ranks; i++)
        out->ranks[i] = rank_parts_of(&stats->per_rank[i], &ideal->per_rank[i], stats->makespan_s);
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * The parts, and how they are printed; see attribution.h.
 */
#include "simulator/report/attribution.h"

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

/* ---- Printing ---- */

static double share_of(double part, double whole) {
    return whole > 0 ? part / whole : 0;
}

/* Where nothing has to be done nothing is lost. */
static double efficiency(double part, double whole) {
    return whole > 0 ? part / whole : 1;
}

static struct rank_parts least_of(const struct attribution *attribution) {
    struct rank_parts out = attribution->ranks[0];
    for (size_t i = 1; i < attribution->rank_count; i++) {
        const struct rank_parts *rank = &attribution->ranks[i];
        out.computation_s = fmin(out.computation_s, rank->computation_s);
        out.waiting_s = fmin(out.waiting_s, rank->waiting_s);
        out.communication_s = fmin(out.communication_s, rank->communication_s);
    }
    return out;
}

static struct rank_parts most_of(const struct attribution *attribution) {
    struct rank_parts out = attribution->ranks[0];
    for (size_t i = 1; i < attribution->rank_count; i++) {
        const struct rank_parts *rank = &attribution->ranks[i];
        out.computation_s = fmax(out.computation_s, rank->computation_s);
        out.waiting_s = fmax(out.waiting_s, rank->waiting_s);
        out.communication_s = fmax(out.communication_s, rank->communication_s);
    }
    return out;
}

static void text_part(FILE *out, const struct attribution *attribution, const char *name,
                      double seconds, double least, double most) {
    fprintf(out, "  %-22s %12.6g %6.1f%% %12.6g %12.6g\n", name, seconds,
            100 * share_of(seconds, attribution->makespan_s), least, most);
}

void attribution_print_text(FILE *out, const struct attribution *attribution) {
    struct rank_parts least = least_of(attribution), most = most_of(attribution);
    double waiting_s = attribution->imbalance_s + attribution->dependencies_s;
    fprintf(out, "  %-22s %12s %7s %12s %12s\n", "where the time goes", "s", "share", "least rank",
            "most rank");
    text_part(out, attribution, "computation", attribution->computation_s, least.computation_s,
              most.computation_s);
    text_part(out, attribution, "waiting", waiting_s, least.waiting_s, most.waiting_s);
    text_part(out, attribution, "communication", attribution->communication_s,
              least.communication_s, most.communication_s);
    fprintf(out,
            "on an ideal network: %.6g s; waiting is %.6g s for imbalance, %.6g s for "
            "dependencies\n",
            attribution->ideal_s, attribution->imbalance_s, attribution->dependencies_s);
    double max_s = attribution->computation_s + attribution->imbalance_s;
    fprintf(out,
            "parallel efficiency %.1f %% = load balance %.1f %% x serialisation %.1f %% x transfer "
            "%.1f %%\n\n",
            100 * efficiency(attribution->computation_s, attribution->makespan_s),
            100 * efficiency(attribution->computation_s, max_s),
            100 * efficiency(max_s, attribution->ideal_s),
            100 * efficiency(attribution->ideal_s, attribution->makespan_s));
}

void attribution_print_csv(FILE *out, const struct attribution *attribution) {
    const struct {
        const char *name;
        double seconds;
    } rows[] = {{"ideal", attribution->ideal_s},
                {"computation", attribution->computation_s},
                {"waiting", attribution->imbalance_s + attribution->dependencies_s},
                {"imbalance", attribution->imbalance_s},
                {"dependencies", attribution->dependencies_s},
                {"communication", attribution->communication_s}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        fprintf(out, "attribution,%s,,,%.17g,%.17g,\n", rows[i].name, rows[i].seconds,
                share_of(rows[i].seconds, attribution->makespan_s));
}

static json_t *json_ranks(const struct attribution *attribution) {
    json_t *array = json_array();
    for (size_t i = 0; i < attribution->rank_count; i++) {
        const struct rank_parts *rank = &attribution->ranks[i];
        json_array_append_new(array, json_pack("{s:f, s:f, s:f}", "computation_s",
                                               rank->computation_s, "waiting_s", rank->waiting_s,
                                               "communication_s", rank->communication_s));
    }
    return array;
}

json_t *attribution_json(const struct attribution *attribution) {
    double max_s = attribution->computation_s + attribution->imbalance_s;
    return json_pack("{s:f, s:f, s:f, s:f, s:f, s:f, s:{s:f, s:f, s:f, s:f}, s:o}", "ideal_s",
                     attribution->ideal_s, "computation_s", attribution->computation_s, "waiting_s",
                     attribution->imbalance_s + attribution->dependencies_s, "imbalance_s",
                     attribution->imbalance_s, "dependencies_s", attribution->dependencies_s,
                     "communication_s", attribution->communication_s, "efficiency", "parallel",
                     efficiency(attribution->computation_s, attribution->makespan_s),
                     "load_balance", efficiency(attribution->computation_s, max_s), "serialisation",
                     efficiency(max_s, attribution->ideal_s), "transfer",
                     efficiency(attribution->ideal_s, attribution->makespan_s), "ranks",
                     json_ranks(attribution));
}

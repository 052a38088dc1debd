/* SPDX-License-Identifier: Apache-2.0
 *
 * `mpiskel whatif --rank-all`: what would gain most if it was a bit faster.
 *
 * In: the report of the base, whose regions are the candidates, from a share of the time on. Out:
 * for each of them, for all computation together, and for bandwidth, latency and overheads of the
 * network one simulation in which it is faster by so many percent, ranked by how much earlier the
 * last rank is done. A region that takes t seconds of each rank and is faster by p percent saves t
 * * (1 - 1 / (1 + p/100)) of them; which part of that gets through to the end (all of it where
 * nobody waits, nothing where its ranks would only wait longer) is what has to be simulated.
 */
#include "cli/whatif/whatif.h"

#include "cli/report/models_print.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PRECISION_S 1e-9

struct whatif_rank_candidate {
    const char *name, *place; /* "relax-3fa2c9d1", "stencil.c:33 relax: 2 loops" */
    const char *option, *value;
    double own_s;   /* that each rank spends in it, mean; negative: not told */
    double share;   /* of the time of all ranks */
    double saved_s; /* of own_s */
    double gain_s;  /* of the predicted time; NAN: the simulation failed */
    const char *error;
};

struct ranking {
    const struct whatif_options *options;
    struct forecast base;
    VEC(struct whatif_rank_candidate) candidates;
    size_t left_out; /* regions with less time */
};

/* ---- Candidates ---- */

static double factor_of(const struct whatif_options *options) {
    return 1 + options->by_percent / 100;
}

static void add_speed(struct ranking *ranking, struct arena *arena, const char *name,
                      const char *place, double own_s, double share) {
    double factor = factor_of(ranking->options);
    struct whatif_rank_candidate candidate = {.name = name,
                                              .place = place,
                                              .option = "--speed",
                                              .value =
                                                  arena_printf(arena, "%s=%.17gx", name, factor),
                                              .own_s = own_s,
                                              .share = share,
                                              .saved_s = own_s * (1 - 1 / factor)};
    vec_push(&ranking->candidates, candidate);
}

static void add_network(struct ranking *ranking, struct arena *arena, const char *name,
                        const char *option, double factor) {
    struct whatif_rank_candidate candidate = {.name = name,
                                              .place = name,
                                              .option = option,
                                              .value = arena_printf(arena, "%.17gx", factor),
                                              .own_s = -1};
    vec_push(&ranking->candidates, candidate);
}

static void add_regions(struct ranking *ranking, struct arena *arena, const json_t *report) {
    const json_t *regions = json_object_get(report, "regions"), *region;
    double sum_s = 0, sum_share = 0;
    size_t index;
    json_array_foreach((json_t *)regions, index, region) {
        double share = json_get_number(region, "share", 0);
        double own_s = json_get_number(region, "seconds_per_rank", 0);
        const char *id = json_get_text(region, "id");
        sum_s += own_s;
        sum_share += share;
        if (id == NULL || share * 100 < ranking->options->least_percent) {
            ranking->left_out++;
            continue;
        }
        add_speed(ranking, arena, id,
                  arena_printf(arena, "%s:%lld %s: %s", json_get_text(region, "file"),
                               json_get_integer(region, "line", 0),
                               json_get_text(region, "function"), json_get_text(region, "summary")),
                  own_s, share);
    }
    if (sum_s > 0)
        add_speed(ranking, arena, "all", "all computation", sum_s, sum_share);
}

static void add_candidates(struct ranking *ranking, struct arena *arena, const json_t *report) {
    double factor = factor_of(ranking->options);
    add_regions(ranking, arena, report);
    add_network(ranking, arena, "bandwidth", "--bandwidth", factor);
    add_network(ranking, arena, "latency", "--latency", 1 / factor);
    add_network(ranking, arena, "overheads of calls", "--overheads", 1 / factor);
}

/* ---- Simulations ---- */

/* What is below SimGrid's precision comes from rounding. */
static double gain_of(const struct ranking *ranking, const json_t *report) {
    double gain_s = ranking->base.predicted_s - forecast_of(report).predicted_s;
    return fabs(gain_s) < PRECISION_S ? 0 : gain_s;
}

static int simulate(struct ranking *ranking, struct arena *arena, struct error *error) {
    size_t count = ranking->candidates.count;
    struct simulation *rows = ARENA_ARRAY(arena, struct simulation, count + 1);
    for (size_t i = 0; i < count; i++) {
        const char **further = ARENA_ARRAY(arena, const char *, 3);
        further[0] = ranking->candidates.items[i].option;
        further[1] = ranking->candidates.items[i].value;
        rows[i] = whatif_simulation(ranking->options, further, NULL, false, arena);
    }
    int result = simulations_run(rows, count, ranking->options->jobs,
                                 !ranking->options->no_progress, arena, error);
    for (size_t i = 0; i < count && result == 0; i++) {
        struct whatif_rank_candidate *candidate = &ranking->candidates.items[i];
        candidate->error = rows[i].error;
        candidate->gain_s = rows[i].report != NULL ? gain_of(ranking, rows[i].report) : NAN;
    }
    simulations_dispose(rows, count);
    return result;
}

/* By gain, those that failed last. */
static int compare_gains(const void *left, const void *right) {
    const struct whatif_rank_candidate *a = left, *b = right;
    if (isnan(a->gain_s) || isnan(b->gain_s))
        return isnan(a->gain_s) - isnan(b->gain_s);
    if (a->gain_s != b->gain_s)
        return a->gain_s < b->gain_s ? 1 : -1;
    return strcmp(a->name, b->name);
}

/* ---- Reports ---- */

static double share_of(const struct ranking *ranking, double seconds) {
    return ranking->base.predicted_s > 0 ? seconds / ranking->base.predicted_s : 0;
}

static void text_own(const struct whatif_rank_candidate *candidate) {
    if (candidate->own_s < 0)
        printf(" %8s %8s", "", "");
    else if (candidate->saved_s > 0)
        printf(" %7.2f%% %7.0f%%", 100 * candidate->share,
               100 * candidate->gain_s / candidate->saved_s);
    else
        printf(" %7.2f%% %8s", 100 * candidate->share, "");
}

static void text_row(const struct ranking *ranking, const struct whatif_rank_candidate *candidate) {
    if (isnan(candidate->gain_s)) {
        printf("%s: failed: %s\n", candidate->place, candidate->error);
        return;
    }
    printf("%12.6g %7.2f%%", candidate->gain_s, 100 * share_of(ranking, candidate->gain_s));
    text_own(candidate);
    printf("  %s\n", candidate->place);
}

static void print_text(const struct ranking *ranking) {
    size_t count = ranking->candidates.count, top = ranking->options->top;
    printf("predicted time %.6g s on %zu ranks: %.1f %% computation, %.1f %% waiting, %.1f %% "
           "communication\n",
           ranking->base.predicted_s, ranking->base.ranks,
           100 * share_of(ranking, ranking->base.computation_s),
           100 * share_of(ranking, ranking->base.waiting_s),
           100 * share_of(ranking, ranking->base.communication_s));
    printf("\n%12s %8s %8s %8s  if this was %g %% faster\n", "gain, s", "gain", "share", "of saved",
           ranking->options->by_percent);
    for (size_t i = 0; i < count; i++)
        if (i < top || isnan(ranking->candidates.items[i].gain_s))
            text_row(ranking, &ranking->candidates.items[i]);
    if (count > top)
        printf("%*s  and %zu more\n", 39, "", count - top);
    if (ranking->left_out > 0)
        printf("%*s  not simulated: %zu regions with less than %g %% of the time (--least)\n", 39,
               "", ranking->left_out, ranking->options->least_percent);
}

static json_t *json_candidate(const struct ranking *ranking,
                              const struct whatif_rank_candidate *candidate) {
    bool failed = isnan(candidate->gain_s);
    json_t *row =
        json_pack("{s:s, s:s, s:s, s:s}", "name", candidate->name, "place", candidate->place,
                  "option", candidate->option, "value", candidate->value);
    double whole_s = ranking->base.predicted_s;
    json_object_set_new(row, "error", failed ? json_any_text(candidate->error) : json_null());
    json_object_set_new(row, "gain_s", failed ? json_null() : json_real(candidate->gain_s));
    json_object_set_new(row, "gain",
                        failed ? json_null()
                               : json_real(whole_s > 0 ? candidate->gain_s / whole_s : 0));
    if (candidate->own_s < 0)
        return row;
    json_object_set_new(row, "seconds_per_rank", json_real(candidate->own_s));
    json_object_set_new(row, "share", json_real(candidate->share));
    json_object_set_new(row, "saved_s", json_real(candidate->saved_s));
    return row;
}

static void print_json(const struct ranking *ranking) {
    json_t *rows = json_array();
    for (size_t i = 0; i < ranking->candidates.count; i++)
        json_array_append_new(rows, json_candidate(ranking, &ranking->candidates.items[i]));
    json_t *root = json_pack("{s:s, s:i, s:f, s:I, s:f, s:f, s:f, s:f, s:I, s:o}", "format",
                             "mpiskel-sensitivity", "version", 1, "by_percent",
                             ranking->options->by_percent, "ranks", (json_int_t)ranking->base.ranks,
                             "predicted_s", ranking->base.predicted_s, "computation_s",
                             ranking->base.computation_s, "waiting_s", ranking->base.waiting_s,
                             "communication_s", ranking->base.communication_s, "left_out",
                             (json_int_t)ranking->left_out, "candidates", rows);
    json_dumpf(root, stdout, JSON_INDENT(2));
    putchar('\n');
    json_decref(root);
}

static void print_csv(const struct ranking *ranking) {
    puts("name,gain_s,gain,share,saved_s,place");
    for (size_t i = 0; i < ranking->candidates.count; i++) {
        const struct whatif_rank_candidate *candidate = &ranking->candidates.items[i];
        if (isnan(candidate->gain_s))
            printf("%s,,,", candidate->name);
        else
            printf("%s,%.17g,%.17g,", candidate->name, candidate->gain_s,
                   share_of(ranking, candidate->gain_s));
        if (candidate->own_s >= 0)
            printf("%.17g,%.17g", candidate->share, candidate->saved_s);
        else
            putchar(',');
        putchar(',');
        print_quoted(candidate->place);
        putchar('\n');
    }
}

static void print(const struct ranking *ranking) {
    if (ranking->options->format == OUTPUT_JSON)
        print_json(ranking);
    else if (ranking->options->format == OUTPUT_CSV)
        print_csv(ranking);
    else
        print_text(ranking);
}

/* ---- All of it ---- */

static int rank_candidates(struct ranking *ranking, const json_t *report, struct error *error) {
    struct arena arena = {0};
    int exit_code = EXIT_FAILED;
    add_candidates(ranking, &arena, report);
    if (simulate(ranking, &arena, error) == 0) {
        qsort(ranking->candidates.items, ranking->candidates.count,
              sizeof *ranking->candidates.items, compare_gains);
        print(ranking);
        exit_code = output_finish(error) == 0 ? EXIT_FINE : EXIT_FAILED;
    }
    for (size_t i = 0; i < ranking->candidates.count; i++)
        if (isnan(ranking->candidates.items[i].gain_s))
            exit_code = EXIT_FAILED;
    arena_dispose(&arena);
    return exit_code;
}

int whatif_rank(struct whatif_options *options, struct error *error) {
    static const char *const none[] = {NULL};
    struct ranking ranking = {.options = options};
    struct simulation base = whatif_simulation(options, none, NULL, true, &options->arena);
    int exit_code = EXIT_FAILED;
    if (simulations_run(&base, 1, 1, !options->no_progress, &options->arena, error) == 0) {
        if (base.report == NULL) {
            error_set(error, "%s", base.error);
            exit_code = base.exit_code == EXIT_USAGE ? EXIT_USAGE : EXIT_FAILED;
        } else {
            ranking.base = forecast_of(base.report);
            exit_code = rank_candidates(&ranking, base.report, error);
            simulation_tell_warnings(&base, "base");
        }
    }
    simulations_dispose(&base, 1);
    vec_dispose(&ranking.candidates);
    return exit_code;
}

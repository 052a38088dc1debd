/* SPDX-License-Identifier: Apache-2.0
 *
 * `mpiskel whatif --rank-all`: what would gain most if it was a bit faster.
 *
 * In: the report of the base, whose regions are the candidates, from a share of the time on. Out:
 * for each of them, for all computation together, for bandwidth, latency and overheads of the
 * network, and for blocks, accesses, caches and memory of a processor that counts, one simulation
 * in which it is faster by so many percent, ranked by how much earlier the last rank is done. A
 * region that takes t seconds of each rank and is faster by p percent saves t
 * * (1 - 1 / (1 + p/100)) of them; which part of that gets through to the end (all of it where
 * nobody waits, nothing where its ranks would only wait longer) is what has to be simulated.
 */
#include "cli/whatif/whatif.h"

#include "base/file.h"
#include "cli/print/sensitivity_print.h"
#include "model/samples/told_again.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PRECISION_S 1e-9

struct whatif_ranking {
    const struct whatif_options *options;
    const char *directory; /* temporary: descriptions of processors; NULL: not made */
    struct sensitivity report;
};

/* ---- Candidates ---- */

static double factor_of(const struct whatif_options *options) {
    return 1 + options->by_percent / 100;
}

static void add_speed(struct whatif_ranking *ranking, struct arena *arena, const char *name,
                      const char *place, double own_s, double share) {
    double factor = factor_of(ranking->options);
    struct sensitivity_candidate candidate = {.name = name,
                                              .place = place,
                                              .option = "--speed",
                                              .value =
                                                  arena_printf(arena, "%s=%.17gx", name, factor),
                                              .own_s = own_s,
                                              .share = share,
                                              .saved_s = own_s * (1 - 1 / factor)};
    vec_push(&ranking->report.candidates, candidate);
}

static void add_network(struct whatif_ranking *ranking, struct arena *arena, const char *name,
                        const char *option, double factor) {
    struct sensitivity_candidate candidate = {.name = name,
                                              .place = name,
                                              .option = option,
                                              .value = arena_printf(arena, "%.17gx", factor),
                                              .own_s = NAN,
                                              .share = NAN,
                                              .saved_s = NAN};
    vec_push(&ranking->report.candidates, candidate);
}

static void add_regions(struct whatif_ranking *ranking, struct arena *arena, const json_t *report) {
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
            ranking->report.left_out++;
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

static int write_processor(const char *path, const struct processor *processor,
                           struct error *error) {
    char text[PROCESSOR_TEXT];
    processor_text(text, sizeof text, processor);
    for (char *at = text; *at != '\0'; at++)
        if (*at == ';')
            *at = '\n';
    return file_write(path, text, strlen(text), error);
}

static int add_part(struct whatif_ranking *ranking, struct arena *arena, const char *text, int part,
                    struct error *error) {
    struct processor processor;
    if (processor_parse(&processor, text) != 0 ||
        !processor_speed_up(&processor, part, factor_of(ranking->options)))
        return 0;
    const char *name = processor_part_name(arena, &processor, part);
    const char *path =
        path_join(arena, ranking->directory, arena_printf(arena, "%d.processor", part));
    struct sensitivity_candidate candidate = {.name = name,
                                              .place = name,
                                              .option = "--processor",
                                              .value = path,
                                              .own_s = NAN,
                                              .share = NAN,
                                              .saved_s = NAN};
    vec_push(&ranking->report.candidates, candidate);
    return write_processor(path, &processor, error);
}

/* Blocks, accesses, caches and memory of a processor that counts: by descriptions of ones of which
 * a part is faster. */
static int add_parts(struct whatif_ranking *ranking, struct arena *arena, const char *text,
                     struct error *error) {
    struct processor processor;
    if (text == NULL || processor_parse(&processor, text) != 0)
        return 0;
    ranking->directory = directory_temporary(arena, "mpiskel-whatif", error);
    if (ranking->directory == NULL)
        return -1;
    for (int part = 0; processor_part_name(arena, &processor, part) != NULL; part++)
        if (add_part(ranking, arena, text, part, error) != 0)
            return -1;
    return 0;
}

static int add_candidates(struct whatif_ranking *ranking, struct arena *arena, const json_t *report,
                          struct error *error) {
    double factor = factor_of(ranking->options);
    add_regions(ranking, arena, report);
    add_network(ranking, arena, "bandwidth", "--bandwidth", factor);
    add_network(ranking, arena, "latency", "--latency", 1 / factor);
    add_network(ranking, arena, "overheads of calls", "--overheads", 1 / factor);
    return add_parts(ranking, arena, json_get_text(report, "processor"), error);
}

/* ---- Simulations ---- */

/* What is below SimGrid's precision comes from rounding. */
static void tell_gain(struct sensitivity_candidate *candidate, const struct forecast *base,
                      const json_t *report) {
    double gain_s = base->predicted_s - forecast_of(report).predicted_s;
    candidate->gain_s = fabs(gain_s) < PRECISION_S ? 0 : gain_s;
    candidate->gain = base->predicted_s > 0 ? candidate->gain_s / base->predicted_s : 0;
    if (candidate->saved_s > 0)
        candidate->of_saved = candidate->gain_s / candidate->saved_s;
}

static int simulate(struct whatif_ranking *ranking, struct arena *arena, struct error *error) {
    size_t count = ranking->report.candidates.count;
    struct simulation *rows = ARENA_ARRAY(arena, struct simulation, count + 1);
    for (size_t i = 0; i < count; i++) {
        const char **further = ARENA_ARRAY(arena, const char *, 3);
        further[0] = ranking->report.candidates.items[i].option;
        further[1] = ranking->report.candidates.items[i].value;
        rows[i] = whatif_simulation(ranking->options, further, NULL, false, arena);
    }
    int result = simulations_run(rows, count, ranking->options->jobs,
                                 !ranking->options->no_progress, arena, error);
    for (size_t i = 0; i < count && result == 0; i++) {
        struct sensitivity_candidate *candidate = &ranking->report.candidates.items[i];
        candidate->gain_s = candidate->gain = candidate->of_saved = NAN;
        if (rows[i].report != NULL)
            tell_gain(candidate, &ranking->report.base, rows[i].report);
        else
            candidate->error = rows[i].error;
    }
    simulations_dispose(rows, count);
    return result;
}

/* By gain, those that failed last. */
static int compare_gains(const void *left, const void *right) {
    const struct sensitivity_candidate *a = left, *b = right;
    if (isnan(a->gain_s) || isnan(b->gain_s))
        return isnan(a->gain_s) - isnan(b->gain_s);
    if (a->gain_s != b->gain_s)
        return a->gain_s < b->gain_s ? 1 : -1;
    return strcmp(a->name, b->name);
}

/* ---- All of it ---- */

static int rank_candidates(struct whatif_ranking *ranking, const json_t *report,
                           struct error *error) {
    struct arena arena = {0};
    int exit_code = EXIT_FAILED;
    if (add_candidates(ranking, &arena, report, error) == 0 &&
        simulate(ranking, &arena, error) == 0) {
        qsort(ranking->report.candidates.items, ranking->report.candidates.count,
              sizeof *ranking->report.candidates.items, compare_gains);
        sensitivity_print(&ranking->report, ranking->options->format, ranking->options->top);
        exit_code = output_finish(error) == 0 ? EXIT_FINE : EXIT_FAILED;
    }
    for (size_t i = 0; i < ranking->report.candidates.count; i++)
        if (isnan(ranking->report.candidates.items[i].gain_s))
            exit_code = EXIT_FAILED;
    if (ranking->directory != NULL && directory_remove(ranking->directory, &(struct error){0}) != 0)
        exit_code = EXIT_FAILED;
    arena_dispose(&arena);
    return exit_code;
}

int whatif_rank(struct whatif_options *options, struct error *error) {
    static const char *const none[] = {NULL};
    struct whatif_ranking ranking = {
        .options = options,
        .report = {.by_percent = options->by_percent, .least_percent = options->least_percent}};
    struct simulation base = whatif_simulation(options, none, NULL, true, &options->arena);
    int exit_code = EXIT_FAILED;
    if (simulations_run(&base, 1, 1, !options->no_progress, &options->arena, error) == 0) {
        if (base.report == NULL) {
            error_set(error, "%s", base.error);
            exit_code = base.exit_code == EXIT_USAGE ? EXIT_USAGE : EXIT_FAILED;
        } else {
            ranking.report.base = forecast_of(base.report);
            exit_code = rank_candidates(&ranking, base.report, error);
            simulation_tell_warnings(&base, "base");
        }
    }
    simulations_dispose(&base, 1);
    vec_dispose(&ranking.report.candidates);
    return exit_code;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * A table for each configuration of a group of equal features: rows are runs, columns are ranks;
 * see rank_spread.h.
 */
#include "model/latency/rank_spread.h"

#include "base/vec.h"
#include "model/samples/points.h"

#include <math.h>
#include <stdlib.h>

#define SURE 2               /* standard errors */
#define ALIKE_LEAST 0.6      /* of the ranks, by time, have to share the work */
#define COVERED_LEAST 0.5    /* of the time of what several ranks execute */
#define LATENCY_FLOOR_S 1e-9 /* what is below cannot be measured */

/* What a run spent on a rank in executions with the same features. */
struct rank_cell {
    int configuration, run, rank;
    double seconds, timed, executions; /* seconds: of the timed ones, less their contexts */
};

typedef VEC(struct rank_cell) rank_cell_list;

static int compare_int(int left, int right) {
    return (left > right) - (left < right);
}

static int by_rank_and_run(const void *left, const void *right) {
    const struct rank_cell *l = left, *r = right;
    int order = compare_int(l->configuration, r->configuration);
    if (order == 0)
        order = compare_int(l->rank, r->rank);
    return order != 0 ? order : compare_int(l->run, r->run);
}

/* Calls of one function in several regions may be pooled: they are one cell. */
static void unite(rank_cell_list *cells) {
    size_t left = 0;
    if (cells->count > 0)
        qsort(cells->items, cells->count, sizeof *cells->items, by_rank_and_run);
    for (size_t i = 0; i < cells->count; i++) {
        struct rank_cell *cell = &cells->items[i];
        if (left == 0 || by_rank_and_run(&cells->items[left - 1], cell) != 0) {
            cells->items[left++] = *cell;
            continue;
        }
        cells->items[left - 1].seconds += cell->seconds;
        cells->items[left - 1].timed += cell->timed;
        cells->items[left - 1].executions += cell->executions;
    }
    cells->count = left;
}

/* ---- One table ---- */

/* Ranks that each of the runs has; column by column. */
struct rank_table {
    int ranks, runs;
    double *x;          /* the rank's latency in the run over the mean of the run */
    double *part;       /* per rank: of the executions */
    double seconds;     /* of all of it */
    double timed;       /* executions behind a cell, on average */
    double mean_square; /* of the parts: one over the number of ranks that execute as often */
};

static double latency_s(const struct rank_cell *cell) {
    return fmax(cell->seconds / cell->timed, LATENCY_FLOOR_S);
}

/* How many runs the first rank has, which is the most that any may have. */
static int run_count(const struct rank_cell *cells, size_t count) {
    int runs = 0, most = 0;
    for (size_t i = 0; i < count; i++) {
        runs = i > 0 && cells[i].rank == cells[i - 1].rank ? runs + 1 : 1;
        most = runs > most ? runs : most;
    }
    return most;
}

/* Keeps ranks that all runs have. */
static size_t keep_complete(struct rank_cell *out, const struct rank_cell *cells, size_t count,
                            int runs) {
    size_t kept = 0;
    for (size_t first = 0, end; first < count; first = end) {
        for (end = first + 1; end < count && cells[end].rank == cells[first].rank;)
            end++;
        for (size_t i = first; i < end && end - first == (size_t)runs; i++)
            out[kept++] = cells[i];
    }
    return kept;
}

static void weigh_ranks(struct rank_table *out, const struct rank_cell *cells) {
    double all = 0;
    for (int j = 0; j < out->ranks * out->runs; j++)
        all += cells[j].executions;
    for (int j = 0; j < out->ranks; j++) {
        out->part[j] = 0;
        for (int i = 0; i < out->runs; i++)
            out->part[j] += cells[j * out->runs + i].executions / all;
        out->mean_square += out->part[j] * out->part[j];
    }
}

static void divide_by_runs(struct rank_table *out, const struct rank_cell *cells) {
    for (int i = 0; i < out->runs; i++) {
        double mean_s = 0;
        for (int j = 0; j < out->ranks; j++)
            mean_s += out->part[j] * latency_s(&cells[j * out->runs + i]);
        for (int j = 0; j < out->ranks; j++)
            out->x[j * out->runs + i] = latency_s(&cells[j * out->runs + i]) / mean_s;
    }
}

static double mean_of_rank(const struct rank_table *table, int rank) {
    double sum = 0;
    for (int i = 0; i < table->runs; i++)
        sum += table->x[rank * table->runs + i];
    return sum / table->runs;
}

/* Of how many ranks of equal time the work could be, over how many execute it. */
static double alike(const struct rank_table *table) {
    double squares = 0;
    for (int j = 0; j < table->ranks; j++)
        squares += pow(table->part[j] * mean_of_rank(table, j), 2);
    return table->mean_square / squares;
}

/* ---- All of them ---- */

/* Variances, weighted by time. */
struct rank_residuals {
    double execution;           /* the variance of single executions, if no run is repeated */
    bool repeated_only;         /* runs that are not repeated have no part */
    double between_s, chance_s; /* of ranks' means over runs; what of it is chance */
    double error_s2;            /* of the difference, if all is chance: times the square of time */
    double seconds, several_s;  /* of the tables; of all that several ranks execute */
};

static void add_variances(struct rank_residuals *sums, const struct rank_table *table) {
    double between = 0, chance = 0, free_part = 1 - table->mean_square;
    double degrees = 1 / table->mean_square - 1;
    for (int j = 0; j < table->ranks; j++) {
        double mean = mean_of_rank(table, j);
        between += table->part[j] * pow(mean - 1, 2) / free_part;
        for (int i = 0; i < table->runs && table->runs > 1; i++)
            chance += table->part[j] * pow(table->x[j * table->runs + i] - mean, 2) /
                      (free_part * (table->runs - 1) * table->runs);
    }
    double error = 2 / degrees * (table->runs > 1 ? 1 + 1.0 / (table->runs - 1) : 1);
    if (table->runs == 1)
        chance = sums->execution / table->timed;
    sums->between_s += table->seconds * between;
    sums->chance_s += table->seconds * chance;
    sums->error_s2 += pow(table->seconds, 2) * error;
    sums->seconds += table->seconds;
}

static bool chance_is_known(const struct rank_residuals *sums, const struct rank_table *table) {
    return table->runs > 1 || (!sums->repeated_only && table->timed >= 2);
}

static void add_rank_table(struct rank_residuals *sums, const struct rank_cell *cells,
                           size_t count) {
    struct rank_table table = {.runs = run_count(cells, count)};
    struct rank_cell *kept = xmalloc(count * sizeof *kept);
    table.ranks = (int)keep_complete(kept, cells, count, table.runs) / table.runs;
    table.x = xmalloc((count + 1) * sizeof *table.x);
    table.part = xmalloc((count + 1) * sizeof *table.part);
    for (size_t i = 0; i < count; i++) {
        table.seconds += latency_s(&cells[i]) * cells[i].executions;
        table.timed += cells[i].timed / (double)count;
    }
    sums->several_s += table.seconds;
    if (table.ranks > 1 && chance_is_known(sums, &table)) {
        weigh_ranks(&table, kept);
        divide_by_runs(&table, kept);
        if (alike(&table) >= ALIKE_LEAST)
            add_variances(sums, &table);
    }
    free(table.x);
    free(table.part);
    free(kept);
}

/* One rank alone, of those of a larger run too, tells nothing; but it does have time. */
static void add_group(struct rank_residuals *sums, const rank_cell_list *cells,
                      const bool *is_several) {
    for (size_t first = 0, end; first < cells->count; first = end) {
        int configuration = cells->items[first].configuration;
        for (end = first + 1;
             end < cells->count && cells->items[end].configuration == configuration;)
            end++;
        if (is_several[configuration])
            add_rank_table(sums, &cells->items[first], end - first);
    }
}

static void add_cell(rank_cell_list *out, const struct sample *sample, const int *configuration) {
    int run = sample->run;
    struct rank_cell cell = {.configuration = configuration != NULL ? configuration[run] : run,
                             .run = run,
                             .rank = sample->rank,
                             .seconds = sample->seconds / sample_ratio(sample),
                             .timed = sample->timed,
                             .executions = sample->count};
    if (sample->timed > 0 && sample->count > 0)
        vec_push(out, cell);
}

static void add_groups(struct rank_residuals *sums, const struct sample *samples, size_t count,
                       const int *configuration, const bool *is_several) {
    for (size_t first = 0, end; first < count; first = end) {
        rank_cell_list cells = {0};
        end = points_group_end(samples, count, first);
        for (size_t i = first; i < end; i++)
            add_cell(&cells, &samples[i], configuration);
        unite(&cells);
        add_group(sums, &cells, is_several);
        vec_dispose(&cells);
    }
}

/* Whether more than one rank of a configuration executed the region, and a run repeats another. */
static bool *find_several(bool *is_repeated, const struct sample *samples, size_t count,
                          const int *configuration) {
    int most = 0;
    for (size_t i = 0; i < count; i++)
        most = samples[i].run > most ? samples[i].run : most;
    bool *is_several = xmalloc((size_t)most + 1);
    for (int i = 0; i <= most; i++)
        is_several[i] = false;
    *is_repeated = false;
    for (size_t i = 0; i < count; i++) {
        int run = samples[i].run, first = configuration != NULL ? configuration[run] : run;
        is_several[first] |= samples[i].rank > 0;
        *is_repeated |= first != run && samples[i].rank > 0;
    }
    return is_several;
}

double rank_spread_of_region(const struct sample *samples, size_t count, const int *configuration,
                             double execution) {
    struct rank_residuals sums = {.execution = expm1(execution * execution)};
    bool *is_several = find_several(&sums.repeated_only, samples, count, configuration);
    add_groups(&sums, samples, count, configuration, is_several);
    free(is_several);
    if (sums.seconds <= COVERED_LEAST * sums.several_s)
        return 0;
    double chance = sums.chance_s / sums.seconds;
    double stays = sums.between_s / sums.seconds - chance;
    double error = chance * sqrt(sums.error_s2) / sums.seconds;
    return stays > SURE * error ? sqrt(log1p(stays)) : 0;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows are runs, columns are places in the run; see jitter.h.
 */
#include "model/latency/jitter.h"

#include "base/vec.h"
#include "model/samples/points.h"

#include <math.h>
#include <stdlib.h>

#define EXECUTIONS_MAX 4 /* of a context: more are spread over too long a time */
#define SWEEPS 12        /* balanced ones, which nearly all are, need one */
#define PASSES 4         /* with fewer outliers in the means each time */
#define OUTLIER 3
#define ENOUGH 6 /* degrees of freedom of a table, to tell what is far out in it by itself */
#define COLUMNS_LEAST 1.5 /* by time: less is one place, and runs that were slower as a whole */
#define COVERED_LEAST 0.5 /* of a region's time, has to be in tables */
#define NORMAL_BY_MEDIAN 1.4826 /* standard deviation over median of absolute values */

/* What is known of the executions of a context: they count by their number. */
struct jitter_cell {
    int configuration, rank, called_by;
    const struct sample_context *context;
    int run;
    int row, column; /* from 0 in each table */
    double weight, value;
    double seconds; /* of `weight` executions as long as its column's usually are */
    double left;    /* the part of its variance that is in what the means of the table leave */
};

typedef VEC(struct jitter_cell) cell_list;

static int compare_numbers(int left, int right) {
    return (left > right) - (left < right);
}

static int compare_places(const struct jitter_cell *left, const struct jitter_cell *right) {
    const struct sample_context *l = left->context, *r = right->context;
    int order = compare_numbers(left->configuration, right->configuration);
    if (order == 0)
        order = compare_numbers(left->rank, right->rank);
    if (order == 0)
        order = compare_numbers(left->called_by, right->called_by);
    if (order == 0)
        order = compare_numbers(l->execution, r->execution);
    if (order == 0)
        order = compare_numbers(l->unchanged, r->unchanged);
    return order != 0 ? order : compare_numbers(l->before, r->before);
}

static int by_place(const void *left, const void *right) {
    const struct jitter_cell *l = left, *r = right;
    int order = compare_places(l, r);
    return order != 0 ? order : compare_numbers(l->run, r->run);
}

static void add_cells(cell_list *out, const struct sample *sample, const int *configuration) {
    for (size_t i = 0; i < sample->context_count; i++) {
        const struct sample_context *context = &sample->contexts[i];
        if (context->before == CONTEXT_LOST || !(context->timed >= 1) ||
            context->timed > EXECUTIONS_MAX || !(context->seconds > 0))
            continue;
        struct jitter_cell cell = {.configuration = configuration[sample->run],
                                   .rank = sample->rank,
                                   .called_by = sample->called_by,
                                   .context = context,
                                   .run = sample->run,
                                   .weight = context->timed,
                                   .value = log(context->seconds / context->timed)};
        vec_push(out, cell);
    }
}

/* Keeps the columns that at least two runs have; the cells are sorted by place. */
static size_t keep_repeated(struct jitter_cell *cells, size_t count, int *column_count) {
    size_t left = 0;
    *column_count = 0;
    for (size_t first = 0, end; first < count; first = end) {
        for (end = first + 1; end < count && compare_places(&cells[first], &cells[end]) == 0;)
            end++;
        if (cells[first].run == cells[end - 1].run)
            continue;
        for (size_t i = first; i < end; i++) {
            cells[left] = cells[i];
            cells[left++].column = *column_count;
        }
        ++*column_count;
    }
    return left;
}

static int number_rows(struct jitter_cell *cells, size_t count) {
    int row_count = 0;
    VEC(int) runs = {0};
    for (size_t i = 0; i < count; i++) {
        size_t row = 0;
        while (row < runs.count && runs.items[row] != cells[i].run)
            row++;
        if (row == runs.count) {
            vec_push(&runs, cells[i].run);
            row_count++;
        }
        cells[i].row = (int)row;
    }
    vec_dispose(&runs);
    return row_count;
}

/* Takes the means of rows, or of columns, out of the values, each weighted by time: what a run is
 * slower by is what most of its time is slower by. */
static void take_out(struct jitter_cell *cells, size_t count, bool rows, double *sums,
                     double *weights) {
    for (size_t i = 0; i < count; i++) {
        int at = rows ? cells[i].row : cells[i].column;
        sums[at] = weights[at] = 0;
    }
    for (size_t i = 0; i < count; i++) {
        int at = rows ? cells[i].row : cells[i].column;
        sums[at] += cells[i].seconds * cells[i].value;
        weights[at] += cells[i].seconds;
    }
    for (size_t i = 0; i < count; i++) {
        int at = rows ? cells[i].row : cells[i].column;
        cells[i].value -= sums[at] / weights[at];
    }
}

/* The cells of a configuration with equal features. */
struct jitter_table {
    struct jitter_cell *cells;
    size_t count;
    double degrees; /* of freedom, by time */
    double cells_s; /* of its cells */
    double group_s; /* of all samples of that configuration with these features */
};

typedef VEC(struct jitter_table) table_list;

static void leave_residuals(struct jitter_table *table, double *sums) {
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        take_out(table->cells, table->count, false, sums, sums + table->count);
        take_out(table->cells, table->count, true, sums, sums + table->count);
    }
}

struct deviation {
    double size, seconds;
};

static int by_size(const void *left, const void *right) {
    const struct deviation *l = left, *r = right;
    return (l->size > r->size) - (l->size < r->size);
}

/* Half of the time is spent in cells that are off by less, as in a normal distribution that wide.
 * `deviations` has room for all cells. */
static double robust_deviation(const struct jitter_table *tables, size_t table_count,
                               struct deviation *deviations) {
    size_t count = 0, middle = 0;
    double seconds = 0, below_s = 0;
    for (size_t t = 0; t < table_count; t++) {
        const struct jitter_table *table = &tables[t];
        for (size_t i = 0; i < table->count; i++) {
            const struct jitter_cell *cell = &table->cells[i];
            deviations[count++] =
                (struct deviation){fabs(cell->value) * sqrt(cell->weight / cell->left),
                                   table->group_s * cell->seconds / table->cells_s};
        }
        seconds += table->group_s;
    }
    if (count == 0)
        return 0;
    qsort(deviations, count, sizeof *deviations, by_size);
    while (middle + 1 < count && (below_s += deviations[middle].seconds) < seconds / 2)
        middle++;
    return NORMAL_BY_MEDIAN * deviations[middle].size;
}

/* What is farther out than OUTLIER deviations is put there. */
static void clamp(struct jitter_table *table, double deviation) {
    for (size_t i = 0; i < table->count; i++) {
        struct jitter_cell *cell = &table->cells[i];
        double limit = OUTLIER * deviation * sqrt(cell->left / cell->weight);
        cell->value = fmax(fmin(cell->value, limit), -limit);
    }
}

/* ---- Tables ---- */

static size_t column_end(const struct jitter_cell *cells, size_t count, size_t first) {
    size_t end = first + 1;
    while (end < count && cells[end].column == cells[first].column)
        end++;
    return end;
}

/* The cells of one column. */
static double weigh_by_time(struct jitter_cell *cells, size_t count) {
    double sum = 0, seconds = 0;
    for (size_t i = 0; i < count; i++)
        sum += cells[i].value;
    for (size_t i = 0; i < count; i++)
        seconds += cells[i].seconds = cells[i].weight * exp(sum / (double)count);
    return seconds;
}

/* How many columns of equal time would tell as much (L. Kish, Survey Sampling, 1965): one over the
 * sum of the squares of the columns' parts of the time. A column with the part p, in R runs, is
 * left with (1 - 1/R) (1 - 2 p + that sum) of its variance once the means are taken out. */
static double weigh_table(struct jitter_table *table) {
    double squares = 0;
    for (size_t first = 0, end; first < table->count; first = end) {
        end = column_end(table->cells, table->count, first);
        double seconds = weigh_by_time(&table->cells[first], end - first);
        table->cells_s += seconds;
        squares += seconds * seconds;
    }
    squares /= table->cells_s * table->cells_s;
    for (size_t first = 0, end; first < table->count; first = end) {
        double seconds = 0;
        end = column_end(table->cells, table->count, first);
        for (size_t i = first; i < end; i++)
            seconds += table->cells[i].seconds;
        for (size_t i = first; i < end; i++)
            table->cells[i].left =
                (1 - 1 / (double)(end - first)) * (1 - 2 * seconds / table->cells_s + squares);
    }
    return 1 / squares;
}

/* False: no run repeats another one in it. */
static bool add_table(table_list *tables, struct jitter_cell *cells, size_t count, double group_s) {
    int columns, rows;
    count = keep_repeated(cells, count, &columns);
    if (count == 0)
        return false;
    rows = number_rows(cells, count);
    struct jitter_table table = {.cells = cells, .count = count, .group_s = group_s};
    double degrees = (double)count - rows - columns + 1, by_time = weigh_table(&table);
    if (degrees >= 1 && by_time >= COLUMNS_LEAST) {
        table.degrees = degrees * (by_time - 1) / (columns - 1);
        vec_push(tables, table);
    }
    return true;
}

static double sample_s(const struct sample *sample) {
    return sample->timed > 0 ? sample_latency_s(sample) * sample->count : 0;
}

/* Samples with equal features. */
struct sample_group {
    const struct sample *samples;
    size_t count;
    const int *configuration;
};

static double configuration_s(const struct sample_group *group, int configuration) {
    double seconds = 0;
    for (size_t i = 0; i < group->count; i++)
        if (group->configuration[group->samples[i].run] == configuration)
            seconds += sample_s(&group->samples[i]);
    return seconds;
}

/* `cells`: those of the group. False: no run repeats another one in it. */
static bool add_tables(table_list *tables, const struct sample_group *group,
                       struct jitter_cell *cells, size_t count) {
    bool is_repeated = false;
    if (count > 0)
        qsort(cells, count, sizeof *cells, by_place);
    for (size_t first = 0, end; first < count; first = end) {
        end = first + 1;
        while (end < count && cells[end].configuration == cells[first].configuration)
            end++;
        is_repeated |= add_table(tables, &cells[first], end - first,
                                 configuration_s(group, cells[first].configuration));
    }
    return is_repeated;
}

/* The variance of all tables, each weighted by its time, as its cells are. */
static double pooled_variance(const table_list *tables) {
    double squares = 0, seconds = 0;
    for (size_t t = 0; t < tables->count; t++) {
        const struct jitter_table *table = &tables->items[t];
        double sum = 0, left_s = 0;
        for (size_t i = 0; i < table->count; i++) {
            const struct jitter_cell *cell = &table->cells[i];
            sum += cell->seconds * cell->weight * cell->value * cell->value;
            left_s += cell->seconds * cell->left;
        }
        squares += table->group_s * sum / left_s;
        seconds += table->group_s;
    }
    return squares / seconds;
}

static bool is_covered(const table_list *tables, const struct sample *samples, size_t count) {
    double all_s = 0, tables_s = 0;
    for (size_t i = 0; i < count; i++)
        all_s += sample_s(&samples[i]);
    for (size_t t = 0; t < tables->count; t++)
        tables_s += tables->items[t].group_s;
    return tables_s > COVERED_LEAST * all_s;
}

static int small_first(const void *left, const void *right) {
    const struct jitter_table *l = left, *r = right;
    bool l_small = l->degrees < ENOUGH, r_small = r->degrees < ENOUGH;
    return l_small != r_small ? (l_small ? -1 : 1) : (l->cells > r->cells) - (l->cells < r->cells);
}

static double deviation_of(const table_list *tables, size_t cell_count) {
    size_t small_count = 0;
    qsort(tables->items, tables->count, sizeof *tables->items, small_first);
    while (small_count < tables->count && tables->items[small_count].degrees < ENOUGH)
        small_count++;
    double *sums = xmalloc(2 * cell_count * sizeof *sums);
    struct deviation *deviations = xmalloc(cell_count * sizeof *deviations);
    for (int pass = 0; pass < PASSES; pass++) {
        for (size_t t = 0; t < tables->count; t++)
            leave_residuals(&tables->items[t], sums);
        double common = robust_deviation(tables->items, small_count, deviations);
        for (size_t t = 0; t < tables->count; t++)
            clamp(&tables->items[t],
                  t < small_count ? common : robust_deviation(&tables->items[t], 1, deviations));
    }
    free(sums);
    free(deviations);
    return sqrt(pooled_variance(tables));
}

bool jitter_of_region(double *deviation, const struct sample *samples, size_t count,
                      const int *configuration) {
    cell_list cells = {0};
    table_list tables = {0};
    VEC(size_t) ends = {0}; /* of the cells of each sample */
    bool is_repeated = false;
    for (size_t i = 0; i < count; i++) {
        add_cells(&cells, &samples[i], configuration);
        vec_push(&ends, cells.count);
    }
    for (size_t first = 0, end; first < count; first = end) {
        end = points_group_end(samples, count, first);
        struct sample_group group = {&samples[first], end - first, configuration};
        size_t begin = first > 0 ? ends.items[first - 1] : 0;
        if (ends.items[end - 1] > begin)
            is_repeated |=
                add_tables(&tables, &group, &cells.items[begin], ends.items[end - 1] - begin);
    }
    if (is_repeated)
        *deviation = is_covered(&tables, samples, count) ? deviation_of(&tables, cells.count) : 0;
    vec_dispose(&ends);
    vec_dispose(&tables);
    vec_dispose(&cells);
    return is_repeated;
}

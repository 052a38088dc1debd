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
#define NORMAL_BY_MEDIAN 1.4826 /* standard deviation over median of absolute values */

/* What is known of the executions of a context: they count by their number. */
struct jitter_cell {
    int configuration, rank, called_by;
    const struct sample_context *context;
    int run;
    int row, column; /* from 0 in each table */
    double weight, value;
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

/* Takes the means of rows, or of columns, out of the values. */
static void take_out(struct jitter_cell *cells, size_t count, bool rows, double *sums,
                     double *weights) {
    for (size_t i = 0; i < count; i++) {
        int at = rows ? cells[i].row : cells[i].column;
        sums[at] = weights[at] = 0;
    }
    for (size_t i = 0; i < count; i++) {
        int at = rows ? cells[i].row : cells[i].column;
        sums[at] += cells[i].weight * cells[i].value;
        weights[at] += cells[i].weight;
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
    double degrees, seconds; /* degrees: of freedom */
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
        double factor = sqrt((double)table->count / table->degrees);
        for (size_t i = 0; i < table->count; i++) {
            const struct jitter_cell *cell = &table->cells[i];
            deviations[count++] =
                (struct deviation){factor * fabs(cell->value) * sqrt(cell->weight),
                                   table->seconds / (double)table->count};
        }
        seconds += table->seconds;
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
    double most = OUTLIER * deviation * sqrt(table->degrees / (double)table->count);
    for (size_t i = 0; i < table->count; i++) {
        double limit = most / sqrt(table->cells[i].weight);
        table->cells[i].value = fmax(fmin(table->cells[i].value, limit), -limit);
    }
}

static void add_table(table_list *tables, struct jitter_cell *cells, size_t count) {
    int columns, rows;
    count = keep_repeated(cells, count, &columns);
    rows = number_rows(cells, count);
    struct jitter_table table = {
        .cells = cells, .count = count, .degrees = (double)count - rows - columns + 1};
    for (size_t i = 0; i < count; i++)
        table.seconds += cells[i].weight * exp(cells[i].value);
    if (count > 0 && table.degrees >= 1)
        vec_push(tables, table);
}

/* Of cells with equal features. */
static void add_tables(table_list *tables, struct jitter_cell *cells, size_t count) {
    if (count > 0)
        qsort(cells, count, sizeof *cells, by_place);
    for (size_t first = 0, end; first < count; first = end) {
        end = first + 1;
        while (end < count && cells[end].configuration == cells[first].configuration)
            end++;
        add_table(tables, &cells[first], end - first);
    }
}

/* The variance of all tables, each weighted by its time. */
static double pooled_variance(const table_list *tables) {
    double squares = 0, seconds = 0;
    for (size_t t = 0; t < tables->count; t++) {
        const struct jitter_table *table = &tables->items[t];
        double sum = 0;
        for (size_t i = 0; i < table->count; i++)
            sum += table->cells[i].weight * table->cells[i].value * table->cells[i].value;
        squares += table->seconds * sum / table->degrees;
        seconds += table->seconds;
    }
    return squares / seconds;
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
    VEC(size_t) ends = {0}; /* of cells with equal features */
    for (size_t i = 0; i < count; i++) {
        add_cells(&cells, &samples[i], configuration);
        if (i + 1 == count || features_compare(samples[i].features, samples[i + 1].features,
                                               samples[i].feature_count) != 0)
            vec_push(&ends, cells.count);
    }
    for (size_t k = 0, first = 0; k < ends.count; first = ends.items[k++])
        if (ends.items[k] > first)
            add_tables(&tables, &cells.items[first], ends.items[k] - first);
    bool is_known = tables.count > 0;
    if (is_known)
        *deviation = deviation_of(&tables, cells.count);
    vec_dispose(&ends);
    vec_dispose(&tables);
    vec_dispose(&cells);
    return is_known;
}

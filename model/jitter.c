/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows are runs, columns are places in the run; see jitter.h.
 */
#include "model/jitter.h"

#include "base/numbers.h"
#include "base/vec.h"
#include "model/points.h"

#include <math.h>
#include <stdlib.h>

#define EXECUTIONS_MAX 4 /* of a context: more are spread over too long a time */
#define SWEEPS 12        /* balanced ones, which nearly all are, need one */
#define PASSES 4         /* with fewer outliers in the means each time */
#define OUTLIER 3
#define NORMAL_BY_MEDIAN 1.4826 /* standard deviation over median of absolute values */

/* What is known of the executions of a context: they count by their number. */
struct cell {
    int configuration, rank, called_by;
    const struct sample_context *context;
    int run;
    int row, column; /* from 0 in each table */
    double weight, value;
};

typedef VEC(struct cell) cell_list;

static int compare_numbers(int left, int right) {
    return (left > right) - (left < right);
}

static int compare_places(const struct cell *left, const struct cell *right) {
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
    const struct cell *l = left, *r = right;
    int order = compare_places(l, r);
    return order != 0 ? order : compare_numbers(l->run, r->run);
}

static void add_cells(cell_list *out, const struct sample *sample, const int *configuration) {
    for (size_t i = 0; i < sample->context_count; i++) {
        const struct sample_context *context = &sample->contexts[i];
        if (context->before == CONTEXT_LOST || !(context->timed >= 1) ||
            context->timed > EXECUTIONS_MAX || !(context->seconds > 0))
            continue;
        struct cell cell = {.configuration = configuration[sample->run],
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
static size_t keep_repeated(struct cell *cells, size_t count, int *column_count) {
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

static int number_rows(struct cell *cells, size_t count) {
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
static void take_out(struct cell *cells, size_t count, bool rows, double *sums, double *weights) {
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

/* What is farther out than OUTLIER robust deviations is put there. `numbers` has room for all. */
static void clamp(struct cell *cells, size_t count, double *numbers) {
    for (size_t i = 0; i < count; i++)
        numbers[i] = fabs(cells[i].value) * sqrt(cells[i].weight);
    double most = OUTLIER * NORMAL_BY_MEDIAN * numbers_median(numbers, count);
    for (size_t i = 0; i < count; i++) {
        double limit = most / sqrt(cells[i].weight);
        cells[i].value = fmax(fmin(cells[i].value, limit), -limit);
    }
}

/* A sum of variances, weighted by time. */
struct pool {
    double squares, seconds;
};

/* One table: the cells of a configuration. */
static void add_table(struct pool *pool, struct cell *cells, size_t count) {
    int columns, rows;
    double seconds = 0, squares = 0;
    count = keep_repeated(cells, count, &columns);
    rows = number_rows(cells, count);
    double degrees = (double)count - rows - columns + 1;
    if (count == 0 || degrees < 1)
        return;
    double *sums = xmalloc(2 * count * sizeof *sums);
    for (size_t i = 0; i < count; i++)
        seconds += cells[i].weight * exp(cells[i].value);
    for (int pass = 0; pass < PASSES; pass++) {
        for (int sweep = 0; sweep < SWEEPS; sweep++) {
            take_out(cells, count, false, sums, sums + count);
            take_out(cells, count, true, sums, sums + count);
        }
        clamp(cells, count, sums);
    }
    for (size_t i = 0; i < count; i++)
        squares += cells[i].weight * cells[i].value * cells[i].value;
    free(sums);
    pool->squares += seconds * squares / degrees;
    pool->seconds += seconds;
}

static void add_tables(struct pool *pool, cell_list *cells) {
    if (cells->count > 0)
        qsort(cells->items, cells->count, sizeof *cells->items, by_place);
    for (size_t first = 0, end; first < cells->count; first = end) {
        end = first + 1;
        while (end < cells->count &&
               cells->items[end].configuration == cells->items[first].configuration)
            end++;
        add_table(pool, &cells->items[first], end - first);
    }
}

bool jitter_of_region(double *deviation, const struct sample *samples, size_t count,
                      const int *configuration) {
    struct pool pool = {0};
    cell_list cells = {0};
    for (size_t first = 0, end; first < count; first = end) {
        cells.count = 0;
        for (end = first;
             end < count && features_compare(samples[first].features, samples[end].features,
                                             samples[first].feature_count) == 0;
             end++)
            add_cells(&cells, &samples[end], configuration);
        add_tables(&pool, &cells);
    }
    vec_dispose(&cells);
    if (!(pool.seconds > 0))
        return false;
    *deviation = sqrt(pool.squares / pool.seconds);
    return true;
}

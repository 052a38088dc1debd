/* SPDX-License-Identifier: Apache-2.0
 *
 * Latency models in the store; see store.h. The lines of model.bsim are kept as they are, ranges
 * as the list of minima and the list of maxima, JSON arrays.
 */
#include "model/samples/call_gaps.h"
#include "model/store/query.h"

#include <stdlib.h>
#include <string.h>

/* ---- Writing ---- */

static void add_ranges(struct str *out, const struct latency_model *model) {
    str_addc(out, '[');
    query_add_numbers(out, model->min, model->feature_count);
    str_addc(out, ',');
    query_add_numbers(out, model->max, model->feature_count);
    str_addc(out, ']');
}

static void bind_model(struct query *query, const struct latency_model *model,
                       const struct region *region) {
    struct str formula = {0}, ranges = {0};
    latency_formula(&formula, model, region, FORMULA_TEXT);
    add_ranges(&ranges, model);
    query_bind_integer(query, model->region);
    query_bind_text(query, str_text(&formula));
    query_bind_text(query, model->lines);
    query_bind_text(query, str_text(&ranges));
    query_bind_integer(query, (long long)model->point_count);
    query_bind_integer(query, model->run_count);
    query_bind_number(query, model->error);
    query_bind_integer(query, model->validation);
    query_bind_number(query, model->total_s);
    query_bind_number(query, model->share);
    query_bind_text(query, model->note);
    str_dispose(&formula);
    str_dispose(&ranges);
}

static int delete_models(struct store *store, const struct models *models, long long machine,
                         struct error *error) {
    struct query query = query_prepare(
        store, "DELETE FROM models WHERE machine = ? AND bundle = ? AND statistic = ?", error);
    query_bind_integer(&query, machine);
    query_bind_text(&query, models->bundle);
    query_bind_text(&query, statistic_name(models->statistic));
    query_step(&query);
    return query_finish(&query);
}

static int insert_models(struct store *store, const struct models *models,
                         const struct regions *regions, long long machine, struct error *error) {
    struct query query =
        query_prepare(store,
                      "INSERT INTO models (machine, bundle, statistic, region, formula, "
                      "lines, ranges, points, runs, error, validation, total_s, "
                      "share, note) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                      error);
    for (int i = 0; i < models->count && query.result == 0; i++) {
        if (!models->items[i].fitted)
            continue;
        query_bind_integer(&query, machine);
        query_bind_text(&query, models->bundle);
        query_bind_text(&query, statistic_name(models->statistic));
        bind_model(&query, &models->items[i], &regions->items[i]);
        query_step(&query);
        query_again(&query);
    }
    return query_finish(&query);
}

int store_replace_models(struct store *store, const struct models *models,
                         const struct regions *regions, struct error *error) {
    long long machine = 0;
    if (store_machine_row(&machine, store, models->machine, error) != 0 ||
        store_bundle_rows(store, regions, error) != 0 ||
        delete_models(store, models, machine, error) != 0)
        return -1;
    return insert_models(store, models, regions, machine, error);
}

int store_write_models(struct store *store, const struct models *models,
                       const struct regions *regions, struct error *error) {
    if (store_begin(store, error) != 0)
        return -1;
    return store_end(store, store_replace_models(store, models, regions, error), error);
}

/* ---- Reading ---- */

static int read_ranges(struct latency_model *out, struct arena *arena, struct query *query,
                       const char *text) {
    double *min = ARENA_ARRAY(arena, double, (size_t)out->feature_count);
    double *max = ARENA_ARRAY(arena, double, (size_t)out->feature_count);
    if (*text++ != '[' || query_read_numbers(min, &text, out->feature_count) != 0 ||
        *text++ != ',' || query_read_numbers(max, &text, out->feature_count) != 0 ||
        strcmp(text, "]") != 0)
        return query_fail(query, "the ranges of a model are damaged");
    out->min = min;
    out->max = max;
    return 0;
}

static int read_model(struct models *out, struct query *query, const struct regions *regions) {
    long long region = query_integer(query, 0), validation = query_integer(query, 6);
    if (region < 0 || region >= out->count)
        return query_fail(query, "a model is of no region of the bundle");
    if (validation < VALIDATION_NONE || validation > VALIDATION_RUNS)
        return query_fail(query, "the validation of a model is damaged");
    bool is_value = regions->items[region].value != VALUE_NONE;
    struct latency_model *model = &out->items[region];
    model->point_count = (size_t)query_integer(query, 3);
    model->run_count = (int)query_integer(query, 4);
    model->error = query_number(query, 5);
    model->validation = (enum latency_validation)validation;
    model->total_s = query_number(query, 7);
    model->share = query_number(query, 8);
    model->note = arena_strdup(&out->arena, query_text(query, 9));
    model->fitted = true;
    if (is_value)
        model->value_formula = arena_strdup(&out->arena, query_text(query, 10));
    if (read_ranges(model, &out->arena, query, query_text(query, 2)) != 0)
        return -1;
    if (latency_read_lines(model, &out->arena, query_text(query, 1)) != 0)
        return query_fail(query, "the lines of a model are damaged");
    return 0;
}

static void prepare_models(struct models *out, const struct regions *regions, const char *machine) {
    *out = (struct models){.count = regions->count};
    arena_init(&out->arena);
    out->bundle = arena_strdup(&out->arena, regions->bundle);
    out->machine = arena_strdup(&out->arena, machine);
    out->items = ARENA_ARRAY(&out->arena, struct latency_model, (size_t)regions->count);
    for (int i = 0; i < regions->count; i++)
        out->items[i] = (struct latency_model){
            .region = i, .feature_count = regions->items[i].feature_count, .note = ""};
}

/* They are no part of a region, and are computed anew from the runs. */
int store_model_gaps(struct models *out, struct store *store, const struct regions *regions,
                     struct error *error) {
    struct arena arena = {0};
    struct store_row *rows;
    size_t count;
    int result = store_rows(&rows, &count, &arena, store, out->bundle, out->machine, error);
    struct run *runs = ARENA_ARRAY(&arena, struct run, result == 0 ? count + 1 : 1);
    for (size_t i = 0; i < count && result == 0; i++)
        runs[i] = rows[i].run;
    if (result == 0)
        out->gaps = call_gaps_lines(&out->arena, runs, count, regions);
    arena_dispose(&arena);
    return result;
}

int store_statistics(enum statistic *out, int *out_count, struct store *store, const char *bundle,
                     const char *machine, struct error *error) {
    struct query query = query_prepare(
        store,
        "SELECT statistic FROM models JOIN machines ON machines.id = models.machine WHERE bundle = "
        "? AND name = ? GROUP BY statistic ORDER BY max(models.rowid)",
        error);
    *out_count = 0;
    query_bind_text(&query, bundle);
    query_bind_text(&query, machine);
    while (query_step(&query) && *out_count < STATISTIC_COUNT) {
        if (!statistic_parse(&out[*out_count], query_text(&query, 0)))
            query_fail(&query, "the statistic of a model is damaged");
        ++*out_count;
    }
    return query_finish(&query);
}

/* As fitting does it. */
static void sum_up(struct models *models) {
    double error_s = 0;
    for (int i = 0; i < models->count; i++) {
        models->total_s += models->items[i].total_s;
        error_s += models->items[i].total_s * models->items[i].error;
    }
    models->error = models->total_s > 0 ? error_s / models->total_s : 0;
}

int store_models_of(struct models *out, struct store *store, const struct regions *regions,
                    const char *machine, enum statistic statistic, struct error *error) {
    prepare_models(out, regions, machine);
    out->statistic = statistic;
    struct query query = query_prepare(
        store,
        "SELECT region, lines, ranges, points, runs, error, validation, total_s, share, note, "
        "formula FROM models JOIN machines ON machines.id = models.machine WHERE "
        "bundle = ? AND name = ? AND statistic = ? ORDER BY region",
        error);
    query_bind_text(&query, regions->bundle);
    query_bind_text(&query, machine);
    query_bind_text(&query, statistic_name(statistic));
    while (query_step(&query) && read_model(out, &query, regions) == 0)
        continue;
    int result = query_finish(&query);
    if (result == 0)
        sum_up(out);
    if (result != 0)
        models_dispose(out);
    return result;
}

int store_models(struct models *out, struct store *store, const struct regions *regions,
                 const char *machine, struct error *error) {
    enum statistic found[STATISTIC_COUNT];
    int count = 0;
    if (store_statistics(found, &count, store, regions->bundle, machine, error) != 0)
        return -1;
    return store_models_of(out, store, regions, machine,
                           count > 0 ? found[count - 1] : STATISTIC_MEDIAN, error);
}

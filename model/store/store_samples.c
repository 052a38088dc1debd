/* SPDX-License-Identifier: Apache-2.0
 *
 * Machines, programs, bundles, regions and samples in the store; see store.h.
 */
#include "model/store/query.h"

#include "base/vec.h"
#include "model/eval/context.h"
#include "model/samples/told_again.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Names to rows ---- */

static int find_machine(long long *out, struct store *store, const char *machine,
                        struct error *error) {
    struct query query = query_prepare(store, "SELECT id FROM machines WHERE name = ?", error);
    query_bind_text(&query, machine);
    *out = query_step(&query) ? query_integer(&query, 0) : -1;
    return query_finish(&query);
}

int store_machine_row(long long *out, struct store *store, const char *machine,
                      struct error *error) {
    struct query query =
        query_prepare(store, "INSERT OR IGNORE INTO machines (name) VALUES (?)", error);
    query_bind_text(&query, machine);
    query_step(&query);
    return query_finish(&query) == 0 ? find_machine(out, store, machine, error) : -1;
}

static int make_program(struct store *store, const struct regions *regions, struct error *error) {
    struct query query =
        query_prepare(store, "INSERT OR IGNORE INTO programs (name, root) VALUES (?, ?)", error);
    query_bind_text(&query, regions->program);
    query_bind_text(&query, regions->root);
    query_step(&query);
    if (query_finish(&query) != 0)
        return -1;
    query = query_prepare(store,
                          "INSERT OR IGNORE INTO bundles (id, program) "
                          "SELECT ?, id FROM programs WHERE name = ? AND root = ?",
                          error);
    query_bind_text(&query, regions->bundle);
    query_bind_text(&query, regions->program);
    query_bind_text(&query, regions->root);
    query_step(&query);
    return query_finish(&query);
}

static void bind_region(struct query *query, const struct region *region) {
    struct str names = {0};
    for (int j = 0; j < region->feature_count; j++)
        str_printf(&names, "%s%s", j > 0 ? " " : "", region->features[j].name);
    query_bind_integer(query, region->index);
    query_bind_text(query, region->id);
    query_bind_text(query, region->function);
    query_bind_text(query, region->file);
    query_bind_integer(query, region->line);
    query_bind_integer(query, region->end_line);
    query_bind_text(query, region->summary);
    query_bind_text(query, str_text(&names));
    str_dispose(&names);
}

int store_bundle_rows(struct store *store, const struct regions *regions, struct error *error) {
    if (make_program(store, regions, error) != 0)
        return -1;
    struct query query =
        query_prepare(store,
                      "INSERT OR REPLACE INTO regions (bundle, region, id, function, "
                      "file, line, end_line, summary, features) "
                      "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                      error);
    for (int i = 0; i < regions->count && query.result == 0; i++) {
        query_bind_text(&query, regions->bundle);
        bind_region(&query, &regions->items[i]);
        query_step(&query);
        query_again(&query);
    }
    return query_finish(&query);
}

/* ---- Import ---- */

/* Nothing for latencies. */
static void add_sequence(struct str *out, const struct sample *sample) {
    for (size_t i = 0; i < sample->repeat_count; i++)
        str_printf(out, "%c%.17g,%.17g", i > 0 ? ',' : '[', sample->sequence[i].number,
                   sample->sequence[i].times);
    if (sample->repeat_count > 0)
        str_addc(out, ']');
}

/* As in a samples file; nothing where there are none. */
static void add_contexts(struct str *out, const struct sample *sample) {
    for (size_t i = 0; i < sample->context_count; i++) {
        const struct sample_context *context = &sample->contexts[i];
        str_printf(out, "%c%lu,%lu,%d,%.17g,%.17g", i > 0 ? ',' : '[',
                   bsim_bucket_first(context->execution), bsim_bucket_first(context->unchanged),
                   context->before, context->timed, context->seconds);
    }
    if (sample->context_count > 0)
        str_addc(out, ']');
}

static void bind_sample(struct query *query, const struct sample *sample) {
    struct str features = {0}, counted = {0}, sequence = {0}, contexts = {0};
    query_add_numbers(&features, sample->features, sample->feature_count);
    if (sample->counted_count > 0)
        query_add_numbers(&counted, sample->counted, (int)sample->counted_count);
    add_sequence(&sequence, sample);
    add_contexts(&contexts, sample);
    query_bind_integer(query, sample->region);
    query_bind_integer(query, sample->rank);
    query_bind_text(query, features.text);
    query_bind_number(query, sample->count);
    query_bind_number(query, sample->timed);
    query_bind_number(query, sample->seconds);
    query_bind_number(query, sample->squares);
    query_bind_number(query, sample->min);
    query_bind_number(query, sample->max);
    query_bind_number(query, sample->waited);
    query_bind_text(query, str_text(&counted));
    query_bind_text(query, str_text(&sequence));
    query_bind_text(query, str_text(&contexts));
    str_dispose(&features);
    str_dispose(&counted);
    str_dispose(&sequence);
    str_dispose(&contexts);
}

static int insert_samples(struct store *store, const struct samples *samples, long long run,
                          struct error *error) {
    struct query query = query_prepare(
        store,
        "INSERT INTO samples (run, region, rank, features, count, timed, seconds, squares, min, "
        "max, waited, counted, sequence, contexts) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, "
        "?)",
        error);
    for (size_t i = 0; i < samples->count && query.result == 0; i++) {
        query_bind_integer(&query, run);
        bind_sample(&query, &samples->items[i]);
        query_step(&query);
        query_again(&query);
    }
    return query_finish(&query);
}

int store_add_run(bool *added, struct store *store, const struct samples *samples,
                  const struct regions *regions, const char *machine, struct error *error) {
    long long machine_row = 0, run_row = 0;
    if (store_machine_row(&machine_row, store, machine, error) != 0 ||
        store_bundle_rows(store, regions, error) != 0 ||
        store_insert_run(&run_row, added, store, samples, regions->bundle, machine_row, error) !=
            0 ||
        (*added &&
         store_check_clock(store, &samples->runs[0], regions->bundle, machine_row, error) != 0))
        return -1;
    return *added ? insert_samples(store, samples, run_row, error) : 0;
}

int store_import(bool *added, struct store *store, const struct samples *samples,
                 const struct regions *regions, const char *machine, struct error *error) {
    *added = false;
    if (store_begin(store, error) != 0)
        return -1;
    int result = store_add_run(added, store, samples, regions, machine, error);
    return store_end(store, result, error);
}

/* ---- Reading samples ---- */

typedef VEC(struct run) run_list;
typedef VEC(struct sample) sample_list;

static bool are_plausible(const double *numbers, int count) {
    for (int i = 0; i < count; i++)
        if (!(fabs(numbers[i]) <= SAMPLE_NUMBER_MAX))
            return false;
    return true;
}

/* A list of any length, or nothing. */
static int read_list(double **out, size_t *out_count, struct arena *arena, const char *text) {
    *out_count = text[0] != '\0';
    for (const char *at = text; *at != '\0'; at++)
        *out_count += *at == ',';
    *out = ARENA_ARRAY(arena, double, *out_count);
    if (*out_count == 0)
        return 0;
    return query_read_numbers(*out, &text, (int)*out_count) == 0 && *text == '\0' ? 0 : -1;
}

static int read_counted(struct sample *out, struct arena *arena, struct query *query,
                        const char *text) {
    double *numbers = NULL;
    if (read_list(&numbers, &out->counted_count, arena, text) != 0 ||
        !counts_are_valid(numbers, out->counted_count))
        return query_fail(query, "the counts of a sample are damaged");
    out->counted = numbers;
    return 0;
}

static int read_sequence(struct sample *out, struct arena *arena, struct query *query,
                         const char *text) {
    double *numbers = NULL;
    size_t count = 0;
    if (read_list(&numbers, &count, arena, text) != 0 ||
        repeats_make(&out->sequence, &out->repeat_count, arena, numbers, count) != 0)
        return query_fail(query, "the sequence of a sample is damaged");
    return 0;
}

static int read_contexts(struct sample *out, struct arena *arena, struct query *query,
                         const char *text) {
    double *numbers = NULL;
    size_t count = 0;
    if (read_list(&numbers, &count, arena, text) != 0 ||
        contexts_make(&out->contexts, &out->context_count, arena, numbers, count) != 0)
        return query_fail(query, "the contexts of a sample are damaged");
    return 0;
}

static int read_sample(struct sample *out, struct arena *arena, struct query *query,
                       const struct regions *regions) {
    long long region = query_integer(query, 0);
    if (region < 0 || region >= regions->count)
        return query_fail(query, "a sample is of no region of the bundle");
    int feature_count = regions->items[region].feature_count;
    double *features = ARENA_ARRAY(arena, double, (size_t)feature_count);
    const char *text = query_text(query, 2);
    *out = (struct sample){.region = (int)region,
                           .rank = (int)query_integer(query, 1),
                           .features = features,
                           .feature_count = feature_count,
                           .count = query_number(query, 3),
                           .timed = query_number(query, 4),
                           .seconds = query_number(query, 5),
                           .squares = query_number(query, 6),
                           .min = query_number(query, 7),
                           .max = query_number(query, 8),
                           .waited = query_number(query, 9)};
    if (query_read_numbers(features, &text, feature_count) != 0 || *text != '\0' ||
        !are_plausible(features, feature_count))
        return query_fail(query, "the features of a sample are damaged");
    if (!(out->timed >= 0 && out->timed <= out->count && out->count <= SAMPLE_NUMBER_MAX &&
          fabs(out->seconds) <= SAMPLE_NUMBER_MAX))
        return query_fail(query, "the times of a sample are damaged");
    if (read_counted(out, arena, query, query_text(query, 10)) != 0 ||
        read_sequence(out, arena, query, query_text(query, 11)) != 0)
        return -1;
    return read_contexts(out, arena, query, query_text(query, 12));
}

/* Of the rows' samples, which belong to run number `runs[i]`. */
static int read_samples(sample_list *out, struct arena *arena, struct store *store,
                        const long long *rows, const int *runs, size_t count,
                        const struct regions *regions, struct error *error) {
    struct query query = query_prepare(
        store,
        "SELECT region, rank, features, count, timed, seconds, squares, "
        "min, max, waited, counted, sequence, contexts FROM samples WHERE run = ? ORDER BY rowid",
        error);
    for (size_t i = 0; i < count && query.result == 0; i++) {
        query_bind_integer(&query, rows[i]);
        while (query_step(&query)) {
            struct sample sample;
            if (read_sample(&sample, arena, &query, regions) == 0) {
                sample.run = runs[i];
                vec_push(out, sample);
            }
        }
        query_again(&query);
    }
    return query_finish(&query);
}

static void *keep(struct arena *arena, void *items, size_t size_bytes) {
    void *copy = arena_alloc(arena, size_bytes);
    if (size_bytes > 0)
        memcpy(copy, items, size_bytes);
    return copy;
}

static int take_samples(struct samples *out, struct store *store, const long long *rows,
                        const int *runs, size_t count, const struct regions *regions,
                        struct error *error) {
    sample_list items = {0};
    int result = read_samples(&items, &out->arena, store, rows, runs, count, regions, error);
    if (result == 0) {
        out->items = keep(&out->arena, items.items, items.count * sizeof *items.items);
        out->count = items.count;
    }
    vec_dispose(&items);
    return result;
}

int store_row_samples(struct samples *out, struct store *store, long long row,
                      const struct regions *regions, struct error *error) {
    *out = (struct samples){0};
    arena_init(&out->arena);
    int result = take_samples(out, store, &row, (int[]){0}, 1, regions, error);
    if (result != 0)
        samples_dispose(out);
    return result;
}

/* Several rows may be parts of one run. */
static int take_rows(struct samples *out, struct store *store, const struct store_row *rows,
                     size_t count, const struct regions *regions, struct error *error) {
    run_list runs = {0};
    long long *ids = ARENA_ARRAY(&out->arena, long long, count);
    int *numbers = ARENA_ARRAY(&out->arena, int, count);
    for (size_t i = 0; i < count; i++) {
        if (i == 0 || strcmp(rows[i - 1].run.id, rows[i].run.id) != 0)
            vec_push(&runs, rows[i].run);
        ids[i] = rows[i].id;
        numbers[i] = (int)runs.count - 1;
    }
    out->runs = keep(&out->arena, runs.items, runs.count * sizeof *runs.items);
    out->run_count = (int)runs.count;
    vec_dispose(&runs);
    return take_samples(out, store, ids, numbers, count, regions, error);
}

int store_samples(struct samples *out, struct store *store, const struct regions *regions,
                  const char *machine, struct error *error) {
    struct store_row *rows = NULL;
    size_t count = 0;
    *out = (struct samples){0};
    arena_init(&out->arena);
    int result = store_rows(&rows, &count, &out->arena, store, regions->bundle, machine, error);
    if (result == 0)
        result = take_rows(out, store, rows, count, regions, error);
    if (result != 0)
        samples_dispose(out);
    return result;
}

int store_machines(const char **out, struct arena *arena, struct store *store,
                   const struct regions *regions, struct error *error) {
    struct query query = query_prepare(
        store,
        "SELECT ifnull(group_concat(name, ' '), '') FROM (SELECT DISTINCT name FROM "
        "machines JOIN runs ON runs.machine = machines.id WHERE bundle = ? ORDER BY name)",
        error);
    query_bind_text(&query, regions->bundle);
    *out = query_step(&query) ? arena_strdup(arena, query_text(&query, 0)) : "";
    return query_finish(&query);
}

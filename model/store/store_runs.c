/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs in the store, without their samples; see store.h and query.h. Of each the time in kept code
 * is there as a sum as well (model/samples/call_counts.h), since every prediction asks for it, and
 * its calls are long.
 */
#include "model/store/query.h"

#include "base/json.h"
#include "base/vec.h"

#include <stdlib.h>
#include <string.h>

/* ---- Adding ---- */

/* Of a run that ended early each rank left a file of its own; -1: the whole run. */
static int part_of_run(const struct samples *samples) {
    return samples->runs[0].complete || samples->count == 0 ? -1 : samples->items[0].rank;
}

/* As in a machine file; nothing where there are none. */
static void bind_calls(struct query *query, const struct call_counts *calls) {
    json_t *list = calls->count > 0 ? call_counts_to_json(calls) : NULL;
    char *text = list != NULL ? json_dumps(list, JSON_COMPACT) : NULL;
    query_bind_text(query, text != NULL ? text : "");
    free(text);
    json_decref(list);
}

/* The site as a list of one call, or none. */
static void bind_kept(struct query *query, const struct call_counts *calls) {
    struct kept_time kept;
    call_counts_kept(&kept, calls);
    query_bind_number(query, kept.seconds);
    bind_calls(query, &(struct call_counts){.items = &kept.site, .count = kept.site.name != NULL});
}

int store_insert_run(long long *out, bool *added, struct store *store,
                     const struct samples *samples, const char *bundle, long long machine,
                     struct error *error) {
    const struct run *run = &samples->runs[0];
    struct query query =
        query_prepare(store,
                      "INSERT OR IGNORE INTO runs (bundle, run, part, machine, ranks, "
                      "host, cpu, arguments, timer_overhead_s, complete, clock, cache, elapsed_s, "
                      "reference_s, kept_s, kept_site, directory, calls) "
                      "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                      error);
    query_bind_text(&query, bundle);
    query_bind_text(&query, run->id);
    query_bind_integer(&query, part_of_run(samples));
    query_bind_integer(&query, machine);
    query_bind_integer(&query, run->ranks);
    query_bind_text(&query, run->host);
    query_bind_text(&query, run->cpu);
    query_bind_text(&query, run->arguments);
    query_bind_number(&query, run->timer_overhead_s);
    query_bind_integer(&query, run->complete);
    query_bind_text(&query, run->clock != NULL ? run->clock : "");
    query_bind_text(&query, run->cache != NULL ? run->cache : "");
    query_bind_number(&query, run->elapsed_s);
    query_bind_number(&query, run->reference_s);
    bind_kept(&query, &run->calls);
    query_bind_text(&query, run->directory != NULL ? run->directory : "");
    bind_calls(&query, &run->calls);
    query_step(&query);
    *added = query.result == 0 && store_has_changed(store);
    *out = store_last_row(store);
    return query_finish(&query);
}

/* Times of two clocks have nothing to do with each other. */
int store_check_clock(struct store *store, const struct run *run, const char *bundle,
                      long long machine, struct error *error) {
    struct query query = query_prepare(store,
                                       "SELECT clock, run FROM runs WHERE bundle = ? AND machine = "
                                       "? AND clock <> ? AND clock <> '' LIMIT 1",
                                       error);
    query_bind_text(&query, bundle);
    query_bind_integer(&query, machine);
    query_bind_text(&query, run->clock != NULL ? run->clock : "");
    bool differs = query_step(&query) && run->clock != NULL && run->clock[0] != '\0';
    int result = 0;
    if (differs)
        result = error_set(
            error,
            "run %s has the clock '%s', run %s of the same machine '%s': times of two clocks are "
            "never fitted together; import one of them as another machine's (fit --machine NAME), "
            "or take its file out of samples/",
            run->id, run->clock, query_text(&query, 1), query_text(&query, 0));
    return query_finish(&query) != 0 ? -1 : result;
}

/* ---- Reading ---- */

static struct call_counts read_calls(struct arena *arena, struct query *query, int column,
                                     int ranks) {
    struct call_counts out = {0};
    const char *text = query_text(query, column);
    json_t *list = text[0] != '\0' ? json_loads(text, 0, NULL) : NULL;
    if (text[0] != '\0' && call_counts_add(&out, arena, list, -1, ranks) != NULL)
        query_fail(query, "the calls of a run are damaged");
    json_decref(list);
    return out;
}

static struct kept_time read_kept(struct arena *arena, struct query *query, int ranks) {
    struct kept_time out = {.seconds = query_number(query, 12)};
    struct call_counts site = read_calls(arena, query, 13, ranks);
    if (site.count > 0)
        out.site = site.items[0];
    return out;
}

static struct run read_run(struct arena *arena, struct query *query) {
    return (struct run){.id = arena_strdup(arena, query_text(query, 1)),
                        .ranks = (int)query_integer(query, 2),
                        .host = arena_strdup(arena, query_text(query, 3)),
                        .cpu = arena_strdup(arena, query_text(query, 4)),
                        .arguments = arena_strdup(arena, query_text(query, 5)),
                        .timer_overhead_s = query_number(query, 6),
                        .complete = query_integer(query, 7) != 0,
                        .clock = arena_strdup(arena, query_text(query, 8)),
                        .cache = arena_strdup(arena, query_text(query, 9)),
                        .elapsed_s = query_number(query, 10),
                        .reference_s = query_number(query, 11),
                        .kept = read_kept(arena, query, (int)query_integer(query, 2)),
                        .directory = arena_strdup(arena, query_text(query, 14)),
                        .calls = read_calls(arena, query, 15, (int)query_integer(query, 2))};
}

/* `calls` is the column of calls, or '' to leave them unread. */
static int read_rows(struct store_row **out, size_t *out_count, struct arena *arena,
                     struct store *store, const char *bundle, const char *machine,
                     const char *calls, struct error *error) {
    VEC(struct store_row) rows = {0};
    struct query query = query_prepare(
        store,
        arena_printf(arena,
                     "SELECT runs.id, run, ranks, host, cpu, arguments, timer_overhead_s, "
                     "complete, clock, cache, elapsed_s, reference_s, kept_s, kept_site, "
                     "directory, %s FROM runs JOIN machines ON machines.id = runs.machine WHERE "
                     "bundle = ? AND name = ? ORDER BY run, part",
                     calls),
        error);
    query_bind_text(&query, bundle);
    query_bind_text(&query, machine);
    while (query_step(&query))
        vec_push(&rows, (struct store_row){query_integer(&query, 0), read_run(arena, &query)});
    *out = ARENA_ARRAY(arena, struct store_row, rows.count);
    *out_count = rows.count;
    if (rows.count > 0)
        memcpy(*out, rows.items, rows.count * sizeof *rows.items);
    vec_dispose(&rows);
    return query_finish(&query);
}

int store_rows(struct store_row **out, size_t *out_count, struct arena *arena, struct store *store,
               const char *bundle, const char *machine, struct error *error) {
    return read_rows(out, out_count, arena, store, bundle, machine, "calls", error);
}

int store_runs(struct samples *out, struct store *store, const struct regions *regions,
               const char *machine, struct error *error) {
    struct store_row *rows = NULL;
    size_t count = 0;
    *out = (struct samples){0};
    arena_init(&out->arena);
    int result =
        read_rows(&rows, &count, &out->arena, store, regions->bundle, machine, "''", error);
    if (result != 0) {
        samples_dispose(out);
        return result;
    }
    out->runs = ARENA_ARRAY(&out->arena, struct run, count);
    out->run_count = (int)count;
    for (size_t i = 0; i < count; i++)
        out->runs[i] = rows[i].run;
    return 0;
}

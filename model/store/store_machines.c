/* SPDX-License-Identifier: Apache-2.0
 *
 * Machines in the store; see store_machines.h. Times are sums over samples as in
 * docs/reference/store.md; what is measured of a value is no time and is left out.
 */
#include "model/store/store_machines.h"

#include "base/vec.h"
#include "model/store/query.h"

#include <string.h>

typedef VEC(struct machine) machine_list;
typedef VEC(struct stored_run) run_list;

/* ---- Reading ---- */

static int read_names(machine_list *out, struct arena *arena, struct store *store,
                      const char *bundle, struct error *error) {
    struct query query = query_prepare(
        store,
        "SELECT name FROM machines JOIN runs ON runs.machine = machines.id WHERE "
        "bundle = ? UNION SELECT name FROM machines JOIN networks ON "
        "networks.machine = machines.id UNION SELECT name FROM machines JOIN noises ON "
        "noises.machine = machines.id ORDER BY name",
        error);
    query_bind_text(&query, bundle);
    while (query_step(&query))
        vec_push(out, (struct machine){.name = arena_strdup(arena, query_text(&query, 0))});
    return query_finish(&query);
}

static struct stored_run read_run(struct arena *arena, struct query *query) {
    struct run run = {.id = arena_strdup(arena, query_text(query, 0)),
                      .ranks = (int)query_integer(query, 1),
                      .host = arena_strdup(arena, query_text(query, 2)),
                      .cpu = arena_strdup(arena, query_text(query, 3)),
                      .arguments = arena_strdup(arena, query_text(query, 4)),
                      .timer_overhead_s = query_number(query, 5),
                      .complete = query_integer(query, 6) != 0,
                      .clock = arena_strdup(arena, query_text(query, 7)),
                      .cache = arena_strdup(arena, query_text(query, 8)),
                      .elapsed_s = query_number(query, 9),
                      .reference_s = query_number(query, 10)};
    return (struct stored_run){.run = run, .parts = (int)query_integer(query, 11)};
}

static int read_runs(struct machine *out, struct arena *arena, struct store *store,
                     const char *bundle, struct error *error) {
    run_list runs = {0};
    struct query query = query_prepare(
        store,
        "SELECT run, max(ranks), min(host), min(cpu), min(arguments), max(timer_overhead_s), "
        "min(complete), min(clock), min(cache), max(elapsed_s), max(reference_s), count(*) FROM "
        "runs JOIN machines "
        "ON machines.id = "
        "runs.machine "
        "WHERE bundle = ? AND name = ? GROUP BY run ORDER BY run",
        error);
    query_bind_text(&query, bundle);
    query_bind_text(&query, out->name);
    while (query_step(&query))
        vec_push(&runs, read_run(arena, &query));
    out->runs = ARENA_ARRAY(arena, struct stored_run, runs.count);
    out->run_count = (int)runs.count;
    if (runs.count > 0)
        memcpy(out->runs, runs.items, runs.count * sizeof *runs.items);
    vec_dispose(&runs);
    return query_finish(&query);
}

static struct stored_run *find_run(struct machine *machine, const char *id) {
    for (int i = 0; i < machine->run_count; i++)
        if (strcmp(machine->runs[i].run.id, id) == 0)
            return &machine->runs[i];
    return NULL;
}

static void add_sum(struct machine *machine, struct stored_run *run, const struct region *region,
                    long long samples, double sum) {
    double total_s = region->value == VALUE_NONE ? sum : 0;
    machine->regions[region->index].samples += samples;
    machine->regions[region->index].total_s += total_s;
    run->samples += samples;
    run->total_s += total_s;
    machine->total_s += total_s;
}

/* The rows come by run. */
static int read_rows_of_sums(struct machine *out, struct query *query,
                             const struct regions *regions) {
    struct stored_run *run = NULL;
    while (query_step(query)) {
        long long region = query_integer(query, 1);
        if (run == NULL || strcmp(run->run.id, query_text(query, 0)) != 0)
            run = find_run(out, query_text(query, 0));
        if (region < 0 || region >= regions->count || run == NULL)
            return query_fail(query, "a sample is of no region of the bundle");
        add_sum(out, run, &regions->items[region], query_integer(query, 2), query_number(query, 3));
    }
    return 0;
}

static int read_sums(struct machine *out, struct arena *arena, struct store *store,
                     const struct regions *regions, struct error *error) {
    struct query query = query_prepare(
        store,
        "SELECT run_id, region, count(*), sum(CASE WHEN timed > 0 THEN "
        "max(seconds / timed, 0) * count ELSE 0 END) FROM samples JOIN (SELECT runs.id AS row, run "
        "AS run_id FROM runs JOIN machines ON machines.id = runs.machine WHERE bundle = ? AND "
        "name = ?) ON samples.run = row GROUP BY run_id, region ORDER BY run_id, region",
        error);
    out->regions = ARENA_ARRAY(arena, struct region_sum, (size_t)regions->count);
    query_bind_text(&query, regions->bundle);
    query_bind_text(&query, out->name);
    read_rows_of_sums(out, &query, regions);
    for (int i = 0; i < regions->count; i++)
        out->region_count += out->regions[i].samples > 0;
    return query_finish(&query);
}

static int read_statistics(struct machine *out, struct arena *arena, struct store *store,
                           const char *bundle, struct error *error) {
    struct query query = query_prepare(
        store,
        "SELECT ifnull(group_concat(statistic, ' '), '') FROM (SELECT DISTINCT statistic FROM "
        "models JOIN machines ON machines.id = models.machine WHERE bundle = ? AND name = ? "
        "ORDER BY statistic)",
        error);
    query_bind_text(&query, bundle);
    query_bind_text(&query, out->name);
    out->statistics = query_step(&query) ? arena_strdup(arena, query_text(&query, 0)) : "";
    return query_finish(&query);
}

static int read_machine(struct machine *out, struct arena *arena, struct store *store,
                        const struct regions *regions, struct error *error) {
    if (read_runs(out, arena, store, regions->bundle, error) != 0 ||
        read_sums(out, arena, store, regions, error) != 0)
        return -1;
    if (read_statistics(out, arena, store, regions->bundle, error) != 0)
        return -1;
    if (store_read_network(&out->network, arena, store, out->name, error) != 0)
        return -1;
    return store_read_noise(&out->noise, arena, store, out->name, error);
}

int machines_read(struct machines *out, struct store *store, const struct regions *regions,
                  struct error *error) {
    machine_list items = {0};
    *out = (struct machines){0};
    arena_init(&out->arena);
    int result = read_names(&items, &out->arena, store, regions->bundle, error);
    for (size_t i = 0; i < items.count && result == 0; i++)
        result = read_machine(&items.items[i], &out->arena, store, regions, error);
    out->items = ARENA_ARRAY(&out->arena, struct machine, items.count);
    out->count = (int)items.count;
    if (items.count > 0)
        memcpy(out->items, items.items, items.count * sizeof *items.items);
    vec_dispose(&items);
    if (result != 0)
        machines_dispose(out);
    return result;
}

void machines_dispose(struct machines *machines) {
    arena_dispose(&machines->arena);
    *machines = (struct machines){0};
}

const struct machine *machine_find(const struct machines *machines, const char *name) {
    for (int i = 0; i < machines->count; i++)
        if (strcmp(machines->items[i].name, name) == 0)
            return &machines->items[i];
    return NULL;
}

/* ---- Changing ---- */

static int exists(bool *out, struct store *store, const char *machine, struct error *error) {
    struct query query = query_prepare(store, "SELECT 1 FROM machines WHERE name = ?", error);
    query_bind_text(&query, machine);
    *out = query_step(&query);
    return query_finish(&query);
}

static int rename_machine(struct store *store, const char *old, const char *name,
                          struct error *error) {
    bool has_old = false, has_new = false;
    if (exists(&has_old, store, old, error) != 0 || exists(&has_new, store, name, error) != 0)
        return -1;
    if (!has_old)
        return error_set(error, "the store has no machine '%s'; `mpiskel machines list` shows them",
                         old);
    if (has_new)
        return error_set(error,
                         "there is a machine '%s' already; give it another name first, or give it "
                         "single runs with `mpiskel machines label`",
                         name);
    struct query query = query_prepare(store, "UPDATE machines SET name = ? WHERE name = ?", error);
    query_bind_text(&query, name);
    query_bind_text(&query, old);
    query_step(&query);
    return query_finish(&query);
}

int store_rename_machine(struct store *store, const char *old, const char *name,
                         struct error *error) {
    if (store_begin(store, error) != 0)
        return -1;
    return store_end(store, rename_machine(store, old, name, error), error);
}

static int check_found(struct store *store, const char *run, struct error *error) {
    if (store_has_changed(store))
        return 0;
    return error_set(
        error, "the store has no run '%s' of this bundle; `mpiskel machines show` lists them", run);
}

static int label_run(struct store *store, const char *bundle, const char *run, const char *machine,
                     struct error *error) {
    long long row = 0;
    if (store_machine_row(&row, store, machine, error) != 0)
        return -1;
    struct query query =
        query_prepare(store, "UPDATE runs SET machine = ? WHERE bundle = ? AND run = ?", error);
    query_bind_integer(&query, row);
    query_bind_text(&query, bundle);
    query_bind_text(&query, run);
    query_step(&query);
    return query_finish(&query) == 0 ? check_found(store, run, error) : -1;
}

int store_label_run(struct store *store, const char *bundle, const char *run, const char *machine,
                    struct error *error) {
    if (store_begin(store, error) != 0)
        return -1;
    return store_end(store, label_run(store, bundle, run, machine, error), error);
}

static int delete_with(struct store *store, const char *sql, const char *bundle, const char *run,
                       struct error *error) {
    struct query query = query_prepare(store, sql, error);
    query_bind_text(&query, bundle);
    query_bind_text(&query, run);
    query_step(&query);
    return query_finish(&query);
}

static int forget_run(struct store *store, const char *bundle, const char *run,
                      struct error *error) {
    if (delete_with(store,
                    "DELETE FROM samples WHERE run IN (SELECT id FROM runs WHERE bundle = ? AND "
                    "run = ?)",
                    bundle, run, error) != 0 ||
        delete_with(store, "DELETE FROM runs WHERE bundle = ? AND run = ?", bundle, run, error) !=
            0)
        return -1;
    return check_found(store, run, error);
}

int store_forget_run(struct store *store, const char *bundle, const char *run,
                     struct error *error) {
    if (store_begin(store, error) != 0)
        return -1;
    return store_end(store, forget_run(store, bundle, run, error), error);
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Results of points; see store_points.h. Who is at work on them is in store_claims.c. Numbers that
 * are not known are NULL in the tables.
 */
#include "model/store/store_points.h"

#include "base/hash.h"
#include "model/store/query.h"

#include <math.h>
#include <string.h>

static void bind_known(struct query *query, double value) {
    if (isfinite(value))
        query_bind_number(query, value);
    else
        query_bind_null(query);
}

static double known(struct query *query, int column) {
    return query_is_null(query, column) ? NAN : query_number(query, column);
}

int store_find_point(bool *found, struct point_result *out, struct arena *arena,
                     struct store *store, const char *id, struct error *error) {
    struct query query = query_prepare(
        store,
        "SELECT failed, attempts, predicted_s, low_s, high_s, compute_s, mpi_s, wall_s, "
        "memory_kib, host, finished, message FROM points WHERE id = ?",
        error);
    query_bind_text(&query, id);
    *found = query_step(&query);
    if (*found)
        *out = (struct point_result){
            .failed = query_integer(&query, 0) != 0,
            .attempts = (int)query_integer(&query, 1),
            .predicted_s = known(&query, 2),
            .low_s = known(&query, 3),
            .high_s = known(&query, 4),
            .compute_s = known(&query, 5),
            .mpi_s = known(&query, 6),
            .wall_s = query_number(&query, 7),
            .memory_kib = query_integer(&query, 8),
            .host = arena_strdup(arena, query_text(&query, 9)),
            .finished = arena_strdup(arena, query_text(&query, 10)),
            .message = arena_strdup(arena, query_text(&query, 11)),
            .report = "",
        };
    return query_finish(&query);
}

static int insert_point(bool *added, struct store *store, const struct point_key *key,
                        const struct point_result *result, struct error *error) {
    struct query query = query_prepare(
        store,
        "INSERT OR IGNORE INTO points (id, bundle, setup, inputs, ranks, arguments, options, "
        "failed, attempts, predicted_s, low_s, high_s, compute_s, mpi_s, wall_s, memory_kib, host, "
        "finished, message, report) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        error);
    const char *const of_key[] = {key->id, key->bundle, key->setup, key->inputs};
    for (size_t i = 0; i < sizeof of_key / sizeof *of_key; i++)
        query_bind_text(&query, of_key[i]);
    query_bind_integer(&query, (long long)key->ranks);
    query_bind_text(&query, key->arguments);
    query_bind_text(&query, key->options);
    query_bind_integer(&query, result->failed);
    query_bind_integer(&query, result->attempts);
    const double times_s[] = {result->predicted_s, result->low_s, result->high_s, result->compute_s,
                              result->mpi_s};
    for (size_t i = 0; i < sizeof times_s / sizeof *times_s; i++)
        bind_known(&query, times_s[i]);
    query_bind_number(&query, result->wall_s);
    query_bind_integer(&query, result->memory_kib);
    const char *const texts[] = {result->host, result->finished, result->message, result->report};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        query_bind_text(&query, texts[i]);
    query_step(&query);
    *added = query.result == 0 && store_has_changed(store);
    return query_finish(&query);
}

static int execute_for(struct store *store, const char *sql, const char *text,
                       struct error *error) {
    struct query query = query_prepare(store, sql, error);
    query_bind_text(&query, text);
    query_step(&query);
    return query_finish(&query);
}

int store_finish_point(bool *added, struct store *store, const struct point_key *key,
                       const struct point_result *result, struct error *error) {
    *added = false;
    if (store_begin(store, error) != 0)
        return -1;
    int done = insert_point(added, store, key, result, error);
    if (done == 0)
        done = execute_for(store, "DELETE FROM claims WHERE point = ?", key->id, error);
    return store_end(store, done, error);
}

int store_forget_failure(struct store *store, const char *id, struct error *error) {
    if (store_begin(store, error) != 0)
        return -1;
    int done = execute_for(store, "DELETE FROM points WHERE id = ? AND failed <> 0", id, error);
    return store_end(store, done, error);
}

static int hash_rows(unsigned long long *hash, struct store *store, const char *sql,
                     struct error *error) {
    struct query query = query_prepare(store, sql, error);
    while (query_step(&query)) {
        const char *text = query_text(&query, 0);
        *hash = hash_text(*hash, text);
    }
    return query_finish(&query);
}

int store_noises_hash(unsigned long long *hash, struct store *store, struct error *error) {
    return hash_rows(hash, store,
                     "SELECT name || ' ' || description FROM noises JOIN machines ON "
                     "machines.id = noises.machine ORDER BY name",
                     error);
}

int store_machines_hash(unsigned long long *out, struct store *store, struct error *error) {
    *out = HASH_SEED;
    if (hash_rows(out, store,
                  "SELECT name || ' ' || bundle || ' ' || statistic || ' ' || region || ' ' || "
                  "lines FROM models JOIN machines ON machines.id = models.machine "
                  "ORDER BY name, bundle, statistic, region",
                  error) != 0)
        return -1;
    if (hash_rows(out, store,
                  "SELECT name || ' ' || description FROM networks JOIN machines ON "
                  "machines.id = networks.machine ORDER BY name",
                  error) != 0)
        return -1;
    return store_noises_hash(out, store, error);
}

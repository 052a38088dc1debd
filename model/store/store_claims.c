/* SPDX-License-Identifier: Apache-2.0
 *
 * Who is at work on which point; see store_points.h.
 *
 * A claim holds as long as its driver lives, or, once its batch has a job, as long as nobody
 * releases it: only who asks the launcher knows whether the task is still there. The row of a claim
 * that was given up stays, for it counts how often the point was lost; it goes with the result.
 */
#include "base/vec.h"
#include "model/store/query.h"
#include "model/store/store_points.h"

#include <string.h>

static int run(struct query *query) {
    query_step(query);
    return query_finish(query);
}

/* ---- Drivers ---- */

/* From the columns host, boot, space, pid, started, seen_s, beginning with `first`. */
static struct driver driver_of(struct query *query, int first, struct arena *arena) {
    return (struct driver){.host = arena_strdup(arena, query_text(query, first)),
                           .boot = arena_strdup(arena, query_text(query, first + 1)),
                           .space = arena_strdup(arena, query_text(query, first + 2)),
                           .pid = query_integer(query, first + 3),
                           .started = query_integer(query, first + 4),
                           .seen_s = query_number(query, first + 5)};
}

static int delete_driver(struct store *store, long long driver, struct error *error) {
    struct query query = query_prepare(store, "DELETE FROM drivers WHERE id = ?", error);
    query_bind_integer(&query, driver);
    return run(&query);
}

static int forget_dead_drivers(struct store *store, driver_judge *is_alive, struct error *error) {
    struct arena arena = {0};
    VEC(long long) dead = {0};
    struct query query = query_prepare(
        store, "SELECT host, boot, space, pid, started, seen_s, id FROM drivers", error);
    while (query_step(&query)) {
        struct driver driver = driver_of(&query, 0, &arena);
        if (!is_alive(&driver))
            vec_push(&dead, query_integer(&query, 6));
    }
    int result = query_finish(&query);
    for (size_t i = 0; i < dead.count && result == 0; i++)
        result = delete_driver(store, dead.items[i], error);
    vec_dispose(&dead);
    arena_dispose(&arena);
    return result;
}

static int insert_driver(long long *out, struct store *store, const struct driver *driver,
                         struct error *error) {
    struct query query = query_prepare(store,
                                       "INSERT INTO drivers (host, boot, space, pid, started, "
                                       "seen_s) VALUES (?, ?, ?, ?, ?, ?)",
                                       error);
    query_bind_text(&query, driver->host);
    query_bind_text(&query, driver->boot);
    query_bind_text(&query, driver->space);
    query_bind_integer(&query, driver->pid);
    query_bind_integer(&query, driver->started);
    query_bind_number(&query, driver->seen_s);
    query_step(&query);
    *out = store_last_row(store);
    return query_finish(&query);
}

int store_add_driver(long long *out, struct store *store, const struct driver *driver,
                     driver_judge *is_alive, struct error *error) {
    if (store_begin(store, error) != 0)
        return -1;
    int result = forget_dead_drivers(store, is_alive, error);
    if (result == 0)
        result = insert_driver(out, store, driver, error);
    return store_end(store, result, error);
}

int store_see_driver(struct store *store, long long driver, double now_s, struct error *error) {
    struct query query = query_prepare(store, "UPDATE drivers SET seen_s = ? WHERE id = ?", error);
    query_bind_number(&query, now_s);
    query_bind_integer(&query, driver);
    return run(&query);
}

/* Only how often a point was lost is worth a row of its own. */
static int drop_empty_claims(struct store *store, struct error *error) {
    struct query query =
        query_prepare(store, "DELETE FROM claims WHERE driver = 0 AND lost = 0", error);
    return run(&query);
}

static int free_claims(struct store *store, long long driver, struct error *error) {
    struct query query =
        query_prepare(store, "UPDATE claims SET driver = 0 WHERE driver = ? AND batch = ''", error);
    query_bind_integer(&query, driver);
    return run(&query) == 0 ? drop_empty_claims(store, error) : -1;
}

int store_remove_driver(struct store *store, long long driver, driver_judge *is_alive,
                        struct error *error) {
    if (store_begin(store, error) != 0)
        return -1;
    int result = free_claims(store, driver, error);
    if (result == 0)
        result = delete_driver(store, driver, error);
    if (result == 0)
        result = forget_dead_drivers(store, is_alive, error);
    return store_end(store, result, error);
}

/* ---- Claims ---- */

static int is_finished(bool *out, struct store *store, const char *point, struct error *error) {
    struct query query = query_prepare(store, "SELECT 1 FROM points WHERE id = ?", error);
    query_bind_text(&query, point);
    *out = query_step(&query);
    return query_finish(&query);
}

/* Is somebody at work on the point? */
static int is_held(bool *out, int *lost, struct store *store, const char *point,
                   driver_judge *is_alive, struct error *error) {
    struct arena arena = {0};
    struct query query = query_prepare(
        store,
        "SELECT claims.lost, claims.driver, batches.job, drivers.id, host, boot, space, pid, "
        "started, seen_s FROM claims LEFT JOIN batches ON batches.id = claims.batch "
        "LEFT JOIN drivers ON drivers.id = claims.driver WHERE point = ?",
        error);
    *out = false;
    *lost = 0;
    query_bind_text(&query, point);
    if (query_step(&query)) {
        struct driver driver = driver_of(&query, 4, &arena);
        bool has_job = query_text(&query, 2)[0] != '\0';
        bool has_driver = !query_is_null(&query, 3);
        *lost = (int)query_integer(&query, 0);
        *out = query_integer(&query, 1) != 0 && (has_job || (has_driver && is_alive(&driver)));
    }
    arena_dispose(&arena);
    return query_finish(&query);
}

static int take(struct store *store, const char *point, const struct batch *batch, long long task,
                struct error *error) {
    struct query query = query_prepare(
        store,
        "INSERT INTO claims (point, driver, batch, task, lost) VALUES (?, ?, ?, ?, 0) ON CONFLICT "
        "(point) DO UPDATE SET driver = excluded.driver, batch = excluded.batch, "
        "task = excluded.task",
        error);
    query_bind_text(&query, point);
    query_bind_integer(&query, batch->driver);
    query_bind_text(&query, batch->id);
    query_bind_integer(&query, task);
    return run(&query);
}

static int claim_one(enum claim_answer *answer, int *lost, struct store *store,
                     const struct claim_request *request, size_t point, long long task,
                     struct error *error) {
    bool finished = false, held = false;
    const char *id = request->points[point];
    *lost = 0;
    if (is_finished(&finished, store, id, error) != 0 ||
        (!finished && is_held(&held, lost, store, id, request->is_alive, error) != 0))
        return -1;
    *answer = finished ? CLAIM_FINISHED : held ? CLAIM_ELSEWHERE : CLAIM_MINE;
    return *answer == CLAIM_MINE ? take(store, id, &request->batch, task, error) : 0;
}

static int add_batch(struct store *store, const struct batch *batch, struct error *error) {
    struct query query = query_prepare(store,
                                       "INSERT INTO batches (id, driver, launcher, directory, "
                                       "per_task, job) VALUES (?, ?, ?, ?, ?, ?)",
                                       error);
    query_bind_text(&query, batch->id);
    query_bind_integer(&query, batch->driver);
    query_bind_text(&query, batch->launcher);
    query_bind_text(&query, batch->directory);
    query_bind_integer(&query, batch->per_task);
    query_bind_text(&query, batch->job);
    return run(&query);
}

int store_claim(enum claim_answer *answers, int *lost, struct store *store,
                const struct claim_request *request, struct error *error) {
    long long tasks = 0;
    int result = 0;
    if (store_begin(store, error) != 0)
        return -1;
    for (size_t i = 0; i < request->count && result == 0; i++) {
        result = claim_one(&answers[i], &lost[i], store, request, i, tasks, error);
        tasks += result == 0 && answers[i] == CLAIM_MINE;
    }
    if (result == 0 && tasks > 0 && request->batch.id[0] != '\0')
        result = add_batch(store, &request->batch, error);
    return store_end(store, result, error);
}

static int release(struct store *store, const struct claim *seen, bool count_as_lost,
                   struct error *error) {
    struct query query =
        query_prepare(store,
                      "UPDATE claims SET driver = 0, batch = '', task = 0, lost = lost + ? "
                      "WHERE point = ? AND driver = ? AND batch = ? AND task = ?",
                      error);
    query_bind_integer(&query, count_as_lost);
    query_bind_text(&query, seen->point);
    query_bind_integer(&query, seen->driver);
    query_bind_text(&query, seen->batch);
    query_bind_integer(&query, seen->task);
    return run(&query);
}

int store_release(struct store *store, const struct claim *seen, bool count_as_lost,
                  struct error *error) {
    if (store_begin(store, error) != 0)
        return -1;
    int result = release(store, seen, count_as_lost, error);
    if (result == 0)
        result = drop_empty_claims(store, error);
    return store_end(store, result, error);
}

/* ---- Batches ---- */

int store_set_job(struct store *store, const char *batch, const char *job, struct error *error) {
    struct query query = query_prepare(store, "UPDATE batches SET job = ? WHERE id = ?", error);
    query_bind_text(&query, job);
    query_bind_text(&query, batch);
    return run(&query);
}

static int execute_for_batch(struct store *store, const char *sql, const char *batch,
                             struct error *error) {
    struct query query = query_prepare(store, sql, error);
    query_bind_text(&query, batch);
    return run(&query);
}

int store_remove_batch(struct store *store, const char *batch, struct error *error) {
    if (store_begin(store, error) != 0)
        return -1;
    int result = execute_for_batch(store, "DELETE FROM claims WHERE batch = ?", batch, error);
    if (result == 0)
        result = execute_for_batch(store, "DELETE FROM batches WHERE id = ?", batch, error);
    return store_end(store, result, error);
}

int store_batches(struct batch **out, struct driver **out_drivers, size_t *out_count,
                  struct arena *arena, struct store *store, struct error *error) {
    VEC(struct batch) batches = {0};
    VEC(struct driver) drivers = {0};
    struct query query = query_prepare(
        store,
        "SELECT batches.id, batches.driver, launcher, directory, job, drivers.id, host, boot, "
        "space, pid, started, seen_s, per_task FROM batches LEFT JOIN drivers ON drivers.id = "
        "batches.driver ORDER BY batches.rowid",
        error);
    while (query_step(&query)) {
        struct driver driver = driver_of(&query, 6, arena);
        struct batch batch = {.id = arena_strdup(arena, query_text(&query, 0)),
                              .driver = query_integer(&query, 1),
                              .launcher = arena_strdup(arena, query_text(&query, 2)),
                              .directory = arena_strdup(arena, query_text(&query, 3)),
                              .per_task = query_integer(&query, 12),
                              .job = arena_strdup(arena, query_text(&query, 4))};
        driver.id = query_integer(&query, 5);
        vec_push(&batches, batch);
        vec_push(&drivers, driver);
    }
    *out_count = batches.count;
    *out = ARENA_ARRAY(arena, struct batch, batches.count + 1);
    *out_drivers = ARENA_ARRAY(arena, struct driver, batches.count + 1);
    for (size_t i = 0; i < batches.count; i++) {
        (*out)[i] = batches.items[i];
        (*out_drivers)[i] = drivers.items[i];
    }
    vec_dispose(&batches);
    vec_dispose(&drivers);
    return query_finish(&query);
}

int store_batch_claims(struct claim **out, size_t *out_count, struct arena *arena,
                       struct store *store, const char *batch, struct error *error) {
    VEC(struct claim) claims = {0};
    struct query query = query_prepare(
        store, "SELECT point, driver, batch, task, lost FROM claims WHERE batch = ? ORDER BY task",
        error);
    query_bind_text(&query, batch);
    while (query_step(&query)) {
        struct claim claim = {.point = arena_strdup(arena, query_text(&query, 0)),
                              .driver = query_integer(&query, 1),
                              .batch = arena_strdup(arena, query_text(&query, 2)),
                              .task = query_integer(&query, 3),
                              .lost = (int)query_integer(&query, 4)};
        vec_push(&claims, claim);
    }
    *out_count = claims.count;
    *out = ARENA_ARRAY(arena, struct claim, claims.count + 1);
    for (size_t i = 0; i < claims.count; i++)
        (*out)[i] = claims.items[i];
    vec_dispose(&claims);
    return query_finish(&query);
}

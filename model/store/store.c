/* SPDX-License-Identifier: Apache-2.0
 *
 * The store as a file, and statements on it (query.h); the only file that includes sqlite3.h. The
 * schema is in docs/reference/store.md.
 *
 * The application id and the user version in the file's header tell a store from other databases.
 * An empty file becomes a store. Lists of numbers are kept as JSON arrays, so that any SQLite shell
 * can read them.
 */
#include "model/store/query.h"

#include <math.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define APPLICATION_ID 0x6d70736b /* "mpsk" */
#define SCHEMA_VERSION 13
#define BUSY_TIMEOUT_MS 10000

static const char schema[] =
    "CREATE TABLE machines (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);"
    "CREATE TABLE programs (id INTEGER PRIMARY KEY, name TEXT NOT NULL, root TEXT NOT NULL,"
    " UNIQUE (name, root));"
    "CREATE TABLE bundles (id TEXT PRIMARY KEY, program INTEGER NOT NULL REFERENCES programs);"
    "CREATE TABLE regions (bundle TEXT NOT NULL REFERENCES bundles, region INTEGER NOT NULL,"
    " id TEXT NOT NULL, function TEXT NOT NULL, file TEXT NOT NULL, line INTEGER NOT NULL,"
    " end_line INTEGER NOT NULL, summary TEXT NOT NULL, features TEXT NOT NULL,"
    " PRIMARY KEY (bundle, region));"
    "CREATE TABLE runs (id INTEGER PRIMARY KEY, bundle TEXT NOT NULL REFERENCES bundles,"
    " run TEXT NOT NULL, part INTEGER NOT NULL, machine INTEGER NOT NULL REFERENCES machines, "
    "ranks INTEGER NOT NULL,"
    " host TEXT NOT NULL, cpu TEXT NOT NULL, arguments TEXT NOT NULL,"
    " timer_overhead_s REAL NOT NULL, complete INTEGER NOT NULL, clock TEXT NOT NULL DEFAULT '',"
    " cache TEXT NOT NULL DEFAULT '', elapsed_s REAL NOT NULL DEFAULT 0,"
    " reference_s REAL NOT NULL DEFAULT 0, kept_s REAL NOT NULL DEFAULT -1,"
    " kept_site TEXT NOT NULL DEFAULT '', directory TEXT NOT NULL DEFAULT '',"
    " calls TEXT NOT NULL DEFAULT '',"
    " UNIQUE (bundle, run, part));"
    "CREATE TABLE samples (run INTEGER NOT NULL REFERENCES runs, region INTEGER NOT NULL,"
    " rank INTEGER NOT NULL, features TEXT NOT NULL, count REAL NOT NULL, timed REAL NOT NULL,"
    " seconds REAL NOT NULL, squares REAL NOT NULL, min REAL NOT NULL, max REAL NOT NULL,"
    " waited REAL NOT NULL DEFAULT 0, counted TEXT NOT NULL DEFAULT '',"
    " sequence TEXT NOT NULL DEFAULT '', contexts TEXT NOT NULL DEFAULT '');"
    "CREATE INDEX samples_of_run ON samples (run);";

static const char models_schema[] =
    "CREATE TABLE models (machine INTEGER NOT NULL REFERENCES machines,"
    " bundle TEXT NOT NULL REFERENCES bundles, statistic TEXT NOT NULL,"
    " region INTEGER NOT NULL, formula TEXT NOT NULL,"
    " lines TEXT NOT NULL, ranges TEXT NOT NULL, points INTEGER NOT NULL, runs INTEGER NOT NULL,"
    " error REAL NOT NULL, validation INTEGER NOT NULL, total_s REAL NOT NULL,"
    " share REAL NOT NULL, note TEXT NOT NULL,"
    " PRIMARY KEY (machine, bundle, statistic, region));";

/* What `mpiskel calibrate --network` found on a machine. */
static const char networks_schema[] =
    "CREATE TABLE networks (machine INTEGER PRIMARY KEY REFERENCES machines,"
    " made TEXT NOT NULL, host TEXT NOT NULL, cpu TEXT NOT NULL, launcher TEXT NOT NULL,"
    " description TEXT NOT NULL, error REAL NOT NULL, worst REAL NOT NULL);";

/* What `mpiskel calibrate --noise` found on a machine. */
static const char noises_schema[] =
    "CREATE TABLE noises (machine INTEGER PRIMARY KEY REFERENCES machines,"
    " made TEXT NOT NULL, host TEXT NOT NULL, cpu TEXT NOT NULL, description TEXT NOT NULL);";

/* What `mpiskel calibrate --profile` found on a machine, or was told of it. */
static const char profiles_schema[] =
    "CREATE TABLE profiles (machine INTEGER PRIMARY KEY REFERENCES machines,"
    " description TEXT NOT NULL);";

/* Points of sweeps, and who is at work on those that are not there yet. */
static const char points_schema[] =
    "CREATE TABLE points (id TEXT PRIMARY KEY, bundle TEXT NOT NULL, setup TEXT NOT NULL,"
    " inputs TEXT NOT NULL, ranks INTEGER NOT NULL, arguments TEXT NOT NULL,"
    " options TEXT NOT NULL, failed INTEGER NOT NULL, attempts INTEGER NOT NULL,"
    " predicted_s REAL, low_s REAL, high_s REAL, compute_s REAL, mpi_s REAL,"
    " wall_s REAL NOT NULL, memory_kib INTEGER NOT NULL, host TEXT NOT NULL,"
    " finished TEXT NOT NULL, message TEXT NOT NULL, report TEXT NOT NULL,"
    " UNIQUE (bundle, setup, inputs, ranks, arguments, options));"
    "CREATE TABLE drivers (id INTEGER PRIMARY KEY AUTOINCREMENT, host TEXT NOT NULL, boot TEXT NOT "
    "NULL,"
    " space TEXT NOT NULL, pid INTEGER NOT NULL, started INTEGER NOT NULL, seen_s REAL NOT NULL);"
    "CREATE TABLE batches (id TEXT PRIMARY KEY, driver INTEGER NOT NULL, launcher TEXT NOT NULL,"
    " directory TEXT NOT NULL, per_task INTEGER NOT NULL, job TEXT NOT NULL);"
    "CREATE TABLE claims (point TEXT PRIMARY KEY, driver INTEGER NOT NULL, batch TEXT NOT NULL,"
    " task INTEGER NOT NULL, lost INTEGER NOT NULL);";

struct store {
    sqlite3 *database;
    char *path;
    int depth; /* of transactions that are begun */
};

static int fail(struct store *store, struct error *error) {
    return error_set(error, "%s: error: %s; the store was left as it is", store->path,
                     sqlite3_errmsg(store->database));
}

static int execute(struct store *store, const char *sql, struct error *error) {
    if (sqlite3_exec(store->database, sql, NULL, NULL, NULL) != SQLITE_OK)
        return fail(store, error);
    return 0;
}

/* ---- Statements ---- */

struct query query_prepare(struct store *store, const char *sql, struct error *error) {
    struct query query = {.store = store, .error = error};
    if (sqlite3_prepare_v2(store->database, sql, -1, &query.statement, NULL) != SQLITE_OK)
        query.result = fail(store, error);
    return query;
}

static void check(struct query *query, int result) {
    if (result != SQLITE_OK)
        query->result = fail(query->store, query->error);
}

void query_bind_text(struct query *query, const char *text) {
    if (query->result == 0)
        check(query,
              sqlite3_bind_text(query->statement, ++query->parameter, text, -1, SQLITE_TRANSIENT));
}

void query_bind_integer(struct query *query, long long value) {
    if (query->result == 0)
        check(query, sqlite3_bind_int64(query->statement, ++query->parameter, value));
}

void query_bind_number(struct query *query, double value) {
    if (query->result == 0)
        check(query, sqlite3_bind_double(query->statement, ++query->parameter, value));
}

void query_bind_null(struct query *query) {
    if (query->result == 0)
        check(query, sqlite3_bind_null(query->statement, ++query->parameter));
}

bool query_step(struct query *query) {
    if (query->result != 0)
        return false;
    int result = sqlite3_step(query->statement);
    if (result != SQLITE_ROW && result != SQLITE_DONE)
        query->result = fail(query->store, query->error);
    return result == SQLITE_ROW;
}

void query_again(struct query *query) {
    if (query->statement != NULL)
        sqlite3_reset(query->statement);
    query->parameter = 0;
}

int query_finish(struct query *query) {
    sqlite3_finalize(query->statement);
    return query->result;
}

const char *query_text(struct query *query, int column) {
    const unsigned char *text = sqlite3_column_text(query->statement, column);
    return text != NULL ? (const char *)text : "";
}

double query_number(struct query *query, int column) {
    return sqlite3_column_double(query->statement, column);
}

long long query_integer(struct query *query, int column) {
    return sqlite3_column_int64(query->statement, column);
}

bool query_is_null(struct query *query, int column) {
    return sqlite3_column_type(query->statement, column) == SQLITE_NULL;
}

int query_fail(struct query *query, const char *what) {
    query->result =
        error_set(query->error,
                  "%s: error: %s; remove the file and import the samples again with `mpiskel fit`",
                  query->store->path, what);
    return -1;
}

/* ---- Transactions ---- */

long long store_last_row(struct store *store) {
    return sqlite3_last_insert_rowid(store->database);
}

bool store_has_changed(struct store *store) {
    return sqlite3_changes(store->database) > 0;
}

int store_begin(struct store *store, struct error *error) {
    int result = store->depth == 0 ? execute(store, "BEGIN IMMEDIATE", error) : 0;
    store->depth += result == 0;
    return result;
}

int store_end(struct store *store, int result, struct error *error) {
    if (--store->depth > 0)
        return result;
    if (result == 0)
        result = execute(store, "COMMIT", error);
    if (result != 0)
        sqlite3_exec(store->database, "ROLLBACK", NULL, NULL, NULL);
    return result;
}

void store_keep_journal(struct store *store, bool keep) {
    sqlite3_exec(store->database,
                 keep ? "PRAGMA journal_mode=TRUNCATE" : "PRAGMA journal_mode=DELETE", NULL, NULL,
                 NULL);
}

/* ---- Lists of numbers ---- */

void query_add_numbers(struct str *out, const double *numbers, int count) {
    str_addc(out, '[');
    for (int i = 0; i < count; i++)
        str_printf(out, "%s%.17g", i > 0 ? "," : "", numbers[i]);
    str_addc(out, ']');
}

int query_read_numbers(double *out, const char **text, int count) {
    if (*(*text)++ != '[')
        return -1;
    for (int i = 0; i < count; i++) {
        char *end = NULL;
        if (i > 0 && *(*text)++ != ',')
            return -1;
        out[i] = strtod(*text, &end);
        if (end == *text || !isfinite(out[i]))
            return -1;
        *text = end;
    }
    return *(*text)++ == ']' ? 0 : -1;
}

/* ---- Opening ---- */

static int read_pragma(long long *out, struct store *store, const char *sql, struct error *error) {
    struct query query = query_prepare(store, sql, error);
    *out = query_step(&query) ? sqlite3_column_int64(query.statement, 0) : 0;
    return query_finish(&query);
}

/* Another process may have done it meanwhile: then the version is not 0 any more. */
static int create_schema(struct store *store, struct error *error) {
    struct str sql = {0};
    long long version = 0;
    if (store_begin(store, error) != 0)
        return -1;
    str_printf(&sql, "%s %s %s %s %s %s PRAGMA application_id=%d; PRAGMA user_version=%d", schema,
               models_schema, networks_schema, noises_schema, profiles_schema, points_schema,
               APPLICATION_ID, SCHEMA_VERSION);
    int result = read_pragma(&version, store, "PRAGMA user_version", error);
    if (result == 0 && version == 0)
        result = execute(store, sql.text, error);
    str_dispose(&sql);
    return store_end(store, result, error);
}

static long long file_bytes(const struct store *store) {
    struct stat info;
    return stat(store->path, &info) == 0 ? (long long)info.st_size : 0;
}

/* SQLite takes what is missing of the last page as zeroes. */
static int check_length(struct store *store, struct error *error) {
    long long page_bytes = 0, pages = 0;
    if (read_pragma(&page_bytes, store, "PRAGMA page_size", error) != 0 ||
        read_pragma(&pages, store, "PRAGMA page_count", error) != 0)
        return -1;
    if (file_bytes(store) < page_bytes * pages)
        return error_set(error,
                         "%s: error: the store is truncated; remove the file and import the "
                         "samples again with `mpiskel fit`",
                         store->path);
    return 0;
}

static int check_integrity(struct store *store, struct error *error) {
    struct query query = query_prepare(store, "PRAGMA quick_check(1)", error);
    if (query_step(&query) && strcmp(query_text(&query, 0), "ok") != 0)
        query_fail(&query, "the store is damaged");
    return query_finish(&query);
}

static int check_store(struct store *store, bool is_whole, struct error *error) {
    long long application = 0, version = 0;
    if (file_bytes(store) == 0)
        return create_schema(store, error);
    if (read_pragma(&application, store, "PRAGMA application_id", error) != 0 ||
        read_pragma(&version, store, "PRAGMA user_version", error) != 0)
        return -1;
    if (application != APPLICATION_ID)
        return error_set(error, "%s: error: this is a database of another program; move it away",
                         store->path);
    if (version != SCHEMA_VERSION)
        return error_set(error,
                         "%s: error: store of another mpiskel version (%lld, this one needs %d): "
                         "move it away, then `mpiskel fit` imports the samples again; calibrations "
                         "and points of sweeps have to be made anew",
                         store->path, version, SCHEMA_VERSION);
    if (check_length(store, error) != 0)
        return -1;
    return is_whole ? check_integrity(store, error) : 0;
}

/* What a database is written to. */
static int check_kind(const char *path, struct error *error) {
    struct stat info;
    if (stat(path, &info) != 0 || S_ISREG(info.st_mode))
        return 0;
    return error_set(error, "%s: error: a store is a regular file, not a %s: name another", path,
                     S_ISDIR(info.st_mode) ? "directory" : "device or pipe");
}

static int open_store(struct store **out, const char *path, bool is_whole, struct error *error) {
    *out = NULL;
    if (check_kind(path, error) != 0)
        return -1;
    struct store *store = xmalloc(sizeof *store);
    *store = (struct store){0};
    store->path = xstrdup(path);
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
    int result = 0;
    if (sqlite3_open_v2(path, &store->database, flags, NULL) != SQLITE_OK)
        result = fail(store, error);
    sqlite3_busy_timeout(store->database, BUSY_TIMEOUT_MS);
    if (result == 0)
        result = execute(store, "PRAGMA trusted_schema=OFF; PRAGMA foreign_keys=ON", error);
    if (result == 0)
        result = check_store(store, is_whole, error);
    /* It is locked once, not for each statement. Not before: two that hold a reader's lock while
     * they make an empty file a store would wait for each other. */
    if (result == 0 && !is_whole)
        result = execute(store, "PRAGMA locking_mode=EXCLUSIVE", error);
    if (result == 0)
        *out = store;
    else
        store_close(store);
    return result;
}

int store_open(struct store **out, const char *path, struct error *error) {
    return open_store(out, path, true, error);
}

int store_open_to_read(struct store **out, const char *path, struct error *error) {
    return open_store(out, path, false, error);
}

void store_close(struct store *store) {
    if (store == NULL)
        return;
    sqlite3_close(store->database);
    free(store->path);
    free(store);
}

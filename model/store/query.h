/* SPDX-License-Identifier: Apache-2.0
 *
 * SQL statements, for the files that implement store.h; nobody else includes this. A query keeps
 * its first failure: binding and stepping after it do nothing, and query_finish gives it back, so
 * that callers need one check.
 */
#pragma once

#include "base/error.h"
#include "base/str.h"
#include "model/store/store.h"

#include <stdbool.h>

struct sqlite3_stmt;

struct query {
    struct store *store;
    struct sqlite3_stmt *statement;
    struct error *error;
    int parameter; /* the last one that was bound */
    int result;    /* 0 until something fails */
};

struct query query_prepare(struct store *store, const char *sql, struct error *error);

/* Bind the next parameter. */
void query_bind_text(struct query *query, const char *text);
void query_bind_integer(struct query *query, long long value);
void query_bind_number(struct query *query, double value);
void query_bind_null(struct query *query);

/* True: there is a row to read. */
bool query_step(struct query *query);

/* Makes the statement ready for the next row of parameters. */
void query_again(struct query *query);

/* Frees the statement; 0 or -1. */
int query_finish(struct query *query);

/* The contents of the current row; a text is borrowed until the next step and never NULL. */
const char *query_text(struct query *query, int column);
double query_number(struct query *query, int column);
long long query_integer(struct query *query, int column);
bool query_is_null(struct query *query, int column);

/* The query fails because of what it read. Always -1. */
int query_fail(struct query *query, const char *what);

/* What the last INSERT did: the number of its row, and whether there is one. */
long long store_last_row(struct store *store);
bool store_has_changed(struct store *store);

/* Lists of numbers as JSON arrays. query_read_numbers moves *text behind the list; -1 if it has
 * not exactly `count` finite numbers. */
void query_add_numbers(struct str *out, const double *numbers, int count);
int query_read_numbers(double *out, const char **text, int count);

/* The rows that others refer to; made if they are not there. */
int store_machine_row(long long *out, struct store *store, const char *machine,
                      struct error *error);
int store_bundle_rows(struct store *store, const struct regions *regions, struct error *error);

/* Adds one run to the bundle as store_import does, inside a transaction of the caller's. */
int store_add_run(bool *added, struct store *store, const struct samples *samples,
                  const struct regions *regions, const char *machine, struct error *error);

/* store_write_models inside a transaction of the caller's. */
int store_replace_models(struct store *store, const struct models *models,
                         const struct regions *regions, struct error *error);

/* store_write_network inside a transaction of the caller's. */
struct stored_network;
int store_replace_network(struct store *store, const char *machine,
                          const struct stored_network *network, struct error *error);

/* store_write_noise likewise. */
struct stored_noise;
int store_replace_noise(struct store *store, const char *machine, const struct stored_noise *noise,
                        struct error *error);

/* A row of the table of runs: a run, or a part of one that ended early. */
struct store_row {
    long long id;
    struct run run;
};

/* Adds the run of `samples` unless it is there; its row. */
int store_insert_run(long long *out, bool *added, struct store *store,
                     const struct samples *samples, const char *bundle, long long machine,
                     struct error *error);

/* Times of two clocks have nothing to do with each other: all runs of a machine have the same. */
int store_check_clock(struct store *store, const struct run *run, const char *bundle,
                      long long machine, struct error *error);

/* Those of a bundle on a machine, by run and part; from the arena. */
int store_rows(struct store_row **out, size_t *out_count, struct arena *arena, struct store *store,
               const char *bundle, const char *machine, struct error *error);

/* The samples of one row, in their order, without a run; *out is the caller's (samples_dispose). */
int store_row_samples(struct samples *out, struct store *store, long long row,
                      const struct regions *regions, struct error *error);

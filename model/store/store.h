/* SPDX-License-Identifier: Apache-2.0
 *
 * The store: one SQLite file that keeps machines, programs, bundles, regions, runs, samples and
 * models (docs/reference/store.md). Each function that writes is one transaction: after -1 the file
 * is as it was. A file that is not a store, a newer one or a damaged one is refused and left alone.
 */
#pragma once

#include "base/error.h"
#include "model/latency/latency.h"
#include "model/samples/region.h"
#include "model/samples/sample.h"

#include <stdbool.h>

struct store;

/* Opens the file, or makes it. *out is the caller's (store_close). */
int store_open(struct store **out, const char *path, struct error *error);

/* For who reads a few rows, writes none and closes it soon: who writes waits until then. The file
 * is not read as a whole, which takes longer with each point of a sweep that is in it. A damaged
 * page is an error of the statement that comes to it. */
int store_open_to_read(struct store **out, const char *path, struct error *error);

/* NULL is fine. */
void store_close(struct store *store);

/* Adds the run in `samples` (as samples_read gives it) under the name of a machine. A run that is
 * there already, on whatever machine, is left as it is: *added tells. The files that the ranks of
 * a run that ended early leave are parts of one run. */
int store_import(bool *added, struct store *store, const struct samples *samples,
                 const struct regions *regions, const char *machine, struct error *error);

/* All samples of the bundle on the machine; *out is the caller's (samples_dispose). */
int store_samples(struct samples *out, struct store *store, const struct regions *regions,
                  const char *machine, struct error *error);

/* Its runs only, without samples and calls; likewise the caller's. */
int store_runs(struct samples *out, struct store *store, const struct regions *regions,
               const char *machine, struct error *error);

/* The names of all machines with runs of the bundle, separated by blanks, from the arena. */
int store_machines(const char **out, struct arena *arena, struct store *store,
                   const struct regions *regions, struct error *error);

/* Replaces the models of the bundle on models->machine of models->statistic; those of other
 * statistics stay. */
int store_write_models(struct store *store, const struct models *models,
                       const struct regions *regions, struct error *error);

/* Of which statistics there are models, at most STATISTIC_COUNT, the one that was fitted last being
 * the last. */
int store_statistics(enum statistic *out, int *out_count, struct store *store, const char *bundle,
                     const char *machine, struct error *error);

/* The models of a statistic, or those that were fitted last, as they were written; *out is the
 * caller's (models_dispose). Regions without one are not fitted. */
int store_models_of(struct models *out, struct store *store, const struct regions *regions,
                    const char *machine, enum statistic statistic, struct error *error);
int store_models(struct models *out, struct store *store, const struct regions *regions,
                 const char *machine, struct error *error);

/* Adds models->gaps, for who writes a model.bsim of them: that reads the calls of all runs. */
int store_model_gaps(struct models *models, struct store *store, const struct regions *regions,
                     struct error *error);

/* Every change to the store lies between these two; `result` is what came of it, 0 or -1, and the
 * transaction is rolled back if that or the commit failed. Those inside of another one are parts of
 * it: what failed there has to be the result of the outer one, too. */
int store_begin(struct store *store, struct error *error);
int store_end(struct store *store, int result, struct error *error);

/* For who makes many changes: the file that takes a change back is emptied behind each, and made
 * and removed only once. */
void store_keep_journal(struct store *store, bool keep);

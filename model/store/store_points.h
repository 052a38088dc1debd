/* SPDX-License-Identifier: Apache-2.0
 *
 * Points of sweeps in the store (docs/how-to/sweep.md), and who is at work on those that are
 * missing.
 *
 * A point is there once and for all when its result is: store_finish_point is one transaction, and
 * of two results of the same point the first one stays. Until then it may be *claimed*: by a
 * *driver* (a running `mpiskel sweep`, which simulates it itself), or by a *batch* of tasks that a
 * driver handed over to a launcher. Whether a claim still holds is the caller's to judge (drivers
 * die, tasks get lost); the store only sees to it that of two who take it one gets it.
 * Every function is one transaction. Texts that are handed out come from the arena.
 */
#pragma once

#include "base/arena.h"
#include "model/store/store.h"

/* All that the result of a point depends on. `id` is a hash of the others. */
struct point_key {
    const char *id, *bundle, *setup, *inputs;
    size_t ranks;
    const char *arguments, *options; /* JSON arrays */
};

/* NAN: not known. */
struct point_result {
    bool failed;
    int attempts; /* how often it was started, as far as anybody lived to tell */
    double predicted_s, low_s, high_s, compute_s, mpi_s;
    double wall_s;
    long long memory_kib;
    const char *host, *finished; /* where, and when (ISO 8601) */
    const char *message;         /* of a failure: why */
    const char *report;          /* JSON; "" after a failure */
};

/* A process, told from others that had its number before: on this host, since this boot, in this
 * space of process ids, started so many ticks after the boot. */
struct driver {
    long long id; /* in the store */
    const char *host, *boot, *space;
    long long pid, started;
    double seen_s; /* when it last said that it lives, in seconds since 1970 */
};

struct batch {
    const char *id; /* also the name of its job */
    long long driver;
    const char *launcher, *directory;
    long long per_task; /* points in one task of the launcher */
    const char *job;    /* "": not handed over yet, or by a driver that waits for its end */
};

struct claim {
    const char *point;
    long long driver; /* 0: nobody's */
    const char *batch;
    long long task; /* its number in the batch */
    int lost;       /* how often it was lost */
};

/* ---- Points ---- */

/* *out without the report. */
int store_find_point(bool *found, struct point_result *out, struct arena *arena,
                     struct store *store, const char *id, struct error *error);

/* Adds the result and drops the claim. *added is false if the point was there. */
int store_finish_point(bool *added, struct store *store, const struct point_key *key,
                       const struct point_result *result, struct error *error);

/* Takes out the point if it failed, so that it is simulated again. */
int store_forget_failure(struct store *store, const char *id, struct error *error);

/* A hash of all models of all machines, of their networks and noise: what options such as --machine
 * may look at. */
int store_machines_hash(unsigned long long *out, struct store *store, struct error *error);

/* Adds the noise of all machines to the hash, which stays as it is where there is none. */
int store_noises_hash(unsigned long long *hash, struct store *store, struct error *error);

/* ---- Drivers ---- */

/* Is that driver still there? */
typedef bool driver_judge(const struct driver *driver);

/* Forgets those that are not alive any more. */
int store_add_driver(long long *out, struct store *store, const struct driver *driver,
                     driver_judge *is_alive, struct error *error);
int store_see_driver(struct store *store, long long driver, double now_s, struct error *error);

/* With the claims that are the driver's own; those of its batches stay. Dead ones go, too. */
int store_remove_driver(struct store *store, long long driver, driver_judge *is_alive,
                        struct error *error);

/* ---- Claims ---- */

enum claim_answer { CLAIM_MINE, CLAIM_FINISHED, CLAIM_ELSEWHERE };

/* Claims points for a driver, or for a batch of its own if batch->id is not "": then the batch is
 * added as well if it gets at least one point, and the points that it gets are its tasks 0, 1, ...
 * *answers and *lost are one per point. */
struct claim_request {
    const char *const *points;
    size_t count;
    struct batch batch;
    driver_judge *is_alive;
};

int store_claim(enum claim_answer *answers, int *lost, struct store *store,
                const struct claim_request *request, struct error *error);

/* Gives the claim up if it is still as `seen`; count_as_lost: the point was lost once more. */
int store_release(struct store *store, const struct claim *seen, bool count_as_lost,
                  struct error *error);

/* ---- Batches ---- */

int store_set_job(struct store *store, const char *batch, const char *job, struct error *error);

/* With the claims that it still has. */
int store_remove_batch(struct store *store, const char *batch, struct error *error);

/* All of them; *out_drivers is one per batch, with id 0 if the driver is not in the store. */
int store_batches(struct batch **out, struct driver **out_drivers, size_t *out_count,
                  struct arena *arena, struct store *store, struct error *error);

int store_batch_claims(struct claim **out, size_t *out_count, struct arena *arena,
                       struct store *store, const char *batch, struct error *error);

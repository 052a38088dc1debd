/* SPDX-License-Identifier: Apache-2.0
 *
 * Simulating all points of a sweep that are not in the store yet.
 *
 * In: points (grid.h) and a store. Out: the store has the result of every point, once, and so has
 * `points`. Interrupted, killed or started twice at a time, a sweep goes on where it is: a point is
 * claimed before it is simulated (model/store/store_points.h), and its result and the end of its
 * claim are one transaction. A point that was lost (its worker was killed, its node failed) is
 * simulated again, `attempts` times at most.
 *
 * Launchers: `local` simulates in processes of this machine (sweep_local.c). The others are given
 * batches of points in a directory beside the store and leave results there, each a file that is
 * renamed into place; only the driver writes into the store, since workers may see it through a
 * network file system, where SQLite's locks cannot be relied upon (sweep_batch.c).
 */
#pragma once

#include "simulator/sweep/point.h"

enum launcher { LAUNCHER_LOCAL, LAUNCHER_SLURM, LAUNCHER_PARALLEL };

struct sweep_settings {
    enum launcher launcher;
    struct word_list launcher_options; /* of sbatch or parallel */
    size_t jobs;                       /* at a time; 0: as many as the launcher likes */
    size_t attempts, per_task;
    double timeout_s;       /* of one point; 0: none */
    double poll_s, grace_s; /* how often a queue is asked, how long a result may take to appear */
    bool retry;             /* failed points as well */
    bool wait;              /* false: hand over and leave */
    bool show_progress;
};

enum point_state {
    STATE_MISSING,
    STATE_OURS,      /* at work for this driver */
    STATE_ELSEWHERE, /* at work for another one, or in a batch that is */
    STATE_FINISHED,
};

struct sweep_point {
    struct grid_point what;
    struct point_key key;
    enum point_state state;
    bool in_batch;  /* ours: a launcher has it; otherwise a process of this one */
    bool was_there; /* before this sweep began */
    int lost;
    double gone_since_s; /* the launcher does not know its task any more; 0: it does */
    struct point_result result;
};

struct running_parallel;

struct sweep {
    struct arena *arena;
    struct store *store;
    struct sweep_settings settings;
    const char *mpiskel, *bundle; /* absolute paths */
    const char *batches;          /* the directory of batches, absolute */
    struct sweep_point *points;   /* no two of the same id */
    size_t count;

    /* sweep.c's own */
    size_t *by_id; /* the points in the order of their ids */
    long long driver;
    size_t cursor; /* no point before it is missing */
    double start_s, beat_s, shown_s, asked_s;
    double weight_done, weight_at_start;
    size_t done_here;
    bool has_warned_of_queue;
    const struct running_parallel *parallel; /* NULL: another launcher */
    const char *misuse;                      /* what `run` said of its options; NULL: nothing */
};

/* Takes over what the store has. The rest of the sweep's members are set; points only their `what`
 * and `key`. */
int sweep_look_up(struct sweep *sweep, struct error *error);

/* Simulates what is missing. 0 also if points failed, or if not all were waited for; -1: the sweep
 * could not go on, or was interrupted, or the options of `run` are wrong. */
int sweep_run(struct sweep *sweep, struct error *error);

/* What a launcher starts for points first, first + 1, ... of a batch: simulates those that are
 * there and have no result yet. */
int sweep_work(const char *directory, size_t first, size_t count, struct error *error);

struct sweep_counts {
    size_t finished, failed, were_there, ours, elsewhere;
};
struct sweep_counts sweep_count(const struct sweep *sweep);

/* ---- Between the files of the sweep ---- */

int sweep_run_locally(struct sweep *sweep, struct error *error);
int sweep_run_in_batches(struct sweep *sweep, struct error *error);

/* Looks after points that are elsewhere: takes over what finished, claims nothing. */
int sweep_look_elsewhere(struct sweep *sweep, struct error *error);

/* Collects results of batches, and finds what was lost of them. */
int sweep_tend_batches(struct sweep *sweep, struct error *error);

/* One of our own points ended like this. */
int sweep_end_point(struct sweep *sweep, size_t point, const struct claim *claim,
                    struct point_outcome *outcome, struct error *error);

/* Its claim ran out without that being the point's fault. */
int sweep_free_point(struct sweep *sweep, size_t point, const struct claim *claim,
                     struct error *error);

/* The point of this id; sweep->count: there is none. */
size_t sweep_find(const struct sweep *sweep, const char *id);

/* Says that we live, and shows progress; to be called a few times a second. */
int sweep_tick(struct sweep *sweep, struct error *error);

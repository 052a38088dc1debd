/* SPDX-License-Identifier: Apache-2.0
 *
 * What a point of a sweep is, and what became of one.
 *
 * Identity: a hash of all that a simulation's result depends on, so that a point is the same point
 * in whatever sweep it stands, and another one as soon as anything changed: the bundle, its
 * skeleton and models, mpiskel itself, ranks, arguments, options, the contents of the files that
 * arguments and options name, and, for options about machines and networks, what the bundle's store
 * has of them. Not seen: files that the program or a platform opens by itself.
 *
 * Result: what one `mpiskel run --format=json` left: its exit code, report and messages. A run that
 * was killed (by whoever: the user, the cluster, the system when memory ran out) tells nothing of
 * the point: it counts as lost.
 */
#pragma once

#include "base/json.h"
#include "base/process.h"
#include "base/vec.h"
#include "model/store/store_points.h"
#include "simulator/run/bundle.h"
#include "simulator/sweep/grid.h"

/* A file that some argument or option names. */
struct point_input {
    const char *path;
    unsigned long long hash; /* of its contents */
};

/* What the points of a sweep have in common. */
struct setup {
    struct arena *arena;
    const char *bundle, *hash;
    const char *store;           /* the bundle's */
    unsigned long long machines; /* a hash of what the store has of machines */
    bool has_machines;
    VEC(struct point_input) inputs; /* those read so far */
};

/* `mpiskel` is the path of the executable. */
int setup_make(struct setup *out, struct arena *arena, const struct bundle *bundle,
               const char *mpiskel, struct error *error);
void setup_dispose(struct setup *setup);

int point_identify(struct point_key *out, struct setup *setup, const struct grid_point *point,
                   struct error *error);

/* mpiskel run BUNDLE -np N --format=json OPTIONS -- ARGUMENTS; ends with NULL. What takes longer
 * than a minute is extrapolated, unless the options say otherwise. */
const char *const *point_command(struct arena *arena, const char *mpiskel, const char *bundle,
                                 const struct grid_point *point);

enum point_end {
    POINT_FINE,
    POINT_FAILED,
    POINT_LOST,    /* killed */
    POINT_MISUSED, /* `run` does not understand the options */
};

/* How the message of a point begins of which not all iterations were simulated. */
#define POINT_EXTRAPOLATED "extrapolated: "

struct point_outcome {
    enum point_end end;
    struct point_result result; /* without attempts */
};

/* Of a run whose stdout and stderr are in these files. timed_out: it was killed because it took
 * longer than timeout_s. */
struct point_traces {
    int exit_code, signal; /* as in struct process_result */
    double wall_s, timeout_s;
    bool timed_out;
    const char *stdout_file, *stderr_file;
};

void point_outcome_read(struct point_outcome *out, struct arena *arena,
                        const struct point_traces *traces);

/* As a file carries it from a worker to the driver; -1: it is damaged. */
json_t *point_outcome_to_json(const struct point_outcome *outcome, const char *id);
int point_outcome_of_json(struct point_outcome *out, struct arena *arena, const json_t *json,
                          const char *id);

/* SPDX-License-Identifier: Apache-2.0
 *
 * How often a run communicated: calls and bytes by rank and call site, as the profiling build
 * counted them (docs/reference/samples.md). Runs of older profiling builds have none.
 */
#pragma once

#include "base/arena.h"
#include "base/json.h"

#include <stddef.h>

struct call_count {
    int rank;
    const char *name, *file; /* the function; "": not known where */
    int line;
    double count, bytes; /* the bytes of the first payload that counts, over all calls */
    double kept_s;       /* time in kept code before it; negative: not told */
    double first_s;      /* of it, before the first call; 0 where nothing is counted */
};

/* A zeroed structure is empty and valid; what it has is its arena's. */
struct call_counts {
    struct call_count *items;
    size_t count, capacity;
};

/* The time in kept code of the rank that has most of it, since others wait for that one, and the
 * site before which most of that is. */
struct kept_time {
    double seconds;         /* negative: not told of every site */
    struct call_count site; /* its name NULL: none */
};

void call_counts_kept(struct kept_time *out, const struct call_counts *counts);

/* Adds the objects of a list; `rank` >= 0: that of all of them, else each tells its own, below
 * `ranks`. Returns NULL, or what is wrong. */
const char *call_counts_add(struct call_counts *out, struct arena *arena, const json_t *list,
                            int rank, int ranks);

/* A list whose objects tell their ranks; the caller's (json_decref). */
json_t *call_counts_to_json(const struct call_counts *counts);

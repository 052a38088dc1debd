/* SPDX-License-Identifier: Apache-2.0
 *
 * Recordings as runs to learn from.
 *
 * In: traces with call paths (analysis/trace). Out: runs (recorded_runs.h). Receives get the source
 * and tag that they had in the end; persistent requests are requests from where they are started;
 * requests that a poll completed are outstanding no longer. What is left out is counted: calls of
 * functions that a synthesised program does not make (synth_calls.def).
 */
#pragma once

#include "analysis/recording/run_recording.h"
#include "synthesis/recorded/recorded_runs.h"

struct recorded_left_out {
    size_t calls;
    const char *function; /* of the first; borrowed from the runs */
};

/* Adds a run. `parameters`: as many as the runs have. 0, or -1. */
int recorded_load_trace(struct recorded_runs *runs, struct recorded_left_out *left_out,
                        const struct trace *trace, const char *name, const double *parameters,
                        struct error *error);

/* Whether the recordings in these directories are of one build of one program: 0, or -1.
 * `machines`: which two are of different machines or MPI libraries, in words; NULL: none. */
int recorded_check_same(const char **machines, struct arena *arena, const char *const *directories,
                        size_t count, struct error *error);

/* Adds the recordings in these directories, with the same parameters. */
int recorded_load(struct recorded_runs *runs, struct recorded_left_out *left_out,
                  const char *const *directories, size_t count, struct error *error);

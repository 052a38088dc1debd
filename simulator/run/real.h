/* SPDX-License-Identifier: Apache-2.0
 *
 * A real run of the bundle's profiling build: LAUNCHER -np RANKS BUNDLE/profile ARGUMENTS. A
 * program of one rank needs no launcher, and starts as BUNDLE/profile ARGUMENTS.
 *
 * Out: the time from MPI_Init to MPI_Finalize of the rank where that is longest, or each region's
 * time over all ranks: not both of one run, since reading the clock takes 0.05 to 0.5 us, twice in
 * each execution of a region, which the application does not do. The samples go into `directory`
 * and not into the bundle, so that what validates does not train.
 */
#pragma once

#include "base/arena.h"
#include "base/error.h"
#include "base/process.h"
#include "model/samples/told_again.h"
#include "simulator/run/bundle.h"

#include <stdbool.h>
#include <stddef.h>

struct real_command {
    const char *const *launcher; /* words: mpirun --oversubscribe */
    size_t launcher_count;       /* 0: none, and no number of ranks */
    size_t ranks;
    const char *directory; /* where it runs; NULL: here */
    char *const *arguments;
    size_t argument_count;
    bool with_regions; /* they are timed, the run is not */
};

struct real_run {
    double elapsed_s;   /* of a run without regions */
    double processor_s; /* of all that the launcher started, from its start to its end */
    double *region_s;   /* per region of the bundle, 0: not reached, or without; in the arena */
    struct counted_parts parts; /* of all regions' time, where a clock counts */
};

struct real_limits {
    const char *program, *log;
    const char *const *environment; /* ends with NULL */
    double limit_s;                 /* it is ended then; 0: never */
    void (*tick)(void *);           /* about ten times a second; or NULL */
};

/* "mpirun --oversubscribe -np 4", which the program follows; "" without a launcher. */
const char *real_launcher_text(const struct real_command *command, struct arena *arena);

/* A run of `program`, whatever its exit code is; -1: it could not be started. The standard input is
 * read again afterwards. */
int real_limited(struct process_result *out, const struct real_command *command,
                 const struct real_limits *limits, struct arena *arena, struct error *error);

/* Whether the program gets through on a real MPI: its exit code, 128 + the signal that ended it;
 * -1: it was not started, or took longer than `limit_s` and was ended. The standard input is read
 * again afterwards. Its output is left in `directory`. */
int real_exit_code(const struct bundle *bundle, const struct real_command *command, double limit_s,
                   const char *directory, struct arena *arena);

/* `directory` is empty and remains so. */
int real_run(struct real_run *out, const struct bundle *bundle, const struct real_command *command,
             const char *directory, struct arena *arena, struct error *error);

/* A profiling run: its samples stay in `samples`. `variables`: more of the environment, ends with
 * NULL. */
int real_profile(const char *samples, const struct bundle *bundle,
                 const struct real_command *command, const char *const *variables,
                 struct arena *arena, struct error *error);

/* SPDX-License-Identifier: Apache-2.0
 *
 * A real run of the bundle's profiling build: LAUNCHER -np RANKS BUNDLE/profile ARGUMENTS.
 *
 * Out: the time from MPI_Init to MPI_Finalize of the rank where that is longest, and each region's
 * time over all ranks. The samples go into `directory` and not into the bundle, so that what
 * validates does not train. Timers take part in the time: about 50 ns for each timed execution.
 */
#ifndef SIMULATOR_REAL_H
#define SIMULATOR_REAL_H

#include "base/arena.h"
#include "base/error.h"
#include "simulator/bundle.h"

#include <stddef.h>

struct real_command {
    const char *const *launcher; /* words: mpirun --oversubscribe */
    size_t launcher_count;       /* at least 1 */
    size_t ranks;
    char *const *arguments;
    size_t argument_count;
};

struct real_run {
    double elapsed_s;
    double *region_s; /* per region of the bundle, 0: not reached; in the arena */
};

/* `directory` is empty and remains so. */
int real_run(struct real_run *out, const struct bundle *bundle, const struct real_command *command,
             const char *directory, struct arena *arena, struct error *error);

#endif

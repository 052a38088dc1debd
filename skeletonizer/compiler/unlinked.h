/* SPDX-License-Identifier: Apache-2.0
 *
 * How a program is linked of which only the compile commands are known.
 *
 * In: a compile database alone, such as Bear's. Out: options for the compiler that it names: those
 * of the MPI wrapper whose headers the units include, and of OpenMP. Which other libraries there
 * are nothing tells.
 */
#pragma once

#include "frontend/commands/compile_commands.h"

struct unlinked {
    const char *const *mpi;    /* the list ends with NULL; in the arena */
    const char *const *openmp; /* likewise */
};

/* Where no unit includes an mpi.h, it is that of the profiling runtime in `libraries`. Fails if the
 * linker is no wrapper and none is found that fits. */
int unlinked_options(struct unlinked *out, struct arena *arena, const struct commands *commands,
                     const char *linker, const char *libraries, struct error *error);

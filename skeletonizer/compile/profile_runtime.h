/* SPDX-License-Identifier: Apache-2.0
 *
 * The profiling runtime for the application's MPI: the library that was built with mpiskel where
 * that is of the same MPI, else its sources, compiled as the application is.
 */
#pragma once

#include "frontend/commands/compile_commands.h"

#include <stdbool.h>

/* `libraries`: the directory of bsim.h and the runtimes. The library was built with the mpi.h that
 * the application is compiled with. */
bool profile_runtime_is_built(struct arena *arena, const struct commands *commands,
                              const char *libraries);

/* Its sources, such as "runtime/profile/profile.c" below lib/mpiskel/profile; in the
 * arena, NULL-terminated. NULL: the list cannot be read. */
const char *const *profile_runtime_sources(struct arena *arena, const char *libraries,
                                           struct error *error);

/* What makes `object` of such a source; in the arena, NULL-terminated. */
const char *const *profile_runtime_command(struct arena *arena, const struct commands *commands,
                                           const char *libraries, const char *source,
                                           const char *object);

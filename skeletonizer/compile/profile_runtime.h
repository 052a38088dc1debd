/* SPDX-License-Identifier: Apache-2.0
 *
 * The profiling runtime for the application's MPI: the library that was built with mpiskel where
 * that is of the same MPI, else its sources, compiled as the application is.
 */
#ifndef SKELETONIZER_COMPILE_PROFILE_RUNTIME_H
#define SKELETONIZER_COMPILE_PROFILE_RUNTIME_H

#include "skeletonizer/generate.h"

/* The library was built with the mpi.h that the application is compiled with. */
bool profile_runtime_is_built(struct generation *generation);

/* Source i of it, such as "profile.c"; NULL: there are no more. */
const char *profile_runtime_source(size_t i);

/* What makes `object` of source i; in the generation's arena, NULL-terminated. */
const char *const *profile_runtime_command(struct generation *generation, size_t i,
                                           const char *object);

#endif

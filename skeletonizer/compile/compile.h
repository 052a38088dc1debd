/* SPDX-License-Identifier: Apache-2.0
 *
 * Rewritten sources in, programs out: skeleton, original and profiling build of a bundle, and the
 * application with execution counters.
 */
#pragma once

#include "skeletonizer/compile/compilation.h"

/* Puts them into the compilation's directory; -1: one of them cannot be built, *error tells unless
 * a compiler did. */
int compile_programs(struct compilation *c, struct error *error);

/* The application with execution counters, as scout_compiler says: directory/scout. Where that is
 * without optimization what goes wrong is not told: inline functions of C99 without an external
 * definition cannot be linked then. */
int compile_scout(struct compilation *c, struct error *error);

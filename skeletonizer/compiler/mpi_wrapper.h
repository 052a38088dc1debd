/* SPDX-License-Identifier: Apache-2.0
 *
 * Compiler wrappers (mpicc, smpicc): what stands behind them. Those of Open MPI, MPICH, Intel MPI
 * and SMPI print what they would call with -show, and so follow OMPI_CC and MPICH_CC. What they
 * print is split at blanks: SimGrid's and MPI's own flags hold none.
 */
#pragma once

#include "base/arena.h"

#include <stdbool.h>

/* By its name. */
bool mpi_wrapper_is_one(const char *name);

/* What it prints with -show and `option` (may be NULL), split into words that end with NULL; NULL:
 * it does not know -show. In the arena. */
const char **mpi_wrapper_shown(struct arena *arena, const char *wrapper, const char *option);

/* The compiler that is called in the end: that behind a wrapper, or `name` itself. "" is a
 * wrapper's that does not tell. */
const char *mpi_wrapper_compiler(struct arena *arena, const char *name);

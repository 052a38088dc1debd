/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "cli/common/mpi_program.h"

/* The library that records such programs: that of `mpicc`, compiled into the directory, or, where
 * that is NULL, one that is installed. NULL: there is none, and why is in `error`. */
const char *record_library(struct arena *arena, const struct mpi_program *program,
                           const char *mpicc, const char *directory, struct error *error);

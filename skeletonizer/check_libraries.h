/* SPDX-License-Identifier: Apache-2.0
 *
 * Libraries without source that the application links: whether they can be part of a program for
 * SMPI, which is a shared library and has another MPI than the one they were compiled for.
 */
#pragma once

#include "frontend/commands/compile_commands.h"
#include "frontend/program/program.h"

/* The linker is asked what it takes of them (link_trace.h); nothing is told where it cannot be.
 * Errors are printed and counted. `link` may be NULL. *out_binary_mpi: shared ones with MPI calls
 * of their own, which are warned of (struct regions); NULL: none. */
int check_libraries(const char **out_binary_mpi, struct program *program, struct commands *commands,
                    const struct link_command *link);

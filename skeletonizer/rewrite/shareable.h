/* SPDX-License-Identifier: Apache-2.0
 *
 * What in a program keeps ranks from sharing one copy of it, where SMPI copies the program for each
 * rank instead (simulator/choice/variables.h):
 * - threads of its own, which would not find the variables of the rank that started them
 *   (runtime/smpi/private.c): compiled or linked with OpenMP or -pthread, or calls what starts
 * threads;
 * - functions that it gives to MPI for attributes, error handlers and generalized requests: SMPI
 *   calls those of another rank within this one, and only a copy of the function remembers whose
 *   variables it means. Operations of reductions are called by the rank that they are of.
 * Not seen: libraries that start threads which call back into the program.
 */
#pragma once

#include "frontend/commands/compile_commands.h"
#include "frontend/program/program.h"

bool sharing_is_possible(const struct program *program, const struct commands *commands,
                         const struct link_command *link);

/* SPDX-License-Identifier: Apache-2.0
 *
 * Functions that several units define: the linker takes one definition, and the others are
 * overridden. In come all units of a program, before they become its model; an overridden
 * definition gets a key of its own, so that whoever calls the function calls the other one.
 */
#ifndef FRONTEND_OVERRIDDEN_H
#define FRONTEND_OVERRIDDEN_H

#include "frontend/commands/compile_commands.h"
#include "frontend/program/program.h"

/* The program has a unit for each command; nothing is done where one could not be read. Two strong
 * definitions are left as they are, for who builds the model to report. */
void overridden_find(struct program *program, const struct compile_command *commands, int count);

#endif

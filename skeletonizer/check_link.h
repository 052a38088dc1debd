/* SPDX-License-Identifier: Apache-2.0
 *
 * What is told of the application's link before anything is compiled: what the linker does behind
 * the sources' back, and libraries that cannot be part of a simulation.
 */
#pragma once

#include "frontend/commands/compile_commands.h"
#include "frontend/program/program.h"

/* A note where sanitizers are left out. `link` may be NULL. */
void check_link_sanitizers(const struct commands *commands, const struct link_command *link);

/* Functions of the program that the linker gives other names: counted as errors, printed. */
int check_link_names(struct program *program, const struct link_command *link);

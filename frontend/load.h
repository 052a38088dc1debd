/* SPDX-License-Identifier: Apache-2.0
 *
 * Compile commands in, the model of a program out: the whole frontend in one call.
 */
#pragma once

#include "frontend/program/program.h"

struct compile_command;
struct unit_cache;

/* Parses (or takes from the cache, unless that is NULL) and models all units of one executable.
 * Prints errors (file:line:col: error: ...), all of them, and returns -1 if there was any. */
int program_load(struct program *out, const struct compile_command *commands, int command_count,
                 const char *root, struct externs *libraries, struct unit_cache *cache);

/* SPDX-License-Identifier: Apache-2.0
 *
 * Which lines of its files the compiler of a build takes, of those between #if and #endif: it is
 * asked itself, since only it knows its answers to __has_attribute, __has_builtin and their kin.
 */
#pragma once

#include "base/hash_table.h"
#include "frontend/commands/compile_commands.h"

struct taken_lines {
    struct hash_table files; /* by absolute path */
};

/* Of gcc only. `parser`: the arguments of the parser, for the same headers. -1: it did not answer.
 */
int taken_lines_ask(struct taken_lines *out, struct arena *arena,
                    const struct compile_command *command, const struct compile_arguments *parser);
void taken_lines_dispose(struct taken_lines *taken);

/* One of the lines [first, end) of the file is taken and holds something; lines count from 1. */
bool taken_lines_any(const struct taken_lines *taken, const char *path, int first, int end);

/* SPDX-License-Identifier: Apache-2.0
 *
 * libclang behind one door: source and compiler arguments in, our own syntax tree out.
 */
#pragma once

#include "frontend/commands/compile_commands.h"
#include "frontend/program/unit_record.h"

struct parse_task {
    const struct compile_command *command;
    struct compile_arguments arguments; /* for the parser */
    bool is_for_gcc;                    /* the command's compiler is gcc */
};

/* Parses one unit and records what it does to the program. Prints every error that clang finds, in
 * its own form, and returns NULL if there was one: a missing header quietly changes the tree. */
struct unit *clang_parse(struct program *program, const struct parse_task *task,
                         struct unit_record *record);

/* Name and version of the parser. */
const char *clang_parser_version(struct arena *arena);

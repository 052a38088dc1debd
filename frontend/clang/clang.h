/* SPDX-License-Identifier: Apache-2.0
 *
 * libclang behind one door: source and compiler arguments in, our own syntax tree out.
 */
#ifndef FRONTEND_CLANG_CLANG_H
#define FRONTEND_CLANG_CLANG_H

#include "frontend/program/unit_record.h"

/* Parses one unit and records what it does to the program. Prints every error that clang finds, in
 * its own form, and returns NULL if there was one: a missing header quietly changes the tree. */
struct unit *clang_parse(struct program *program, const char *path, const char *const *arguments,
                         int argument_count, struct unit_record *record);

/* Name and version of the parser. */
const char *clang_parser_version(struct arena *arena);

#endif

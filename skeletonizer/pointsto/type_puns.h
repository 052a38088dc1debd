/* SPDX-License-Identifier: Apache-2.0
 *
 * Does the program look at memory of one type through pointers to another?
 */
#pragma once

#include "frontend/commands/compile_commands.h"
#include "frontend/program/program.h"

/* A pointer to integers, floating-point numbers or pointers is cast into one to another of these:
 * then the type of a declaration or of a prototype says little about what is there. */
bool puns_found(const struct program *program);

/* The first unit that is compiled with -fno-strict-aliasing, or file of the project that names the
 * attribute may_alias, as its path (borrowed), and which of both in *why: so the program itself
 * says that it does not keep to strict aliasing. NULL: there is none. */
const char *puns_declared(const struct program *program, const struct commands *commands,
                          const char **why);

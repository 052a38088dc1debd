/* SPDX-License-Identifier: Apache-2.0
 *
 * Functions once per call: what one caller needs of a helper does not leak to its other callers.
 */
#pragma once

#include "frontend/program/program.h"

/* Gives calls of small functions instances of their own, which their `key` then names. Before
 * points-to. */
void instances_make(struct program *program);

/* Where the function's name stands in its definition; an empty range if that cannot be told. */
struct range instances_name_range(const struct program *program, const struct function *function);

/* The function's text can stand once more under another name. */
bool instances_can_copy(const struct program *program, const struct function *function);

/* The call can be made to name another function: the name is spelled here, once, and the function
 * is declared with its type. */
bool instances_can_rename(const struct program *program, const struct call *call);

/* An `inline` function without `static` has no definition that can be linked, unless a unit asks
 * for one: the application's compiler has put it into all that call it, which it may not do here,
 * where there are timers in it. Not where others are meant to be defined by `extern inline`. */
bool instances_lack_definitions(const struct program *program);

/* Lines that have to stand before a copy of the function's text, in the program's arena: for the
 * conditionals of the preprocessor that begin before the function and end in it (`#ifdef __STDC__`,
 * a head, `#else`, an old one, `#endif`, the body). */
const char *instances_before_copy(struct program *program, const struct function *function);

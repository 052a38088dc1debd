/* SPDX-License-Identifier: Apache-2.0
 *
 * What the skeleton has in C++ where C would take a 0: of a type, so that the same function is
 * called, and memory for what a reference has to refer to.
 */
#pragma once

#include "frontend/program/program.h"

/* The node is in a unit of C++. */
bool cxx_text_is_in(const struct program *program, const struct node *node);

/* In place of an argument that nobody needs. */
const char *cxx_text_zero(struct program *program, const struct call *call, int index);

/* The null pointer of this type. */
const char *cxx_text_null(struct program *program, const struct type *type);

/* "return {};" */
const char *cxx_text_return(struct program *program, const struct type *type);

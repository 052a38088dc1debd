/* SPDX-License-Identifier: Apache-2.0
 *
 * Functions that attributes name, as gcc's `malloc(pool_free)` does: they have to be declared where
 * nothing calls them any more.
 */
#pragma once

#include "base/hash_table.h"
#include "frontend/program/program.h"

/* All words inside of attributes, and inside of macro calls outside of functions, which may be
 * attributes: more names only leave more declarations. */
void attribute_names_find(struct hash_table *out, const struct program *program);

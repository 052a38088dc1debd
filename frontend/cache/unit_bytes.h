/* SPDX-License-Identifier: Apache-2.0
 *
 * What unit_write.c and unit_read.c agree about.
 */
#pragma once

#include "frontend/program/ast.h"

/* Trees that nest deeper are parsed each time. */
#define UNIT_DEEPEST 10000

/* A member that is added to these has to be written and read as well; then its size goes here. Not
 * written is what units together tell: overridden_by. */
#if defined(__x86_64__) || defined(__aarch64__)
_Static_assert(sizeof(struct ast) == 112, "write the new member in unit_write.c, read it");
_Static_assert(sizeof(struct type) == 64, "write the new member in unit_write.c, read it");
_Static_assert(sizeof(struct field) == 24, "write the new member in unit_write.c, read it");
_Static_assert(sizeof(struct declaration) == 88, "write the new member in unit_write.c, read it");
_Static_assert(sizeof(struct definition) == 88, "write the new member in unit_write.c, read it");
_Static_assert(sizeof(struct alias) == 40, "write the new member in unit_write.c, read it");
#endif

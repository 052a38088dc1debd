/* SPDX-License-Identifier: Apache-2.0
 *
 * Which definitions of a unit are weak: another one is taken where there is one. The unit's own
 * compiler is asked, since attributes, pragmas and assembly all can say it.
 */
#pragma once

#include "frontend/commands/compile_commands.h"

/* The unit as assembly; NULL: it could not be compiled. */
const char *weak_symbols_read(struct arena *arena, const struct compile_command *unit);

/* Whether that assembly makes the symbol a weak one. */
bool weak_symbols_has(const char *assembly, const char *name);

/* Whether it has the symbol at all, which inline functions need not; NULL is taken to have it. */
bool weak_symbols_defines(const char *assembly, const char *name);

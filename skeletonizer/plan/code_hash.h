/* SPDX-License-Identifier: Apache-2.0
 *
 * Whether a region would still take the time that was measured: a hash of the code that it
 * executes.
 */
#pragma once

#include "frontend/commands/compile_commands.h"
#include "skeletonizer/plan/plan.h"

/* Sets the code of all regions: 16 hexadecimal digits. */
void code_name(struct plan *plan, const struct commands *commands);

/* Where a value is given, as a hash: in which of the statements of its function that are spelled
 * alike, and in which instances of the function. */
unsigned long long code_place(const struct plan *plan, const struct code_region *region);

/* By number of a function, as written: whether the region may call it, directly or not. The caller
 * frees it. */
bool *code_called(const struct plan *plan, const struct code_region *region);

/* Whether it may call a function without source that writes to a terminal or a file. */
bool code_prints(const struct plan *plan, const struct code_region *region);

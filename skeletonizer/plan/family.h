/* SPDX-License-Identifier: Apache-2.0
 *
 * Whether two builds of a program differ, in a region, in nothing but compile-time constants: then
 * what was measured of one tells about the other, with the constants as features (`fit --with`).
 */
#pragma once

#include "frontend/commands/compile_commands.h"
#include "skeletonizer/plan/plan.h"

/* Sets the family of all regions, whose code has been named: 16 hexadecimal digits. */
void family_name(struct plan *plan, const struct commands *commands);

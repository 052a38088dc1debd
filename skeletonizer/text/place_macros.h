/* SPDX-License-Identifier: Apache-2.0
 *
 * Words whose value is where they stand: __LINE__, __func__, and __COUNTER__, which counts itself.
 * Programs make tags and names of them, so that in a skeleton they have to be as in the original.
 */
#pragma once

#include "frontend/program/program.h"

/* Sets `names_lines`, `names_functions` and `counting` of all files, by their text. */
void place_macros_find(struct program *program);

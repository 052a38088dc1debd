/* SPDX-License-Identifier: Apache-2.0
 *
 * Names of regions by which their models survive edits elsewhere.
 */
#pragma once

#include "skeletonizer/plan/plan.h"

/* Index, id and summary; ids hash the function's name and the region's text without white space
 * and comments. */
void region_names_assign(struct plan *plan);

/* 16 hexadecimal digits over all ids, codes and features; in the program's arena. */
char *region_names_bundle_id(const struct plan *plan);

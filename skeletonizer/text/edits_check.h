/* SPDX-License-Identifier: Apache-2.0
 *
 * The invariants of edits (README.md, "What always holds").
 */
#pragma once

#include "base/error.h"
#include "skeletonizer/text/edits.h"

/* 0, or -1 with the first thing that does not hold. Sorts the edits. */
int edits_check(struct edits *edits, const struct program *program, struct error *error);
